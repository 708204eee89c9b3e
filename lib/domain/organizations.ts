import type { Address } from '../resources/addresses.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { OrganizationDetails, OrganizationForm, OrganizationInput } from '../resources/organizations.ts';
import type { Forecast } from '../resources/settings.ts';
import { isEmail } from '../shared/emails.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { toUtc } from '../shared/format-moments.ts';
import { isPhoneText } from '../shared/phones.ts';
import { parseMoment } from '../shared/read-moments.ts';
import { splitWords } from '../shared/text.ts';
import { isWebsite } from '../shared/web-addresses.ts';
import { isZone } from '../shared/zones.ts';
import { type CustomValue, customFieldsToResource } from './custom-fields.ts';
import { parsePostalCodes, postalCodeError, splitPostalCodes } from './postal-ownership.ts';
import { zoneAt } from './postal/zones.ts';
import { type UserRecord, userToResource } from './users.ts';
import type { Holiday } from './working-hours.ts';

/** Texts of an organization that a caller gives and that are kept as typed. */
export const organizationTexts = [
  'InternalName',
  'LegalEntityName',
  'TaxpayerID',
  'PrimaryPhone',
  'Email',
  'Website',
] as const;

type Texts = Readonly<Record<(typeof organizationTexts)[number], string>>;

/** A location of an account as it is kept. `Timezone` is an IANA name; moments in milliseconds since 1970. */
export interface OrganizationRecord extends Texts {
  readonly Id: number;
  /** Its own id, by which its events are filtered. */
  readonly OrganizationId: number;
  readonly PublicName: string;
  readonly LocationID: string;
  readonly Timezone: string;
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  readonly Country: string;
  readonly OpenSince: number | null;
  readonly StartAddress: Address | null;
  /** Miles from StartAddress. */
  readonly Radius: number;
  /** Days a slot search looks ahead; 0 for the default of 14. */
  readonly SlotSearchWindowDays: number;
  readonly BillingAddress: Address | null;
  /** Minutes between the starts that are offered; null for 30. */
  readonly OpenTimeGranularity: number | null;
  /**
   * Normalised and comma-separated. All organizations of an account together have each code once, so that even long
   * lists stay small.
   */
  readonly PostalCodes: string;
  readonly CancelDate: number | null;
  /** Its keys are refused. */
  readonly Suspended: boolean;
  readonly TrialExpirationDate: number | null;
  readonly BillingPlan: string;
  readonly BillingMethod: number;
  readonly AccountManagerUserId: number | null;
  readonly Region: string;
  readonly CustomFields: readonly CustomValue[];
  /** By date; nobody works then. Only the company file sets them. */
  readonly Holidays: readonly Holiday[];
  /**
   * Its users, oldest first: each new one and each new service agent makes a new version of the organization, which
   * guards their names.
   */
  readonly UserIds: readonly number[];
  readonly Created: number;
  readonly V: number;
}

/** An organization of which only what is given is known. */
export function blankOrganization(
  input: Pick<OrganizationRecord, 'Id' | 'PublicName'> & Partial<OrganizationRecord>,
): OrganizationRecord {
  return {
    OrganizationId: input.Id,
    InternalName: '',
    LegalEntityName: '',
    TaxpayerID: '',
    PrimaryPhone: '',
    Email: '',
    Website: '',
    LocationID: '',
    Timezone: 'America/New_York',
    Country: 'US',
    OpenSince: null,
    StartAddress: null,
    Radius: 0,
    SlotSearchWindowDays: 0,
    BillingAddress: null,
    OpenTimeGranularity: null,
    PostalCodes: '',
    CancelDate: null,
    Suspended: false,
    TrialExpirationDate: null,
    BillingPlan: '',
    BillingMethod: 0,
    AccountManagerUserId: null,
    Region: '',
    CustomFields: [],
    Holidays: [],
    UserIds: [],
    Created: 0,
    V: 0,
    ...input,
  };
}

const noAddress: Address = { Address1: '', Address2: '', City: '', State: '', Zip: '' };

function mergeAddress(address: Address | null, input: OrganizationInput['StartAddress']): Address | null {
  if (input === undefined) return address;
  if (input === null) return null;
  const texts = Object.entries(input)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, (text ?? '').trim()]);
  return { ...(address ?? noAddress), ...(Object.fromEntries(texts) as Partial<Address>) };
}

