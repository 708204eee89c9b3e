import { type OrganizationRecord, blankOrganization, organizationToForm } from '../../../lib/domain/organizations.ts';
import { serviceAgentToResource } from '../../../lib/domain/service-agents.ts';
import { userToResource } from '../../../lib/domain/users.ts';
import { applyHolidays, describeTimeOff } from '../../../lib/domain/working-hours.ts';
import type { OrganizationInput } from '../../../lib/resources/organizations.ts';
import { type FieldError, prefixErrors } from '../../../lib/shared/field-errors.ts';
import { parseMoment } from '../../../lib/shared/read-moments.ts';
import { fold } from '../../../lib/shared/text.ts';
import { listClasses } from '../../../lib/store/accounting-classes.ts';
import { organizationCountChange } from '../../../lib/store/accounts.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import {
  findForecasts,
  findOrganization,
  listOrganizations,
  organizationChanges,
} from '../../../lib/store/organizations.ts';
import {
  type WholeOrganization,
  loadWholeOrganization,
} from '../../../lib/workflows/organizations/load-organization.ts';
import { planOrganization } from '../../../lib/workflows/organizations/upsert-organization.ts';
import type { Section, SectionFault, Stage, Target } from './section.ts';
import { importClasses, importForecasts, importTimeOff } from './belongings.ts';
import type { FileValue } from './form.ts';
import { type OrganizationEntry, type OrganizationExtras, organizationForm } from './organization-form.ts';
import { momentText, sameSecond } from './people.ts';
import { ownBooks } from './price-book.ts';

async function shown(
  target: Target,
  organization: OrganizationRecord,
  book: Record<string, readonly FileValue[]>,
): Promise<FileValue> {
  const { table, account } = target;
  const [{ agents, users, fields }, classes, { Forecasts }] = await Promise.all([
    loadWholeOrganization(table, account, organization),
    listClasses(table, account, organization.Id),
    findForecasts(table, account, organization.Id),
  ]);
  const { Timezone, Country, Region, BillingPlan, BillingMethod, OpenSince, CancelDate, Holidays } = organization;
  const people = {
    ServiceAgents: agents.map((agent) => ({
      ...serviceAgentToResource(agent),
      TimeOff: agent.TimeOff.map((stretch) => describeTimeOff(stretch, Timezone)),
    })),
    Users: users.map((user) => ({
      ...userToResource(user),
      MobilePhone: user.MobilePhone,
      Agent: agents.find(({ Id }) => Id === user.ServiceAgentId)?.Name ?? '',
    })),
  };
  return organizationForm.write({
    ...organizationToForm(organization, {
      agents: [],
      services: [],
      users: [],
      customFields: fields.map(({ Value }) => Value),
    }),
    ...people,
    Country,
    Region,
    BillingPlan,
    BillingMethod,
    Holidays,
    Forecasts,
    OpenSince: OpenSince === null ? null : momentText(OpenSince, Timezone),
    Canceled: CancelDate === null ? null : momentText(CancelDate, Timezone),
    AccountingClasses: classes,
    OwnServices: book['services'],
    OwnTemplates: book['proposalTemplates'],
  });
}

/** The organization with what no operation sets. */
function withExtras(
  organization: OrganizationRecord,
  input: OrganizationExtras,
): { organization: OrganizationRecord; errors: FieldError[] } {
  const { Timezone } = organization;
  const holidays =
    input.Holidays === undefined
      ? { holidays: organization.Holidays, errors: [] }
      : applyHolidays(input.Holidays ?? [], Timezone);
  const canceled = input.Canceled ? parseMoment(input.Canceled, Timezone) : undefined;
  const country = (input.Country ?? 'US').toUpperCase();
  const ended = canceled?.ok
    ? {
        CancelDate: sameSecond(organization.CancelDate, canceled.at) ? organization.CancelDate : canceled.at,
        Suspended: true,
      }
    : input.Canceled === null
      ? { CancelDate: null, Suspended: false }
      : {};
  return {
    organization: {
      ...organization,
      Country: input.Country === undefined ? organization.Country : country,
      Region: input.Region === undefined ? organization.Region : (input.Region ?? ''),
      BillingPlan: input.BillingPlan === undefined ? organization.BillingPlan : (input.BillingPlan ?? ''),
      BillingMethod: input.BillingMethod === undefined ? organization.BillingMethod : (input.BillingMethod ?? 0),
      Holidays: holidays.holidays,
      ...ended,
    },
    errors: [
      ...prefixErrors('Holidays', holidays.errors),
      ...(canceled && !canceled.ok ? [{ field: 'Canceled', message: `cannot be read: ${canceled.reason}` }] : []),
      ...(/^[A-Z]{2}$/.test(country)
        ? []
        : [{ field: 'Country', message: 'must be two letters, as ISO 3166 has them' }]),
    ],
  };
}

