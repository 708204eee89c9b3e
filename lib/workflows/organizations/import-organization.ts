import type { OrganizationRecord } from '../../entities/organizations.ts';
import { applyClassInput, classLimitError, findClassByName } from '../../domain/accounting-classes.ts';
import {
  type ImportedAgent,
  type ImportedOrganization,
  applyFileFields,
  applyInvoiceNumbers,
  openingInput,
  operationInput,
  resolveAgents,
  resolveCustomFields,
} from '../../domain/imported-organizations.ts';
import { parseLogo } from '../../domain/branding.ts';
import { applyForecasts } from '../../domain/organizations.ts';
import { countMissed } from '../../domain/leavers.ts';
import { matchAgent } from '../../domain/service-agents.ts';
import { applyTimeOff } from '../../domain/working-hours.ts';
import type { CancelReason } from '../../resources/appointments.ts';
import type { OrganizationInput } from '../../resources/organizations.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { isEqual } from '../../shared/objects.ts';
import { type FieldError, InternalError, prefixErrors } from '../../shared/failure.ts';
import { organizationCountChange } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { chunks } from '../../store/dynamodb/table.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { classChanges, listClasses } from '../../store/organizations/accounting-classes.ts';
import {
  findForecasts,
  findOrganization,
  forecastChange,
  organizationChanges,
} from '../../store/organizations/organizations.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { findInvoiceNumbers, invoiceNumbersChange } from '../../store/sales/invoices.ts';
import { findLogo, logoChange, toLogo } from '../../store/organizations/logos.ts';
import { agentChanges, listAgents } from '../../store/organizations/service-agents.ts';
import { listSettingsWithVersions } from '../../store/settings.ts';
import { writeImportedMessages } from '../messages/import-settings.ts';
import { type WholeOrganization, loadWholeOrganization } from './load-organization.ts';
import type { CalendarRules } from './read-busy-from.ts';
import { planOrganization } from './upsert-organization.ts';
import type { StoreWriter } from '../../store/store.ts';

interface ImportContext {
  readonly store: StoreWriter;
  readonly now: Date;
  /** Adds a sentence to the report of the import. */
  readonly remark?: (sentence: string) => void;
  readonly calendars?: CalendarRules;
}

/** People per transaction: each user takes two changes, and names and postal codes up to 50. */
const MAX_PEOPLE = 20;

/**
 * Writes an organization of a company file in several transactions: the organization with its first people, more
 * people, time off, forecasts, accounting classes. Each sets what the file says, so that it can be repeated. Errors
 * name fields of the file; everything before them is written.
 */
export async function writeImportedOrganization(
  before: OrganizationRecord,
  entry: ImportedOrganization,
  context: ImportContext,
): Promise<FieldError[]> {
  const { store } = context;
  const whole = await loadWholeOrganization(store, before);
  const zone = entry.Timezone || before.Timezone;
  const agents = entry.ServiceAgents ?? [];
  const cancelReasons = await listSettingsWithVersions<CancelReason>(store, 'CancelReason');
  const { organization: applied, errors } = applyFileFields(
    before,
    entry,
    cancelReasons.map(({ Value }) => Value.Reason),
  );
  const logo = await importLogo(context, before.Id, entry.Branding?.Logo);
  errors.push(...logo.errors);
  const organization = logo.name && applied.Branding ? withLogo(applied, logo.name) : applied;
  const definitions = whole.fields.flatMap(({ Value }) => (Value.TableType === 4 ? [Value] : []));
  const customFields = resolveCustomFields(entry, definitions);
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
    loadWholeOrganization(store, (await findOrganization(store, before.Id)) ?? before);
  async function savePeople(list: 'ServiceAgents' | 'Users', people: readonly object[], from: number): Promise<void> {
    for (let first = from; first < people.length; first += MAX_PEOPLE) {
      const some = { [list]: people.slice(first, first + MAX_PEOPLE) };
      const own = await saveOrganization(context, await reload(), some);
      errors.push(...shiftIndexes(own, first));
    }
  }
  await savePeople('ServiceAgents', agents, MAX_PEOPLE);
  const users = resolveAgents(entry.Users ?? [], (await reload()).agents);
  errors.push(...users.errors);
  await savePeople('Users', users.input, 0);
  errors.push(...(await importTimeOff(context, { ...before, Timezone: zone }, agents)));
  await importForecasts(context, before.Id, entry.Forecasts ?? []);
  if (entry.Messages !== undefined)
    await writeImportedMessages(store, { organization: before.Id, input: entry.Messages, now: context.now });
  if (entry.InvoiceNumbers !== undefined) await importInvoiceNumbers(context, before.Id, entry.InvoiceNumbers);
  errors.push(...(await importClasses(context, before.Id, entry.AccountingClasses ?? [])));
  return errors;
}

const withLogo = (organization: OrganizationRecord, Logo: string): OrganizationRecord => ({
  ...organization,
  Branding: { Color: organization.Branding?.Color ?? '', Logo },
});

/** Writes a new logo before the organization refers to it. */
async function importLogo(
  { store }: ImportContext,
  id: number,
  dataUri: string | null | undefined,
): Promise<{ readonly name: string; readonly errors: readonly FieldError[] }> {
  if (!dataUri) return { name: '', errors: [] };
  const parsed = await parseLogo(dataUri);
  if (!parsed.ok) return { name: '', errors: [{ field: 'Branding.Logo', code: 'format', message: parsed.message }] };
  const logo = toLogo(parsed);
  if (!(await findLogo(store, id, logo.name))) await store.table.commit([logoChange(store, id, logo)]);
  return { name: logo.name, errors: [] };
}

