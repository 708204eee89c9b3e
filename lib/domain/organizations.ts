import { type OrganizationRecord, organizationEntity, type OrganizationDetails } from '../entities/organizations.ts';
import { inputNames } from '../entities/declaration/marks.ts';
import type { UserRecord } from '../entities/users.ts';
import type { Address } from '../resources/addresses.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { OrganizationForm, OrganizationInput } from '../resources/organizations.ts';
import type { Forecast } from '../resources/organization-lists.ts';
import { isEmail, splitWords } from '../shared/text/text.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { applyText, applyValue } from '../resources/fields.ts';
import { isFixedZone, isZone, nearestZone, toOptionalUtc } from '../shared/time/time.ts';
import { objectOf, pick } from '../shared/objects.ts';
import { isPhoneText } from '../shared/text/phones.ts';
import { parseMoment } from '../shared/time/read-moments.ts';
import { isWebsite, normalizeWebAddress } from '../shared/web/web-addresses.ts';
import { customFieldsToResource } from './custom-fields.ts';
import { parsePostalCodes, splitPostalCodes } from './postal-ownership.ts';
import { zoneAt } from './postal/localities.ts';
import { userToResource } from './users.ts';

/** Texts that are stored as the caller writes them. */
const { texts: textFields } = inputNames(organizationEntity.fields);

/** An organization of which only `input` is known. */
export const blankOrganization = (
  input: Pick<OrganizationRecord, 'Id' | 'PublicName'> & Partial<OrganizationRecord>,
): OrganizationRecord => organizationEntity.blank({ OrganizationId: input.Id, ...input });

const noAddress: Address = { Address1: '', Address2: '', City: '', State: '', Zip: '' };

function applyAddress(before: Address | null, input: OrganizationInput['StartAddress']): Address | null {
  if (input === undefined) return before;
  if (input === null) return null;
  const texts = Object.entries(input)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, (text ?? '').trim()]);
  return { ...(before ?? noAddress), ...(Object.fromEntries(texts) as Partial<Address>) };
}

/** The zone of a US address, if state and ZIP leave no doubt. */
const zoneOfAddress = (address: Address | null): string | null =>
  address ? zoneAt(address.Zip.slice(0, 5), address.State.toUpperCase()) : null;

/** A date reopens a canceled organization; one that the operator suspended stays suspended. */
function applyOpenSince(
  text: string | null | undefined,
  zone: string,
  before: OrganizationRecord,
): { changed: Partial<OrganizationRecord>; error?: string } {
  if (text === undefined) return { changed: {} };
  if (text === null) return { changed: { OpenSince: null } };
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) return { changed: {}, error: `cannot be read: ${parsed.reason}` };
  const Suspended = before.Suspended && before.CancelDate === null;
  return { changed: { OpenSince: parsed.at, CancelDate: null, Suspended } };
}

function unknownZone(text: string): string {
  const near = nearestZone(text);
  const hint = near === undefined ? '' : `. Did you mean "${near}"?`;
  const fixed = isFixedZone(text) ? `: ${text} has no summer time` : '';
  return `must be the IANA name of a time zone, like America/New_York${fixed}${hint}`;
}

/**
 * Applies a request to the organization's own fields: absent leaves a field, `null` clears it. An organization always
 * has a name, so an empty one is ignored.
 */
export function applyOrganizationInput(
  before: OrganizationRecord,
  input: OrganizationInput,
): { organization: OrganizationRecord; errors: FieldError[] } {
  const StartAddress = applyAddress(before.StartAddress, input.StartAddress);
  const isNew = before.V === 0;
  const Timezone = input.Timezone?.trim() || (isNew && zoneOfAddress(StartAddress)) || before.Timezone;
  const zoneIsKnown = isZone(Timezone) && (!isFixedZone(Timezone) || Timezone === before.Timezone);
  const opening = applyOpenSince(input.OpenSince, zoneIsKnown ? Timezone : before.Timezone, before);
  const postalCodes = parsePostalCodes(splitPostalCodes(input.PostalCodes ?? ''));
  const organization: OrganizationRecord = {
    ...before,
    ...opening.changed,
    ...objectOf(textFields, (name) => applyText(input[name], before[name])),
    Website: normalizeWebAddress(applyText(input.Website, before.Website)),
    PublicName: input.Name?.trim() || before.PublicName,
    LocationID: applyText(input.LocationId, before.LocationID),
    Timezone,
    StartAddress,
    BillingAddress: applyAddress(before.BillingAddress, input.BillingAddress),
    Radius: applyValue(input.Radius, before.Radius, 0),
    SlotSearchWindowDays: applyValue(input.SlotSearchWindowDays, before.SlotSearchWindowDays, 0),
    OpenTimeGranularity: applyValue(input.OpenTimeGranularity, before.OpenTimeGranularity, null),
    PostalCodes: input.PostalCodes === undefined ? before.PostalCodes : postalCodes.codes.join(','),
  };
  const { PublicName, Email, PrimaryPhone, Website } = organization;
  const errors = collectErrors(
    ['Name', !PublicName && 'is required', 'required'],
    ['Email', Email !== '' && !isEmail(Email) && 'must be an e-mail address', 'format'],
    ['PrimaryPhone', PrimaryPhone !== '' && !isPhoneText(PrimaryPhone) && 'must be a phone number', 'format'],
    [
      'Website',
      Website !== '' && !isWebsite(Website) && 'must be a website address, like https://www.example.com',
      'format',
    ],
    ['Timezone', !zoneIsKnown && unknownZone(Timezone), 'unknown_value'],
    ['OpenSince', opening.error, 'format'],
    ['PostalCodes', postalCodes.error, 'format'],
  );
  return { organization, errors };
}