/** CustomField.Type of numbers and checkboxes; the values of all others are text, also where YAML sees a number. */
const NO_TEXT = [1, 3, 5];

/** Values for custom fields, which are defined in the file's own list of them. */
function customFields(
  { fields }: WholeOrganization,
  { CustomFields }: OrganizationEntry,
): { values: Pick<OrganizationEntry, 'CustomFields'>; errors: FieldError[] } {
  if (!CustomFields) return { values: {}, errors: [] };
  const known = fields.flatMap(({ Value }) => (Value.TableType === 4 ? [Value] : []));
  const errors: FieldError[] = [];
  const values = CustomFields.map(({ Name, Value }) => {
    const field = known.find((each) => fold(each.Name) === fold(Name ?? ''));
    if (!field)
      errors.push({ field: 'CustomFields', message: `has ${Name}, which is no custom field of organizations` });
    return { Name, Value: field && !NO_TEXT.includes(field.Type) && typeof Value === 'number' ? String(Value) : Value };
  });
  return { values: { CustomFields: values }, errors };
}

/** People of one transaction: each user takes two changes, and names and postal codes up to 50. */
const PEOPLE_AT_ONCE = 20;

async function upsert(target: Target, whole: WholeOrganization, input: OrganizationInput): Promise<FieldError[]> {
  const { table, account, now } = target;
  const result = await planOrganization(table, account, whole, { input, now });
  if (result.kind === 'invalid') return [...result.errors];
  if (result.kind === 'taken') return [{ field: result.field, message: `is taken: ${result.message}` }];
  const { V, Id } = whole.organization;
  if (result.changes.length)
    await table.commit(V ? result.changes : [...result.changes, organizationCountChange(account)]);
  else {
    // What only the file sets may have changed all the same.
    const stored = await findOrganization(table, account, Id);
    if (stored && JSON.stringify(stored) !== JSON.stringify(whole.organization))
      await table.commit(organizationChanges(account, stored, whole.organization).changes);
  }
  return [];
}

/** The people that users are given as service agents, by name. */
function agentIds(
  { agents }: WholeOrganization,
  entry: OrganizationEntry,
): { users: NonNullable<OrganizationEntry['Users']>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const users = (entry.Users ?? []).map(({ Agent, ...user }, index) => {
    const agent = Agent ? agents.find(({ Name }) => fold(Name) === fold(Agent)) : undefined;
    if (Agent && !agent)
      errors.push({
        field: `Users[${index}].Agent`,
        message: `must be a service agent of the organization, which ${Agent} is not`,
      });
    return { ...user, ...(Agent === undefined ? {} : { ServiceAgentId: agent?.Id ?? null }) };
  });
  return { users, errors };
}

