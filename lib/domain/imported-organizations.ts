import type { ServiceAgentRecord } from '../entities/service-agents.ts';
import type { InvoiceNumbersRecord, OrganizationRecord } from '../entities/organizations.ts';
import type { CustomField } from '../resources/custom-fields.ts';
import type { OrganizationInput } from '../resources/organizations.ts';
import type { Forecast } from '../resources/organization-lists.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { applyValue } from '../resources/fields.ts';
import { omit } from '../shared/objects.ts';
import { didYouMean } from '../shared/text/suggestions.ts';
import { fold } from '../shared/text/text.ts';
import { isSameSecond, parseMoment } from '../shared/time/read-moments.ts';
import type { AccountingClassInput } from './accounting-classes.ts';
import { type CalendarSettingsInput, applyCalendarSettings } from './calendar-feed.ts';
import { type ArrivalWindowInput, applyArrivalWindows } from './scheduling/arrival-windows.ts';
import { type BookingSettingsInput, type BrandingInput, applyBookingSettings, applyBranding } from './branding.ts';
import type { MessageSettingsInput } from './messages/apply-settings.ts';
import { type HolidayInput, type TimeOffInput, applyHolidays } from './working-hours.ts';

export type ImportedAgent = NonNullable<OrganizationInput['ServiceAgents']>[number] & {
  readonly TimeOff?: readonly TimeOffInput[] | null;
};
export type ImportedUser = NonNullable<OrganizationInput['Users']>[number] & {
  readonly MobilePhone?: string | null;
  readonly Agent?: string | null;
};

/** Fields of the file that organizations/update does not accept. */
interface FileFields {
  readonly Country?: string | null;
  readonly Region?: string | null;
  readonly BillingPlan?: string | null;
  readonly BillingMethod?: number | null;
  readonly Canceled?: string | null;
  readonly Holidays?: readonly HolidayInput[] | null;
  readonly ArrivalWindows?: readonly ArrivalWindowInput[] | null;
  readonly Branding?: BrandingInput | null;
  readonly Booking?: BookingSettingsInput | null;
  readonly Calendar?: CalendarSettingsInput | null;
  readonly ApplyCredit?: boolean | null;
  readonly Forecasts?: readonly Forecast[] | null;
  readonly Messages?: MessageSettingsInput | null;
  readonly InvoiceNumbers?: { readonly Prefix?: string | null; readonly Next?: number | null } | null;
  readonly AccountingClasses?: readonly AccountingClassInput[] | null;
  readonly OwnServices?: unknown;
  readonly OwnTemplates?: unknown;
}

/** An organization of a company file, with everything except its price book. */
export interface ImportedOrganization extends Omit<OrganizationInput, 'ServiceAgents' | 'Users'>, FileFields {
  readonly ServiceAgents?: readonly ImportedAgent[] | null;
  readonly Users?: readonly ImportedUser[] | null;
}

/** The organization that came with a new account and that nobody has changed: the first one of a file replaces it. */
export const findUntouched = (organizations: readonly OrganizationRecord[]): OrganizationRecord | undefined =>
  organizations.length === 1 && organizations[0]?.V === 1 && !organizations[0].UserIds.length
    ? organizations[0]
    : undefined;

/** The fields that organizations/update accepts, without people. */
export const operationInput = (entry: ImportedOrganization): OrganizationInput =>
  omit(
    entry,
    ...(['Country', 'Region', 'BillingPlan', 'BillingMethod', 'Canceled', 'Holidays', 'Forecasts'] as const),
    ...(['ArrivalWindows', 'Branding', 'Booking', 'Calendar', 'InvoiceNumbers', 'ApplyCredit', 'Messages'] as const),
    ...(['AccountingClasses', 'OwnServices', 'OwnTemplates', 'ServiceAgents', 'Users', 'OpenSince'] as const),
  );

/** OpenSince reopens a canceled organization, so an unchanged value is left out. */
export function openingInput(
  before: OrganizationRecord,
  { OpenSince }: ImportedOrganization,
  zone: string,
): OrganizationInput {
  const opened = OpenSince ? parseMoment(OpenSince, zone) : undefined;
  const isEqualMoment = opened?.ok && isSameSecond(opened.at, before.OpenSince);
  return OpenSince === undefined || isEqualMoment ? {} : { OpenSince };
}

/**
 * Applies the invoice numbering of a file: a known prefix continues from its current number unless the file is ahead,
 * so that a file can be imported again. `null` ends numbering.
 */
