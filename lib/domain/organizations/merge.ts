import type { Address } from '../../resources/addresses.ts';
import type { OrganizationInput } from '../../resources/organizations.ts';
import { isEmail } from '../emails.ts';
import type { Fault } from '../faults.ts';
import { parseMoment } from '../moments-in.ts';
import { organizationTexts, type OrganizationRecord } from '../organizations.ts';
import { isPhoneText } from '../phone-text.ts';
import { postalCodesOf, postalFault, splitPostalCodes } from '../postal-lists.ts';
import { zoneOf } from '../postal/zones.ts';
import { isWebsite } from '../web-addresses.ts';
import { isZone } from '../zones.ts';

const noAddress: Address = { Address1: '', Address2: '', City: '', State: '', Zip: '' };

function mergeAddress(address: Address | null, given: OrganizationInput['StartAddress']): Address | null {
  if (given === undefined) return address;
  if (given === null) return null;
  const texts = Object.entries(given).filter(([, text]) => text !== undefined).map(([name, text]) => [name, (text ?? '').trim()]);
  return { ...(address ?? noAddress), ...(Object.fromEntries(texts) as Partial<Address>) };
}

/** The zone of a US address, where its state and ZIP leave no doubt. */
const zoneOfAddress = (address: Address | null): string | null => (address ? zoneOf(address.Zip.slice(0, 5), address.State.toUpperCase()) : null);

/** OpenSince given opens a canceled organization again. */
function opened(organization: OrganizationRecord, text: string | null | undefined, zone: string): { opened: OrganizationRecord; fault?: string } {
  if (text === undefined) return { opened: organization };
  if (text === null) return { opened: { ...organization, OpenSince: null } };
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) return { opened: organization, fault: `cannot be read: ${parsed.reason}` };
  return { opened: { ...organization, OpenSince: parsed.at, CancelDate: null, Suspended: false } };
}

/** An organization with what a request brings of its own fields laid over it: absent means unchanged, `null` clears. */
export function mergeOrganization(organization: OrganizationRecord, given: OrganizationInput): { organization: OrganizationRecord; faults: Fault[] } {
  const text = (value: string | null | undefined, was: string) => (value === undefined ? was : (value ?? '').trim());
  const texts = Object.fromEntries(organizationTexts.map((name) => [name, text(given[name], organization[name])])) as Pick<OrganizationRecord, (typeof organizationTexts)[number]>;
  const StartAddress = mergeAddress(organization.StartAddress, given.StartAddress);
  const isNew = organization.V === 0;
  const Timezone = given.Timezone?.trim() || ((isNew && zoneOfAddress(StartAddress)) || organization.Timezone);
  const zoned = isZone(Timezone);
  const { codes, wrong } = postalCodesOf(splitPostalCodes(given.PostalCodes ?? ''));
  const open = opened(organization, given.OpenSince, zoned ? Timezone : organization.Timezone);
  const merged: OrganizationRecord = {
    ...open.opened,
    ...texts,
    PublicName: text(given.Name, organization.PublicName),
    LocationID: text(given.LocationId, organization.LocationID),
    Timezone,
    StartAddress,
    BillingAddress: mergeAddress(organization.BillingAddress, given.BillingAddress),
    Radius: given.Radius === undefined ? organization.Radius : (given.Radius ?? 0),
    SlotSearchWindowDays: given.SlotSearchWindowDays === undefined ? organization.SlotSearchWindowDays : (given.SlotSearchWindowDays ?? 0),
    OpenTimeGranularity: given.OpenTimeGranularity === undefined ? organization.OpenTimeGranularity : given.OpenTimeGranularity,
    PostalCodes: given.PostalCodes === undefined ? organization.PostalCodes : codes.join(','),
  };
  const said = (field: string, message: string | undefined | false) => (message ? [{ field, message }] : []);
  const faults = [
    ...said('Name', !merged.PublicName && 'is required'),
    ...said('Email', merged.Email !== '' && !isEmail(merged.Email) && 'must be an e-mail address'),
    ...said('PrimaryPhone', merged.PrimaryPhone !== '' && !isPhoneText(merged.PrimaryPhone) && 'must be a phone number'),
    ...said('Website', merged.Website !== '' && !isWebsite(merged.Website) && 'must be the address of a website, like https://www.example.com'),
    ...said('Timezone', !zoned && 'must be the IANA name of a time zone, like America/New_York'),
    ...said('OpenSince', open.fault),
    ...said('PostalCodes', postalFault(wrong)),
  ];
  return { organization: merged, faults };
}
