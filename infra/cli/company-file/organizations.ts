import { applyClassInput, classLimitError, findClassByName } from '../../../lib/domain/accounting-classes.ts';
import {
  type OrganizationRecord,
  applyForecasts,
  blankOrganization,
  organizationToForm,
} from '../../../lib/domain/organizations.ts';
import { type ServiceAgentRecord, matchAgent, serviceAgentToResource } from '../../../lib/domain/service-agents.ts';
import { userToResource } from '../../../lib/domain/users.ts';
import { applyHolidays, applyTimeOff, describeTimeOff } from '../../../lib/domain/working-hours.ts';
import type { OrganizationInput } from '../../../lib/resources/organizations.ts';
import { isEqual } from '../../../lib/shared/equality.ts';
import { type FieldError, applyValue, collectErrors, prefixErrors } from '../../../lib/shared/field-errors.ts';
import { omit } from '../../../lib/shared/objects.ts';
import { parseMoment } from '../../../lib/shared/time/read-moments.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import { classChanges, listClasses } from '../../../lib/store/organizations/accounting-classes.ts';
import { organizationCountChange } from '../../../lib/store/accounts/accounts.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import {
  findForecasts,
  findOrganization,
  forecastChange,
  listOrganizations,
  organizationChanges,
} from '../../../lib/store/organizations/organizations.ts';
import { agentChanges, listAgents } from '../../../lib/store/organizations/service-agents.ts';
import {
  type WholeOrganization,
  loadWholeOrganization,
} from '../../../lib/workflows/organizations/load-organization.ts';
import { planOrganization } from '../../../lib/workflows/organizations/upsert-organization.ts';
import { findByPublicName, formatMoment, isSameSecond } from './directory.ts';
import type { Entry } from './entry-format.ts';
import {
  type AgentEntry,
  type FileOnlyFields,
  type OrganizationEntry,
  type UserEntry,
  organizationFormat,
} from './organization-format.ts';
import { loadOrganizationBooks } from './price-book.ts';
import { type PathError, type Section, type SectionGroup, type AccountContext, toPathErrors } from './section.ts';

async function exportOrganization(
  { table, account }: AccountContext,
  organization: OrganizationRecord,
  book: Record<string, readonly Entry[]>,
): Promise<Entry> {
  const [{ agents, users, fields }, classes, { Forecasts }] = await Promise.all([
    loadWholeOrganization(table, account, organization),
    listClasses(table, account, organization.Id),
    findForecasts(table, account, organization.Id),
  ]);
  const { Timezone, Country, Region, BillingPlan, BillingMethod, OpenSince, CancelDate, Holidays } = organization;
  const customFields = fields.map(({ Value }) => Value);
  const toText = (at: number | null) => (at === null ? null : formatMoment(at, Timezone));
  return organizationFormat.toEntry({
    ...organizationToForm(organization, { agents: [], services: [], users: [], customFields }),
    Country,
    Region,
    BillingPlan,
    BillingMethod,
    Holidays,
    Forecasts,
    OpenSince: toText(OpenSince),
    Canceled: toText(CancelDate),
    ServiceAgents: agents.map((agent) => ({
      ...serviceAgentToResource(agent),
      TimeOff: agent.TimeOff.map((each) => describeTimeOff(each, Timezone)),
    })),
    Users: users.map((user) => ({
      ...userToResource(user),
      MobilePhone: user.MobilePhone,
      Agent: agents.find(({ Id }) => Id === user.ServiceAgentId)?.Name ?? '',
    })),
    AccountingClasses: classes,
    OwnServices: book['services'],
    OwnTemplates: book['proposalTemplates'],
  });
}

const section: Section = {
  key: 'organizations',
  noun: 'organization',
  format: organizationFormat,
  async exportEntries(context) {
    const getBook = await loadOrganizationBooks(context);
    const organizations = await listOrganizations(context.table, context.account);
    return Promise.all(
      organizations.map((organization) => exportOrganization(context, organization, getBook(organization))),
    );
  },
};

