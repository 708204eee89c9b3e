import * as z from 'zod';
import type { AccountingClassInput } from '../../../lib/domain/accounting-classes.ts';
import type { HolidayInput, TimeOffInput } from '../../../lib/domain/working-hours.ts';
import { Address } from '../../../lib/resources/addresses.ts';
import { date, datetime, text } from '../../../lib/resources/fields.ts';
import { OrganizationForm, type OrganizationInput, ServiceAgent, User } from '../../../lib/resources/organizations.ts';
import { type Resource, resource } from '../../../lib/resources/resource.ts';
import { AccountingClassPostalCodes, type Forecast } from '../../../lib/resources/settings.ts';
import { type FileValue, type Form, type Part, form, listOf, one, own, several, shortened, words } from './form.ts';
import { postalCodes, weeklyHours } from './hours.ts';
import { proposalTemplateForm, serviceForm } from './price-book-forms.ts';

const Holiday = resource('Holiday', () => ({ Date: date(), Name: text(100) }));
const TimeOff = resource('TimeOff', () => ({ From: datetime(), Through: datetime(), Reason: text(200) }));

/** What the file says of an organization beyond organizations/update. */
export interface OrganizationExtras {
  readonly Country?: string | null;
  readonly Region?: string | null;
  readonly BillingPlan?: string | null;
  readonly BillingMethod?: number | null;
  readonly Canceled?: string | null;
  readonly Holidays?: readonly HolidayInput[] | null;
  readonly Forecasts?: readonly Forecast[] | null;
  readonly AccountingClasses?: readonly AccountingClassInput[] | null;
  readonly OwnServices?: readonly FileValue[] | null;
  readonly OwnTemplates?: readonly FileValue[] | null;
}
export type AgentEntry = NonNullable<OrganizationInput['ServiceAgents']>[number] & {
  readonly TimeOff?: readonly TimeOffInput[] | null;
};
export type UserEntry = NonNullable<OrganizationInput['Users']>[number] & {
  readonly MobilePhone?: string | null;
  readonly Agent?: string | null;
};
export type OrganizationEntry = Omit<OrganizationInput, 'ServiceAgents' | 'Users'> &
  OrganizationExtras & {
    readonly ServiceAgents?: readonly AgentEntry[] | null;
    readonly Users?: readonly UserEntry[] | null;
  };

const address = (of: string) =>
  one(
    of,
    form(
      Address,
      { address1: 'Address1', address2: 'Address2', city: 'City', state: 'State', zip: 'Zip' },
      { needs: [] },
    ),
  );

/** Postal codes are one text in operations; here they are a list or a text. */
const codes: Part = {
  of: 'PostalCodes',
  schema: postalCodes,
  read: (value) => value,
  write: (value) => (value ? (value as string).replaceAll(',', ', ') : undefined),
};
const codeList: Part = {
  ...codes,
  read: (value) =>
    (value as string)
      .split(/[,;\n]/)
      .map((code) => code.trim())
      .filter(Boolean),
  write: (value) =>
    (value as readonly string[] | undefined)?.length ? (value as readonly string[]).join(', ') : undefined,
};

/** Values of custom fields by their names. */
const customValues: Part = {
  of: 'CustomFields',
  schema: () =>
    z.record(
      z.string(),
      z.union(
        [z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()],
        'must be text, a number, true or false, or a list of texts',
      ),
    ),
  read: (value) => Object.entries(value as object).map(([Name, Value]: [string, unknown]) => ({ Name, Value })),
  write(value) {
    const fields = (value ?? []) as { Name: string; Value: unknown }[];
    return fields.length ? Object.fromEntries(fields.map(({ Name, Value }) => [Name, Value])) : undefined;
  },
};

/** `2026: [12000, 12000, …]`: twelve targets, January's first; 0 is none. */
const forecasts: Part = {
  of: 'Forecasts',
  schema: () => {
    const targets = z
      .array(
        z.number('must be a number').min(0, 'must be 0 or more').max(1e12).nullable(),
        'must be a list of targets, January first',
      )
      .max(12, 'must have at most 12 elements');
    return z.record(
      z.string().regex(/^(19|20|21)\d\d$/, 'must be a year'),
      targets,
      'must be years, each with its targets',
    );
  },
  read: (value) =>
    Object.entries(value as Record<string, (number | null)[]>).flatMap(([year, targets]) =>
      targets.map((Target, index): Forecast => ({ Year: Number(year), Month: index + 1, Target: Target ?? 0 })),
    ),
  write(value) {
    const years = Map.groupBy((value ?? []) as readonly Forecast[], ({ Year }) => Year);
    const targets = (months: readonly Forecast[]) =>
      Array.from(
        { length: Math.max(...months.map(({ Month }) => Month)) },
        (_, index) => months.find(({ Month }) => Month === index + 1)?.Target ?? 0,
      );
    return years.size ? Object.fromEntries([...years].map(([year, months]) => [year, targets(months)])) : undefined;
  },
};

const agent = form(ServiceAgent, {
  name: 'Name',
  email: 'Email',
  mobilePhone: 'MobilePhone',
  startDate: 'StartDate',
  endDate: 'EndDate',
  hours: weeklyHours,
  timeOff: several(
    'TimeOff',
    form(TimeOff, { from: 'From', through: 'Through', reason: 'Reason' }, { needs: ['from'] }),
  ),
});

const user = form(User, {
  name: 'Name',
  email: 'Email',
  role: 'Role',
  active: { of: 'Active', default: true },
  mobilePhone: own('MobilePhone', text(50)),
  agent: own('Agent', text(200)),
});

const accountingClass = form(AccountingClassPostalCodes, {
  name: 'AccountingClass',
  territoryId: 'TerritoryID',
  postalCodes: codeList,
});

/** Entries that are brought in later, with the price book: until then they stay as the file has them. */
const entriesOf = (of: string, form: Form<Resource>): Part => ({
  of,
  schema: () => listOf(form.schema(), form.key),
  read: (value) => value,
  write: (value) =>
    (value as readonly FileValue[] | undefined)?.length
      ? (value as readonly FileValue[]).map((entry) => shortened(entry, form.key))
      : undefined,
});

/** An organization with its people, as the company file says it. */
export const organizationForm = form(OrganizationForm, {
  name: 'Name',
  locationId: 'LocationId',
  internalName: 'InternalName',
  legalEntityName: 'LegalEntityName',
  taxpayerId: 'TaxpayerID',
  openSince: 'OpenSince',
  canceled: own('Canceled', datetime()),
  phone: 'PrimaryPhone',
  email: 'Email',
  website: 'Website',
  country: own('Country', text(2), 'US'),
  timeZone: 'Timezone',
  region: own('Region', text(100)),
  startAddress: address('StartAddress'),
  billingAddress: address('BillingAddress'),
  billingPlan: own('BillingPlan', text(100)),
  billingMethod: words('BillingMethod', ['Invoice', 'Card', 'Bank debit']),
  radius: 'Radius',
  slotSearchWindowDays: 'SlotSearchWindowDays',
  openTimeGranularity: 'OpenTimeGranularity',
  customFields: customValues,
  holidays: several('Holidays', form(Holiday, { date: 'Date', name: 'Name' }, { needs: ['date'] })),
  forecasts,
  agents: several('ServiceAgents', agent),
  users: several('Users', user),
  accountingClasses: several('AccountingClasses', accountingClass),
  postalCodes: codes,
  services: entriesOf('OwnServices', serviceForm),
  proposalTemplates: entriesOf('OwnTemplates', proposalTemplateForm),
});