/**
 * A name can be found starting at any of its first words. The number of characters follows from the limit of 1,024
 * bytes per key.
 */
const MAX_PREFIXES = 6;
const MAX_CHARACTERS = 150;

const toPrefix = (words: readonly string[]): string => [...words.join(' ')].slice(0, MAX_CHARACTERS).join('');

const nameFields = ['PublicName', 'InternalName'] as const;
export type NameField = (typeof nameFields)[number];

/** A name starting at one of its words. */
export interface NamePrefix {
  readonly field: NameField;
  /** `green lawn denver`, `lawn denver`, `denver` for `Green Lawn, Denver`. */
  readonly text: string;
  /**
   * A query up to this length also finds a prefix that sorts before this one: for `Smith & Smithson` the prefix
   * `smithson` counts only for queries longer than `smith`. This lists every organization only once.
   */
  readonly shared: number;
}

/** A name for comparing: its folded words. The end is open: `Green La` finds `Green Lawn`. */
export const normalizeName = (name: string): string => toPrefix(splitWords(name));

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function toPrefixes(field: NameField, name: string): NamePrefix[] {
  const words = splitWords(name);
  const texts = words
    .slice(0, MAX_PREFIXES)
    .map((_, index) => toPrefix(words.slice(index)))
    .sort();
  return texts.map((text, index) => ({
    field,
    text,
    shared: Math.max(-1, ...texts.slice(0, index).map((earlier) => sharedLength(earlier, text))),
  }));
}

/** All prefixes by which an organization is found. */
export const namePrefixes = (organization: Pick<OrganizationRecord, NameField>): NamePrefix[] =>
  nameFields.flatMap((field) => toPrefixes(field, organization[field]));

/** Whether a prefix of the name begins with a text from normalizeName. */
export const nameStartsWith = (
  organization: Pick<OrganizationRecord, NameField>,
  field: NameField,
  text: string,
): boolean => toPrefixes(field, organization[field]).some((prefix) => prefix.text.startsWith(text));

/** Records that belong to an organization. */
export interface OrganizationMembers {
  readonly agents: OrganizationForm['ServiceAgents'];
  readonly services: OrganizationForm['Services'];
  readonly users: OrganizationForm['Users'];
  readonly customFields: readonly CustomField[];
}

/** An organization with its people and services, for organizations/create, update, details and cancel. */
export const organizationToForm = (
  record: OrganizationRecord,
  { agents, services, users, customFields }: OrganizationMembers,
): OrganizationForm => ({
  OrganizationId: record.Id,
  LocationId: record.LocationID,
  Name: record.PublicName,
  ...pick(record, ...textFields, 'Timezone', 'StartAddress', 'Radius', 'SlotSearchWindowDays', 'BillingAddress'),
  OpenSince: toOptionalUtc(record.OpenSince),
  OpenTimeGranularity: record.OpenTimeGranularity,
  PostalCodes: record.PostalCodes,
  ServiceAgents: agents,
  Services: services,
  Users: users,
  CustomFields: customFieldsToResource(record.CustomFields, customFields),
});

/** An organization as organizations/query lists it; `users` are those of all listed organizations. */
export function organizationToDetails(
  record: OrganizationRecord,
  { users, customFields }: { users: ReadonlyMap<number, UserRecord>; customFields: readonly CustomField[] },
): OrganizationDetails {
  const manager = record.AccountManagerUserId === null ? undefined : users.get(record.AccountManagerUserId);
  return organizationEntity.toResource(record, {
    Users: record.UserIds.flatMap((id) => users.get(id) ?? []).map(userToResource),
    CustomFields: customFieldsToResource(record.CustomFields, customFields),
    AccountManager: manager ? userToResource(manager) : null,
  });
}

/** An organization's forecasts by month after a request; a Target of 0 removes one. */
export function applyForecasts(before: readonly Forecast[], input: readonly Forecast[]): Forecast[] {
  const month = (forecast: Forecast) => forecast.Year * 12 + forecast.Month;
  const byMonth = new Map([...before, ...input].map((forecast) => [month(forecast), forecast]));
  return [...byMonth.values()].filter(({ Target }) => Target !== 0).sort((a, b) => month(a) - month(b));
}

/** Hides TaxpayerID from everybody but an Owner or Admin. */
export const withVisibleTaxpayer = <Of extends { readonly TaxpayerID: string }>(resource: Of, role: string): Of =>
  role === 'Owner' || role === 'Admin' ? resource : { ...resource, TaxpayerID: '' };