/** Organizations with everything but their own services and proposal templates, which need the price book. */
export const organizationGroup: SectionGroup = {
  sections: [section],
  async importEntries(context, run) {
    const { table, account, now } = context;
    const input = () => run.entries.get(section.key) ?? [];
    let stored = await listOrganizations(table, account);
    const [{ Timezone, Country } = blankOrganization({ Id: 1, PublicName: '' })] = stored;
    const untouched = input().some(({ name }) => findByPublicName(stored, name)) ? undefined : findUntouched(stored);
    // One after another: the first of two that want the same postal code has it.
    for (let index = 0; index < input().length;) {
      const entry = input()[index] ?? {};
      let before = findByPublicName(stored, entry['name']) ?? (index === 0 ? untouched : undefined);
      if (!before) {
        const [Id = 0] = await reserveIds(table, account, 'Organization', 1);
        before = blankOrganization({ Id, PublicName: '', Timezone, Country, Created: now.getTime() });
      }
      const own = await importOrganization(context, before, organizationFormat.toInput(entry) as OrganizationEntry);
      if (own.length) {
        run.reject(toPathErrors([section.key, index], organizationFormat, own).map(nameCustomField(entry)));
        // A part of it is planned already.
        stored = await listOrganizations(table, account);
      } else index++;
    }
  },
};

/** Custom fields are a mapping in the file: `customFields[2].Value` is `customFields.Trucks`. */
const nameCustomField =
  (entry: Entry) =>
  (error: PathError): PathError => {
    const [list, index, field, place] = error.path;
    if (field !== 'customFields' || typeof place !== 'number') return error;
    const name = Object.keys(entry[field] as object)[place] ?? '';
    return { ...error, path: [list ?? '', index ?? 0, field, name] };
  };

/** The organization of a new account while nobody has changed it: the first of a file replaces it. */
const findUntouched = (organizations: readonly OrganizationRecord[]): OrganizationRecord | undefined =>
  organizations.length === 1 && organizations[0]?.V === 1 && !organizations[0].UserIds.length
    ? organizations[0]
    : undefined;

/** People in one transaction: each user takes two changes, and names and postal codes up to 50. */
const MAX_PEOPLE = 20;

async function importOrganization(
  context: AccountContext,
  before: OrganizationRecord,
  entry: OrganizationEntry,
): Promise<FieldError[]> {
  const { table, account } = context;
  const whole = await loadWholeOrganization(table, account, before);
  const zone = entry.Timezone || before.Timezone;
  const agents = entry.ServiceAgents ?? [];
  const { organization, errors } = applyFileOnlyFields(before, entry);
  const customFields = resolveCustomFields(whole, entry);
  errors.push(...customFields.errors);
  const input = {
    ...operationInput(entry),
    ...openingInput(before, entry, zone),
    ...customFields.input,
    ServiceAgents: agents.slice(0, MAX_PEOPLE),
  };
  errors.push(...(await saveOrganization(context, { ...whole, organization }, input)));
  if (errors.length) return errors;

  const reload = async (): Promise<WholeOrganization> =>
    loadWholeOrganization(table, account, (await findOrganization(table, account, before.Id)) ?? before);
  async function savePeople(list: 'ServiceAgents' | 'Users', people: readonly object[], from: number): Promise<void> {
    for (let first = from; first < people.length; first += MAX_PEOPLE) {
      const some = { [list]: people.slice(first, first + MAX_PEOPLE) };
      const own = await saveOrganization(context, await reload(), some);
      errors.push(...shiftIndexes(own, first));
    }
  }
  await savePeople('ServiceAgents', agents, MAX_PEOPLE);
  const users = resolveAgents(await reload(), entry.Users ?? []);
  errors.push(...users.errors);
  await savePeople('Users', users.input, 0);
  errors.push(...(await importTimeOff(context, { ...before, Timezone: zone }, agents)));
  await importForecasts(context, before.Id, entry.Forecasts ?? []);
  errors.push(...(await importClasses(context, before.Id, entry.AccountingClasses ?? [])));
  return errors;
}