/** Maps `ServiceAgents[2]` of a batch that begins at 20 to `ServiceAgents[22]` of the file. */
const shiftIndexes = (errors: readonly FieldError[], first: number): FieldError[] =>
  errors.map((error) => ({
    ...error,
    field: error.field.replace(/\[(\d+)\]/, (_, index: string) => `[${Number(index) + first}]`),
  }));

/** Commits one transaction with an organization and some of its people. */
async function saveOrganization(
  { store, now, remark, calendars }: ImportContext,
  whole: WholeOrganization,
  input: OrganizationInput,
): Promise<FieldError[]> {
  const plan = await planOrganization(store, whole, { input, now, calendars });
  if (plan.kind === 'invalid')
    return plan.errors.map((error) => ({
      ...error,
      message: error.message.replaceAll(/TimeSlots\[\d+\]/g, 'other hours'),
    }));
  if (plan.kind === 'taken')
    return plan.errors.map(({ field, message }) => ({ field, code: 'duplicate', message: `is taken: ${message}` }));
  if (plan.kind === 'forbidden')
    return [{ field: plan.field, code: 'forbidden', message: `is not allowed: ${plan.message}` }];
  const { V, Id } = whole.organization;
  if (plan.changes.length) {
    await store.table.commit(V ? plan.changes : [...plan.changes, organizationCountChange(store)]);
    for (const each of plan.missed) remark?.(`${countMissed(each)}. A task lists them.`);
    return [];
  }
  // Fields that only the file sets may still differ.
  const stored = await findOrganization(store, Id);
  if (stored && !isEqual(stored, whole.organization))
    await store.table.commit(organizationChanges(store, stored, whole.organization).changes);
  return [];
}

/** Replaces the time off of agents that have any in the file. */
async function importTimeOff(
  { store }: ImportContext,
  { Id, Timezone }: OrganizationRecord,
  entries: readonly ImportedAgent[],
): Promise<FieldError[]> {
  if (entries.every(({ TimeOff }) => TimeOff === undefined)) return [];
  const agents = await listAgents(store, Id);
  const errors: FieldError[] = [];
  const changes: Change[] = [];
  for (const [index, entry] of entries.entries()) {
    const agent = matchAgent(agents, entry);
    if (entry.TimeOff === undefined || !agent) continue;
    const { timeOff: TimeOff, errors: own } = applyTimeOff(entry.TimeOff ?? [], Timezone);
    errors.push(...prefixErrors(`ServiceAgents[${index}].TimeOff`, own));
    if (!own.length && !isEqual(agent.TimeOff, TimeOff))
      changes.push(agentChanges(store, agent, { ...agent, TimeOff }).change);
  }
  for (const chunk of chunks(changes, MAX_REQUEST_CHANGES)) {
    const organization = await findOrganization(store, Id);
    if (!organization) throw new InternalError(`account ${store.account} has no organization ${Id}`);
    await store.table.commit([...chunk, ...organizationChanges(store, organization, organization).changes]);
  }
  return errors;
}

/** Months that are not in the file keep their content. */
async function importForecasts(
  { store }: ImportContext,
  organizationId: number,
  forecasts: NonNullable<ImportedOrganization['Forecasts']>,
): Promise<void> {
  const before = await findForecasts(store, organizationId);
  const after = applyForecasts(before.Forecasts, forecasts);
  if (!isEqual(before.Forecasts, after)) await store.table.commit([forecastChange(store, before, after)]);
}

/** Invoices may take numbers at the same time. */
const importInvoiceNumbers = (
  { store }: ImportContext,
  organizationId: number,
  input: (ImportedOrganization['InvoiceNumbers'] & {}) | null,
): Promise<void> =>
  retryOnConflict(async () => {
    const before = await findInvoiceNumbers(store, organizationId);
    const after = applyInvoiceNumbers(before, input);
    if (before.Prefix !== after.Prefix || before.Next !== after.Next)
      await store.table.commit([invoiceNumbersChange(store, before, after)]);
  });

/** Imports accounting classes by name; others do not change. */
async function importClasses(
  { store }: ImportContext,
  organizationId: number,
  entries: NonNullable<ImportedOrganization['AccountingClasses']>,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `AccountingClasses[${index}]`;
    const classes = await listClasses(store, organizationId);
    const before = findClassByName(classes, entry);
    const [Id = 0] = before ? [before.Id] : await reserveIds(store, 'AccountingClass', 1);
    const blank = { Id, OrganizationId: organizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 };
    const { merged, errors: own } = applyClassInput(before ?? blank, entry);
    const tooMany = classLimitError(classes, merged);
    if (tooMany) own.push(tooMany);
    errors.push(...prefixErrors(field, own));
    if (own.length || (before && isEqual(before, merged))) continue;
    const write = await classChanges(store, before, merged);
    if (write.kind === 'ready') {
      await store.table.commit(write.changes);
      continue;
    }
    const [first] = write.taken;
    const owner = classes.find((each) => each.Id === first?.by)?.AccountingClass ?? '';
    errors.push({
      field: `${field}.PostalCodes`,
      code: 'duplicate',
      message: `contains ${first?.code}, which belongs to ${owner}`,
    });
  }
  return errors;
}