export function applyInvoiceNumbers(
  before: Pick<InvoiceNumbersRecord, 'Prefix' | 'Next'>,
  input: NonNullable<FileFields['InvoiceNumbers']> | null,
): Pick<InvoiceNumbersRecord, 'Prefix' | 'Next'> {
  if (!input) return { Prefix: '', Next: null };
  const [Prefix, next] = [input.Prefix ?? '', input.Next ?? 1];
  return { Prefix, Next: Prefix === before.Prefix ? Math.max(before.Next ?? 1, next) : next };
}

/** Applies the fields that no operation sets. `cancelReasons` are those of the account. */
export function applyFileFields(
  before: OrganizationRecord,
  input: FileFields,
  cancelReasons: readonly string[],
): { organization: OrganizationRecord; errors: FieldError[] } {
  const { holidays, errors } =
    input.Holidays === undefined ? { holidays: before.Holidays, errors: [] } : applyHolidays(input.Holidays ?? []);
  const arrival = applyArrivalWindows(before.ArrivalWindows, input.ArrivalWindows);
  const { branding, errors: brandingErrors } = applyBranding(before.Branding, input.Branding);
  const { settings, errors: bookingErrors } = applyBookingSettings(before, input.Booking, cancelReasons);
  const Country = applyValue(input.Country, before.Country, 'US').toUpperCase();
  const canceled = input.Canceled ? parseMoment(input.Canceled, before.Timezone) : undefined;
  const isCanceled = canceled?.ok && {
    CancelDate: isSameSecond(before.CancelDate, canceled.at) ? before.CancelDate : canceled.at,
    Suspended: true,
  };
  return {
    organization: {
      ...before,
      Country,
      Region: applyValue(input.Region, before.Region, ''),
      BillingPlan: applyValue(input.BillingPlan, before.BillingPlan, ''),
      BillingMethod: applyValue(input.BillingMethod, before.BillingMethod, 0),
      Holidays: holidays,
      ArrivalWindows: arrival.windows,
      Branding: branding,
      ...settings,
      Calendar: applyCalendarSettings(before.Calendar, input.Calendar),
      ApplyCredit: applyValue(input.ApplyCredit, before.ApplyCredit, false),
      ...(isCanceled || (input.Canceled === null ? { CancelDate: null, Suspended: false } : {})),
    },
    errors: [
      ...prefixErrors('Holidays', errors),
      ...prefixErrors('ArrivalWindows', arrival.errors),
      ...prefixErrors('Branding', brandingErrors),
      ...prefixErrors('Booking', bookingErrors),
      ...collectErrors(
        ['Canceled', canceled && !canceled.ok && `cannot be read: ${canceled.reason}`, 'format'],
        [
          'Country',
          input.Country !== undefined && !/^[A-Z]{2}$/.test(Country) && 'must be two letters (ISO 3166), like US',
          'format',
        ],
      ),
    ],
  };
}

/**
 * The CustomField.Type of numbers, checkboxes and lists; values of all other types are text, even if YAML reads a
 * number.
 */
const NOT_TEXT = [1, 3, 5];

/** Resolves values of custom fields that the account defines. */
export function resolveCustomFields(
  { CustomFields }: ImportedOrganization,
  known: readonly CustomField[],
): { input: OrganizationInput; errors: FieldError[] } {
  if (!CustomFields) return { input: {}, errors: [] };
  const names = known.map(({ Name }) => Name);
  const errors: FieldError[] = [];
  const values = CustomFields.map(({ Name, Value }, index) => {
    const definition = known.find((each) => fold(each.Name) === fold(Name ?? ''));
    const message = `is not a custom field of organizations. ${didYouMean(Name ?? '', names)}`.trim();
    if (!definition) errors.push({ field: `CustomFields[${index}]`, code: 'not_found', message });
    const isText = definition && !NOT_TEXT.includes(definition.Type);
    return { Name, Value: isText && typeof Value === 'number' ? String(Value) : Value };
  });
  return { input: { CustomFields: values }, errors };
}

function describeUnknownAgent(name: string, agents: readonly ServiceAgentRecord[]): string {
  const names = agents.map(({ Name }) => Name);
  const hint = didYouMean(name, names);
  return `must be a service agent of the organization; ${name} is not${hint && `. ${hint}`}`;
}

/** Replaces the service agents that users name by their ids. */
export function resolveAgents(
  users: readonly ImportedUser[],
  agents: readonly ServiceAgentRecord[],
): { input: NonNullable<OrganizationInput['Users']>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const input = users.map(({ Agent, ...user }, index) => {
    const agent = Agent ? agents.find(({ Name }) => fold(Name) === fold(Agent)) : undefined;
    if (Agent && !agent)
      errors.push({ field: `Users[${index}].Agent`, code: 'not_found', message: describeUnknownAgent(Agent, agents) });
    return { ...user, ...(Agent === undefined ? {} : { ServiceAgentId: agent?.Id ?? null }) };
  });
  return { input, errors };
}