/** The fields that organizations/update takes, without people. */
const operationInput = (entry: OrganizationEntry): OrganizationInput =>
  omit(
    entry,
    ...(['Country', 'Region', 'BillingPlan', 'BillingMethod', 'Canceled', 'Holidays', 'Forecasts'] as const),
    ...(['AccountingClasses', 'OwnServices', 'OwnTemplates', 'ServiceAgents', 'Users', 'OpenSince'] as const),
  );

/** OpenSince reopens a canceled organization, so an equal one is left out. */
function openingInput(before: OrganizationRecord, { OpenSince }: OrganizationEntry, zone: string): OrganizationInput {
  const opened = OpenSince ? parseMoment(OpenSince, zone) : undefined;
  const isEqualMoment = opened?.ok && isSameSecond(opened.at, before.OpenSince);
  return OpenSince === undefined || isEqualMoment ? {} : { OpenSince };
}

/** `ServiceAgents[2]` of a batch that begins at 20 is `ServiceAgents[22]` of the file. */
const shiftIndexes = (errors: readonly FieldError[], first: number): FieldError[] =>
  errors.map(({ field, message }) => ({
    field: field.replace(/\[(\d+)\]/, (_, index: string) => `[${Number(index) + first}]`),
    message,
  }));

/** Applies the fields that no operation sets. */
function applyFileOnlyFields(
  before: OrganizationRecord,
  input: FileOnlyFields,
): { organization: OrganizationRecord; errors: FieldError[] } {
  const { holidays, errors } =
    input.Holidays === undefined ? { holidays: before.Holidays, errors: [] } : applyHolidays(input.Holidays ?? []);
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
      ...(isCanceled || (input.Canceled === null ? { CancelDate: null, Suspended: false } : {})),
    },
    errors: [
      ...prefixErrors('Holidays', errors),
      ...collectErrors(
        ['Canceled', canceled && !canceled.ok && `cannot be read: ${canceled.reason}`],
        [
          'Country',
          input.Country !== undefined && !/^[A-Z]{2}$/.test(Country) && 'must be two letters (ISO 3166), like US',
        ],
      ),
    ],
  };
}

/**
 * CustomField.Type of numbers, checkboxes and lists; values of other types are text, also where YAML reads a number.
 */
const NOT_TEXT = [1, 3, 5];

/** Values of custom fields that the account defines. */
function resolveCustomFields(
  { fields }: WholeOrganization,
  { CustomFields }: OrganizationEntry,
): { input: OrganizationInput; errors: FieldError[] } {
  if (!CustomFields) return { input: {}, errors: [] };
  const known = fields.flatMap(({ Value }) => (Value.TableType === 4 ? [Value] : []));
  const names = known.map(({ Name }) => Name);
  const errors: FieldError[] = [];
  const values = CustomFields.map(({ Name, Value }, index) => {
    const definition = known.find((each) => fold(each.Name) === fold(Name ?? ''));
    const message = `is not a custom field of organizations. ${didYouMean(Name ?? '', names)}`.trim();
    if (!definition) errors.push({ field: `CustomFields[${index}]`, message });
    const isText = definition && !NOT_TEXT.includes(definition.Type);
    return { Name, Value: isText && typeof Value === 'number' ? String(Value) : Value };
  });
  return { input: { CustomFields: values }, errors };
}

/** Commits one transaction with an organization and some of its people. */
async function saveOrganization(
  { table, account, now }: AccountContext,
  whole: WholeOrganization,
  input: OrganizationInput,
): Promise<FieldError[]> {
  const plan = await planOrganization(table, account, whole, { input, now });
  if (plan.kind === 'invalid')
    return plan.errors.map(({ field, message }) => ({
      field,
      message: message.replaceAll(/TimeSlots\[\d+\]/g, 'other hours'),
    }));
  if (plan.kind === 'taken')
    return plan.errors.map(({ field, message }) => ({ field, message: `is taken: ${message}` }));
  if (plan.kind === 'forbidden') return [{ field: plan.field, message: `is not allowed: ${plan.message}` }];
  const { V, Id } = whole.organization;
  if (plan.changes.length) {
    await table.commit(V ? plan.changes : [...plan.changes, organizationCountChange(account)]);
    return [];
  }
  // Fields that only the file sets may differ all the same.
  const stored = await findOrganization(table, account, Id);
  if (stored && !isEqual(stored, whole.organization))
    await table.commit(organizationChanges(account, stored, whole.organization).changes);
  return [];
}