/** The zone of a US address, where its state and ZIP leave no doubt. */
const zoneOfAddress = (address: Address | null): string | null =>
  address ? zoneAt(address.Zip.slice(0, 5), address.State.toUpperCase()) : null;

/** OpenSince given opens a canceled organization again. */
function opened(
  organization: OrganizationRecord,
  text: string | null | undefined,
  zone: string,
): { opened: OrganizationRecord; fault?: string } {
  if (text === undefined) return { opened: organization };
  if (text === null) return { opened: { ...organization, OpenSince: null } };
  const parsed = parseMoment(text, zone);
  if (!parsed.ok) return { opened: organization, fault: `cannot be read: ${parsed.reason}` };
  return { opened: { ...organization, OpenSince: parsed.at, CancelDate: null, Suspended: false } };
}

/** An organization with what a request brings of its own fields laid over it: absent means unchanged, `null` clears. */
export function applyOrganizationInput(
  organization: OrganizationRecord,
  input: OrganizationInput,
): { organization: OrganizationRecord; errors: FieldError[] } {
  const text = (value: string | null | undefined, was: string) => (value === undefined ? was : (value ?? '').trim());
  const texts = Object.fromEntries(
    organizationTexts.map((name) => [name, text(input[name], organization[name])]),
  ) as Pick<OrganizationRecord, (typeof organizationTexts)[number]>;
  const StartAddress = mergeAddress(organization.StartAddress, input.StartAddress);
  const isNew = organization.V === 0;
  const Timezone = input.Timezone?.trim() || (isNew && zoneOfAddress(StartAddress)) || organization.Timezone;
  const zoned = isZone(Timezone);
  const { codes, wrong } = parsePostalCodes(splitPostalCodes(input.PostalCodes ?? ''));
  const open = opened(organization, input.OpenSince, zoned ? Timezone : organization.Timezone);
  const merged: OrganizationRecord = {
    ...open.opened,
    ...texts,
    PublicName: text(input.Name, organization.PublicName),
    LocationID: text(input.LocationId, organization.LocationID),
    Timezone,
    StartAddress,
    BillingAddress: mergeAddress(organization.BillingAddress, input.BillingAddress),
    Radius: input.Radius === undefined ? organization.Radius : (input.Radius ?? 0),
    SlotSearchWindowDays:
      input.SlotSearchWindowDays === undefined ? organization.SlotSearchWindowDays : (input.SlotSearchWindowDays ?? 0),
    OpenTimeGranularity:
      input.OpenTimeGranularity === undefined ? organization.OpenTimeGranularity : input.OpenTimeGranularity,
    PostalCodes: input.PostalCodes === undefined ? organization.PostalCodes : codes.join(','),
  };
  const said = (field: string, message: string | undefined | false) => (message ? [{ field, message }] : []);
  const errors = [
    ...said('Name', !merged.PublicName && 'is required'),
    ...said('Email', merged.Email !== '' && !isEmail(merged.Email) && 'must be an e-mail address'),
    ...said(
      'PrimaryPhone',
      merged.PrimaryPhone !== '' && !isPhoneText(merged.PrimaryPhone) && 'must be a phone number',
    ),
    ...said(
      'Website',
      merged.Website !== '' &&
        !isWebsite(merged.Website) &&
        'must be the address of a website, like https://www.example.com',
    ),
    ...said('Timezone', !zoned && 'must be the IANA name of a time zone, like America/New_York'),
    ...said('OpenSince', open.fault),
    ...said('PostalCodes', postalCodeError(wrong)),
  ];
  return { organization: merged, errors };
}

/** Words of a name from which on it can be found, and characters that count: keys have at most 1,024 bytes. */
const MAX_STARTS = 6;
const MAX_CHARACTERS = 150;

const cut = (words: readonly string[]): string => [...words.join(' ')].slice(0, MAX_CHARACTERS).join('');

/** Both names of an organization, as organizations/query asks for them. */
const namedBy = ['PublicName', 'InternalName'] as const;
export type NamedBy = (typeof namedBy)[number];

