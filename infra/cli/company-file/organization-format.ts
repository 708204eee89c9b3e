import { AccountingClassPostalCodes } from '../../../lib/entities/postal-codes.ts';
import { ServiceAgent } from '../../../lib/entities/service-agents.ts';
import { ServiceDetailed } from '../../../lib/entities/services.ts';
import { User } from '../../../lib/entities/users.ts';
import * as z from 'zod';
import { BOOKING_DEFAULTS } from '../../../lib/domain/branding.ts';
import { CALENDAR_DEFAULTS } from '../../../lib/domain/calendar-feed.ts';
import { Address } from '../../../lib/resources/addresses.ts';
import { date, moment, flag, int32, list, nullable, resource, text } from '../../../lib/resources/fields.ts';
import { OrganizationForm } from '../../../lib/resources/organizations.ts';
import type { Forecast } from '../../../lib/resources/organization-lists.ts';
import { pick } from '../../../lib/shared/objects.ts';
import {
  type FieldFormat,
  entryField,
  entryFormat,
  extraField,
  fields,
  listField,
  rawRowsField,
  replacedEntryField,
  rowsField,
  wordField,
} from './entry-format.ts';
import { postalCodes, weeklyHours } from './hours.ts';
import { messagesField } from './messages.ts';
import { proposalTemplateFormat, serviceFormat } from './price-book-formats.ts';

const Holiday = resource('Holiday', () => ({ Date: date(), Name: text(100) }));
const ArrivalWindow = resource('ArrivalWindow', () => ({ From: text(5), Through: text(5) }));
const Branding = resource('Branding', () => ({ Color: text(20), Logo: text(200_000) }));
const ClientCancelReason = resource('ClientCancelReason', () => ({
  En: text(200),
  Es: text(200),
  CancelReason: text(200),
}));
const Booking = resource('Booking', () => ({
  Origins: list(text(200), 20),
  CancelHours: nullable(int32(0, 8_760)),
  ConfirmHours: nullable(int32(0, 720)),
  StrangerShare: nullable(int32(0, 100)),
  ShowTechnician: nullable(flag()),
  VerifyAbove: nullable(int32(0)),
  DrivesAddToBuffers: flag(),
  ...pick(ServiceDetailed.shape(), 'MinimumNotice', 'MinimumNoticeDays', 'HorizonDays'),
  LimitKeys: flag(),
}));
const Calendar = resource('Calendar', () => ({ Phones: nullable(flag()), Notes: nullable(flag()) }));
const InvoiceNumbers = resource('InvoiceNumbers', () => ({ Prefix: text(20), Next: int32(1) }));
const TimeOff = resource('TimeOff', () => ({ From: moment(), Through: moment(), Reason: text(200) }));

const address = entryFormat(Address, fields('address1 address2 city state zip'), { required: [] });

/** A list or one text in the file, one text in the API. */
const codes: FieldFormat = {
  field: 'PostalCodes',
  schema: postalCodes,
  toInput: (value) => value,
  toFile: (value) => (value ? (value as string).replaceAll(',', ', ') : undefined),
};
/** A list or one text in the file, a list in the API. */
const codeList: FieldFormat = {
  ...codes,
  toInput: (value) =>
    (value as string)
      .split(/[,;\n]/)
      .map((code) => code.trim())
      .filter(Boolean),
  toFile: (value) => (value as readonly string[] | undefined)?.join(', ') || undefined,
};

/** Values of custom fields, by the names of the fields. */
const customValues: FieldFormat = {
  field: 'CustomFields',
  keepsPath: true,
  schema: () =>
    z.record(
      z.string(),
      z.union(
        [z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()],
        'must be text, a number, true or false, or a list of texts',
      ),
    ),
  toInput: (value) => Object.entries(value as object).map(([Name, Value]: [string, unknown]) => ({ Name, Value })),
  toFile(value) {
    const values = (value ?? []) as { Name: string; Value: unknown }[];
    return values.length ? Object.fromEntries(values.map(({ Name, Value }) => [Name, Value])) : undefined;
  },
  restoreKey: (was) => was ?? null,
};