function describeUnknownAgent(name: string, agents: readonly ServiceAgentRecord[]): string {
  const names = agents.map(({ Name }) => Name);
  const hint = didYouMean(name, names);
  return `must be a service agent of the organization; ${name} is not${hint && `. ${hint}`}`;
}

/** Users with the id of the service agent that they name. */
function resolveAgents(
  { agents }: WholeOrganization,
  users: readonly UserEntry[],
): { input: NonNullable<OrganizationInput['Users']>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const input = users.map(({ Agent, ...user }, index) => {
    const agent = Agent ? agents.find(({ Name }) => fold(Name) === fold(Agent)) : undefined;
    if (Agent && !agent) errors.push({ field: `Users[${index}].Agent`, message: describeUnknownAgent(Agent, agents) });
    return { ...user, ...(Agent === undefined ? {} : { ServiceAgentId: agent?.Id ?? null }) };
  });
  return { input, errors };
}

/** Replaces the time off of the agents that have any in the file. */
async function importTimeOff(
  { table, account }: AccountContext,
  { Id, Timezone }: OrganizationRecord,
  entries: readonly AgentEntry[],
): Promise<FieldError[]> {
  if (entries.every(({ TimeOff }) => TimeOff === undefined)) return [];
  const agents = await listAgents(table, account, Id);
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    const agent = matchAgent(agents, entry);
    if (entry.TimeOff === undefined || !agent) continue;
    const { timeOff: TimeOff, errors: own } = applyTimeOff(entry.TimeOff ?? [], Timezone);
    errors.push(...prefixErrors(`ServiceAgents[${index}].TimeOff`, own));
    if (!own.length && !isEqual(agent.TimeOff, TimeOff))
      await table.commit([agentChanges(account, agent, { ...agent, TimeOff }).change]);
  }
  return errors;
}

/** Months that are not in the file keep their context. */
async function importForecasts(
  { table, account }: AccountContext,
  organizationId: number,
  forecasts: NonNullable<OrganizationEntry['Forecasts']>,
): Promise<void> {
  const before = await findForecasts(table, account, organizationId);
  const after = applyForecasts(before.Forecasts, forecasts);
  if (!isEqual(before.Forecasts, after)) await table.commit([forecastChange(account, before, after)]);
}

/** Accounting classes by name; others do not change. */
async function importClasses(
  { table, account }: AccountContext,
  organizationId: number,
  entries: NonNullable<OrganizationEntry['AccountingClasses']>,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `AccountingClasses[${index}]`;
    const classes = await listClasses(table, account, organizationId);
    const before = findClassByName(classes, entry);
    const [Id = 0] = before ? [before.Id] : await reserveIds(table, account, 'AccountingClass', 1);
    const blank = { Id, OrganizationId: organizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 };
    const { merged, errors: own } = applyClassInput(before ?? blank, entry);
    const tooMany = classLimitError(classes, merged);
    if (tooMany) own.push(tooMany);
    errors.push(...prefixErrors(field, own));
    if (own.length || (before && isEqual(before, merged))) continue;
    const write = await classChanges(table, account, before, merged);
    if (write.kind === 'ready') {
      await table.commit(write.changes);
      continue;
    }
    const [first] = write.taken;
    const owner = classes.find((each) => each.Id === first?.by)?.AccountingClass ?? '';
    errors.push({ field: `${field}.PostalCodes`, message: `contains ${first?.code}, which belongs to ${owner}` });
  }
  return errors;
}
