import type { ContactInput } from '../contacts/apply-input.ts';
import { isUnitedStates } from '../postal/localities.ts';
import { streetWords } from '../../shared/text/text.ts';
import type { Loss } from './read-row.ts';
import { CUT_NUMBER, isCutNumber, wholeNumber } from '../../shared/text/read-values.ts';
import { stateCode, withLeadingZeros } from './states.ts';

export const ADDRESS = ['Address1', 'Address2', 'City', 'State', 'Zip'] as const;
type AddressField = (typeof ADDRESS)[number];
type Address = Readonly<Partial<Record<AddressField, string>>>;

/** The words of street and unit, and the postal code: `12 Main St.` and `12 main street` are one address. */
export const addressKey = ({ Address1, Address2, Zip }: Partial<Pick<ContactInput, AddressField>>): string =>
  Address1 ? [...streetWords(Address1, Address2 ?? ''), (Zip ?? '').slice(0, 5)].join(' ') : '';

const MAX_STATE_WORDS = 4;

/** City, state and zip from `Richmond, Virginia 23220`; `undefined` without a state, or without a required zip. */
function readLocality(text: string, needsZip: boolean): Address | undefined {
  const all = text.replaceAll(',', ' ').split(/\s+/).filter(Boolean);
  const zip = /^\d{4,5}(?:-\d{4})?$/.test(all.at(-1) ?? '') ? (all.at(-1) ?? '') : '';
  const words = zip ? all.slice(0, -1) : all;
  if (needsZip && !zip) return undefined;
  for (let count = Math.min(MAX_STATE_WORDS, words.length); count > 0; count--) {
    const State = stateCode(words.slice(-count).join(' '));
    if (State) {
      const City = words.slice(0, -count).join(' ');
      return { ...(City && { City }), State, ...(zip && { Zip: zip }) };
    }
  }
  return undefined;
}

/** Splits a street that contains the whole address: `12 Main Street • Richmond, Virginia 23220`. */
function splitStreet(address: Address): Address {
  const [street = '', ...rest] = (address.Address1 ?? '').split('•').map((part) => part.trim());
  if (!rest.length) return address;
  const locality = readLocality(rest.at(-1) ?? '', false);
  const unit = [...(locality ? rest.slice(0, -1) : rest), address.Address2].filter(Boolean).join(', ');
  return { ...locality, ...address, Address1: street, ...(unit && { Address2: unit }) };
}

/** Splits city, state and zip from the second line: `Richmond VA 23220`. */
function splitSecondLine(address: Address): Address {
  const locality = address.City || !address.Address2 ? undefined : readLocality(address.Address2, true);
  if (!locality?.City) return address;
  const { Address2: _, ...others } = address;
  return { ...locality, ...others };
}

/** Splits off a remark after or in place of a unit: `Unit 4 (RENTAL PROPERTY)`. */
function splitRemark(address: Address): { readonly address: Address; readonly remark: string } {
  const line = address.Address2 ?? '';
  const [found = '', remark = ''] = /\(([^()]+)\)$/.exec(line) ?? [];
  if (!remark) return { address, remark };
  const unit = line.slice(0, -found.length).trimEnd();
  const { Address2: _, ...others } = address;
  return { address: unit ? { ...others, Address2: unit } : others, remark };
}

/** Repairs a postal code from a spreadsheet: `10001.0`, or `2134` in Massachusetts, which is 02134. */
export function readZip(
  zip: string,
  { state, country }: { readonly state: string; readonly country: string },
): { readonly zip: string; readonly loss?: Omit<Loss, 'column'> } {
  if (!isUnitedStates(country)) return { zip };
  if (isCutNumber(zip)) return { zip: '', loss: { reason: `${JSON.stringify(zip)} ${CUT_NUMBER}` } };
  const text = wholeNumber(zip);
  if (!/^\d{3,4}$|^\d{7,8}$|^\d{3,4}-\d{4}$/.test(text)) return { zip: text };
  const whole = withLeadingZeros(text, state);
  if (whole) return { zip: whole, loss: { isStored: true, reason: `${JSON.stringify(zip)} is stored as ${whole}` } };
  return {
    zip: text,
    loss: {
      isStored: true,
      reason: `${JSON.stringify(zip)} is no ZIP code${state && ` of ${state}`}: digits are lost`,
    },
  };
}

/** The address that a row means, and remarks about it. */
export function readAddress(
  written: Address,
  { country, columnOf }: { readonly country: string; readonly columnOf: (field: AddressField) => string },
): { readonly address: Address; readonly remark: string; readonly losses: readonly Loss[] } {
  const { address, remark } = splitRemark(splitSecondLine(splitStreet(written)));
  const State = address.State && (stateCode(address.State) ?? address.State);
  const { zip, loss } = readZip(address.Zip ?? '', { state: State ?? '', country });
  const { Zip: _, ...others } = address;
  return {
    address: { ...others, ...(State && { State }), ...(zip && { Zip: zip }) },
    remark,
    losses: loss ? [{ column: columnOf('Zip'), ...loss }] : [],
  };
}