/** `2026: [12000, 12000, …]`: the targets of a year, January first; 0 means no target. */
const forecasts: FieldFormat = {
  field: 'Forecasts',
  schema: () => {
    const target = z.number('must be a number').min(0, 'must be 0 or more').max(1e12).nullable();
    return z.record(
      z.string().regex(/^(19|20|21)\d\d$/, 'must be a year'),
      z.array(target, 'must be a list of targets, January first').max(12, 'must have at most 12 elements'),
      'must be years, each with its targets',
    );
  },
  toInput: (value) =>
    Object.entries(value as Record<string, (number | null)[]>).flatMap(([year, targets]) =>
      targets.map((Target, index): Forecast => ({ Year: Number(year), Month: index + 1, Target: Target ?? 0 })),
    ),
  toFile(value) {
    const years = Map.groupBy((value ?? []) as readonly Forecast[], ({ Year }) => Year);
    const targets = (months: readonly Forecast[]) =>
      Array.from(
        { length: Math.max(...months.map(({ Month }) => Month)) },
        (_, index) => months.find(({ Month }) => Month === index + 1)?.Target ?? 0,
      );
    return years.size ? Object.fromEntries([...years].map(([year, months]) => [year, targets(months)])) : undefined;
  },
  restoreKey: (was) => Array.from({ length: 12 }, (_, month) => (was as readonly number[] | undefined)?.[month] ?? 0),
};

const holiday = entryFormat(Holiday, fields('date name'), { required: ['date'] });
const arrivalWindow = entryFormat(ArrivalWindow, fields('from through'), { required: ['from', 'through'] });
const timeOff = entryFormat(TimeOff, fields('from through reason'), { required: ['from'] });
const branding = entryFormat(Branding, fields('color logo'), { required: [] });
const clientCancelReason = entryFormat(ClientCancelReason, fields('en es cancelReason'), { required: ['en'] });
const booking = entryFormat(
  Booking,
  {
    ...fields('origins cancelHours verifyAbove drivesAddToBuffers'),
    ...fields('minimumNotice minimumNoticeDays horizonDays limitKeys'),
    cancelReasons: listField('CancelReasons', clientCancelReason),
    confirmHours: { field: 'ConfirmHours', default: BOOKING_DEFAULTS.ConfirmHours },
    strangerShare: { field: 'StrangerShare', default: BOOKING_DEFAULTS.StrangerShare },
    showTechnician: { field: 'ShowTechnician', default: BOOKING_DEFAULTS.ShowTechnician },
  },
  { required: [] },
);
const calendar = entryFormat(
  Calendar,
  {
    phones: { field: 'Phones', default: CALENDAR_DEFAULTS.Phones },
    notes: { field: 'Notes', default: CALENDAR_DEFAULTS.Notes },
  },
  { required: [] },
);
const invoiceNumbers = entryFormat(InvoiceNumbers, fields('prefix next'), { required: ['next'] });
const agent = entryFormat(ServiceAgent, {
  ...fields('name email mobilePhone startDate endDate busyFrom'),
  hours: weeklyHours,
  timeOff: listField('TimeOff', timeOff),
});
const user = entryFormat(User, {
  ...fields('name email role'),
  active: { field: 'Active', default: true },
  mobilePhone: extraField('MobilePhone', text(50)),
  agent: extraField('Agent', text(200)),
});
const accountingClass = entryFormat(AccountingClassPostalCodes, {
  name: 'AccountingClass',
  territoryId: 'TerritoryID',
  postalCodes: codeList,
});

/** An organization with its people. */
export const organizationFormat = entryFormat(OrganizationForm, {
  ...fields('name locationId internalName legalEntityName'),
  taxpayerId: 'TaxpayerID',
  openSince: 'OpenSince',
  canceled: extraField('Canceled', moment()),
  phone: 'PrimaryPhone',
  ...fields('email website'),
  country: extraField('Country', text(2), 'US'),
  timeZone: 'Timezone',
  region: extraField('Region', text(100)),
  startAddress: entryField('StartAddress', address),
  billingAddress: entryField('BillingAddress', address),
  billingPlan: extraField('BillingPlan', text(100)),
  billingMethod: wordField('BillingMethod', ['Invoice', 'Card', 'Bank debit']),
  ...fields('radius slotSearchWindowDays openTimeGranularity'),
  customFields: customValues,
  holidays: listField('Holidays', holiday),
  arrivalWindows: listField('ArrivalWindows', arrivalWindow),
  branding: entryField('Branding', branding),
  booking: entryField('Booking', booking),
  calendar: entryField('Calendar', calendar),
  applyCredit: extraField('ApplyCredit', flag(), false),
  invoiceNumbers: replacedEntryField('InvoiceNumbers', invoiceNumbers),
  messages: messagesField,
  forecasts,
  agents: rowsField('ServiceAgents', { noun: 'service agent', format: agent }),
  users: rowsField('Users', { noun: 'user', format: user, identity: ({ email, name }) => String(email || name) }),
  accountingClasses: rowsField('AccountingClasses', { noun: 'accounting class', format: accountingClass }),
  postalCodes: codes,
  services: rawRowsField('OwnServices', { noun: 'service', format: serviceFormat }),
  proposalTemplates: rawRowsField('OwnTemplates', { noun: 'proposal template', format: proposalTemplateFormat }),
});