/** A name from one of its words on, by which it is found. */
export interface NameStart {
  readonly field: NamedBy;
  /** `green lawn denver`, `lawn denver`, `denver` of `Green Lawn, Denver`. */
  readonly text: string;
  /**
   * A text as short as this finds the name by a start that sorts before this one too: of `Smith & Smithson` the start `smithson` counts only for what is
   * longer than `smith`. So every organization is in a list once, however it is found.
   */
  readonly shared: number;
}

/** A name to compare: its folded words. The end is left open, so that `Green La` finds `Green Lawn`. */
export const normalizeName = (name: string): string => cut(splitWords(name));

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function startsOf(field: NamedBy, name: string): NameStart[] {
  const words = splitWords(name);
  const texts = words
    .slice(0, MAX_STARTS)
    .map((_, index) => cut(words.slice(index)))
    .sort();
  return texts.map((text, index) => ({
    field,
    text,
    shared: Math.max(-1, ...texts.slice(0, index).map((before) => sharedLength(before, text))),
  }));
}

/** Every start by which an organization is found. */
export const namePrefixes = (organization: Pick<OrganizationRecord, NamedBy>): NameStart[] =>
  namedBy.flatMap((field) => startsOf(field, organization[field]));

/** Whether a start of the name begins with the text asked for, as `nameText` gives it. */
export const nameStartsWith = (
  organization: Pick<OrganizationRecord, NamedBy>,
  field: NamedBy,
  text: string,
): boolean => startsOf(field, organization[field]).some((start) => start.text.startsWith(text));

const momentOf = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** What belongs to an organization and is kept beside it. */
export interface OrganizationMembers {
  readonly agents: OrganizationForm['ServiceAgents'];
  readonly services: OrganizationForm['Services'];
  readonly users: OrganizationForm['Users'];
  readonly customFields: readonly CustomField[];
}

/** An organization with its people and services, as organizations/create, update, details and cancel answer it. */
export function organizationToForm(
  record: OrganizationRecord,
  { agents, services, users, customFields }: OrganizationMembers,
): OrganizationForm {
  const {
    InternalName,
    LegalEntityName,
    TaxpayerID,
    PrimaryPhone,
    Email,
    Website,
    Timezone,
    StartAddress,
    Radius,
    SlotSearchWindowDays,
    BillingAddress,
  } = record;
  return {
    OrganizationId: record.Id,
    LocationId: record.LocationID,
    Name: record.PublicName,
    InternalName,
    LegalEntityName,
    TaxpayerID,
    OpenSince: momentOf(record.OpenSince),
    PrimaryPhone,
    Email,
    Website,
    Timezone,
    StartAddress,
    Radius,
    SlotSearchWindowDays,
    BillingAddress,
    OpenTimeGranularity: record.OpenTimeGranularity,
    PostalCodes: record.PostalCodes,
    ServiceAgents: agents,
    Services: services,
    Users: users,
    CustomFields: customFieldsToResource(record.CustomFields, customFields),
  };
}

/** An organization as organizations/query lists it; `users` are those of all the organizations listed. */
export function organizationToDetails(
  record: OrganizationRecord,
  { users, customFields }: { users: ReadonlyMap<number, UserRecord>; customFields: readonly CustomField[] },
): OrganizationDetails {
  const {
    OrganizationId: _,
    V: __,
    Created: ___,
    Country: ____,
    OpenSince: _____,
    SlotSearchWindowDays: ______,
    UserIds,
    AccountManagerUserId,
    ...details
  } = record;
  const manager = AccountManagerUserId === null ? undefined : users.get(AccountManagerUserId);
  return {
    ...details,
    CancelDate: momentOf(record.CancelDate),
    TrialExpirationDate: momentOf(record.TrialExpirationDate),
    Users: UserIds.flatMap((id) => users.get(id) ?? []).map(userToResource),
    CustomFields: customFieldsToResource(record.CustomFields, customFields),
    AccountManager: manager ? userToResource(manager) : null,
  };
}

/** The forecasts of an organization after others are laid over them, by month; a Target of 0 is none. */
export function applyForecasts(before: readonly Forecast[], input: readonly Forecast[]): Forecast[] {
  const key = ({ Year, Month }: Forecast) => Year * 12 + Month;
  const byMonth = new Map([...before, ...input].map((forecast) => [key(forecast), forecast]));
  return [...byMonth.values()].filter(({ Target }) => Target !== 0).sort((a, b) => key(a) - key(b));
}