async function bringOrganization(
  target: Target,
  was: OrganizationRecord,
  entry: OrganizationEntry,
): Promise<FieldError[]> {
  const { table, account } = target;
  const {
    Country: _,
    Region: __,
    BillingPlan: ___,
    BillingMethod: ____,
    Canceled: _____,
    Holidays: ______,
    Forecasts,
    AccountingClasses,
    ServiceAgents,
    Users,
    OpenSince,
    OwnServices: _______,
    OwnTemplates: ________,
    ...input
  } = entry;
  const whole = await loadWholeOrganization(table, account, was);
  const zoned = { ...was, ...(input.Timezone ? { Timezone: input.Timezone } : {}) };
  const { organization, errors } = withExtras(was, entry);
  const opened = OpenSince ? parseMoment(OpenSince, zoned.Timezone) : undefined;
  // OpenSince opens a canceled organization again; one that says what is so already does not.
  const opening = OpenSince === undefined || (opened?.ok && sameSecond(opened.at, was.OpenSince)) ? {} : { OpenSince };
  const custom = customFields(whole, entry);
  const first = {
    ...input,
    ...opening,
    ...custom.values,
    ServiceAgents: (ServiceAgents ?? []).slice(0, PEOPLE_AT_ONCE),
  };
  errors.push(...custom.errors, ...(await upsert(target, { ...whole, organization }, first)));
  if (errors.length) return errors;

  const now = async (): Promise<WholeOrganization> =>
    loadWholeOrganization(table, account, (await findOrganization(table, account, was.Id)) ?? was);
  for (let at = PEOPLE_AT_ONCE; at < (ServiceAgents?.length ?? 0); at += PEOPLE_AT_ONCE) {
    const more = await upsert(target, await now(), {
      ServiceAgents: (ServiceAgents ?? []).slice(at, at + PEOPLE_AT_ONCE),
    });
    errors.push(
      ...more.map(({ field, message }) => ({
        field: field.replace(/\[(\d+)\]/, (_, index: string) => `[${Number(index) + at}]`),
        message,
      })),
    );
  }
  const { users, errors: unknown } = agentIds(await now(), { Users: Users ?? [] });
  errors.push(...unknown);
  for (let at = 0; at < users.length; at += PEOPLE_AT_ONCE) {
    const more = await upsert(target, await now(), { Users: users.slice(at, at + PEOPLE_AT_ONCE) });
    errors.push(
      ...more.map(({ field, message }) => ({
        field: field.replace(/\[(\d+)\]/, (_, index: string) => `[${Number(index) + at}]`),
        message,
      })),
    );
  }
  errors.push(...(await importTimeOff(target, zoned, ServiceAgents ?? [])));
  await importForecasts(target, was.Id, Forecasts ?? []);
  errors.push(...(await importClasses(target, was.Id, AccountingClasses ?? [])));
  return errors;
}

/**
 * The organization that an account begins with, as long as nobody has touched it: the first of a file takes its place.
 */
const untouched = (organizations: readonly OrganizationRecord[]): OrganizationRecord | undefined =>
  organizations.length === 1 && organizations[0]?.V === 1 && !organizations[0].UserIds.length
    ? organizations[0]
    : undefined;

const section: Section = {
  key: 'organizations',
  noun: 'organization',
  entry: organizationForm.schema,
  async show(target) {
    const own = await ownBooks(target);
    return Promise.all(
      (await listOrganizations(target.table, target.account)).map((organization) =>
        shown(target, organization, own(organization)),
      ),
    );
  },
};

/** Organizations with everything of their own but their services, which need the price book. */
export const organizationStage: Stage = {
  sections: [section],
  async bring(target, entries) {
    const { table, account, now } = target;
    const errors: SectionFault[] = [];
    const input = entries.get(section.key) ?? [];
    const stored = await listOrganizations(target.table, target.account);
    const named = (name: unknown) => stored.find(({ PublicName }) => fold(PublicName) === fold(String(name).trim()));
    let free = input.some(({ name }) => named(name)) ? undefined : untouched(stored);
    const [home = blankOrganization({ Id: 1, PublicName: '' })] = stored;
    for (const [index, entry] of input.entries()) {
      const known = named(entry['name']) ?? free;
      free = undefined;
      const [Id = 0] = known ? [known.Id] : await reserveIds(table, account, 'Organization', 1);
      const was =
        known ??
        blankOrganization({
          Id,
          PublicName: '',
          Timezone: home.Timezone,
          Country: home.Country,
          Created: now.getTime(),
        });
      const own = await bringOrganization(target, was, organizationForm.read(entry) as OrganizationEntry);
      errors.push(
        ...own.map(({ field, message }) => ({ path: [section.key, index, ...organizationForm.place(field)], message })),
      );
    }
    return errors;
  },
};
