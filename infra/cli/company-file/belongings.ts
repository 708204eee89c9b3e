import { type AccountingClassInput, mergeClass, namedClass } from '../../../lib/domain/accounting-classes.ts';
import { type OrganizationRecord, mergeForecasts } from '../../../lib/domain/organizations.ts';
import { namedAgent } from '../../../lib/domain/service-agents.ts';
import { timeOffOf } from '../../../lib/domain/working-hours.ts';
import type { Forecast } from '../../../lib/resources/settings.ts';
import { type FieldError, under } from '../../../lib/shared/field-errors.ts';
import { listClasses, writeClass } from '../../../lib/store/accounting-classes.ts';
import { leaseIds } from '../../../lib/store/dynamodb/ids.ts';
import { findForecasts, forecastChange } from '../../../lib/store/organizations.ts';
import { listAgents, writeAgent } from '../../../lib/store/service-agents.ts';
import type { Target } from '../company/section.ts';
import type { AgentEntry } from './organization-form.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Agents' time off; what is given is all there is then. */
export async function bringTimeOff(
  { table, account }: Target,
  { Id, Timezone }: OrganizationRecord,
  given: readonly AgentEntry[],
): Promise<FieldError[]> {
  if (given.every(({ TimeOff }) => TimeOff === undefined)) return [];
  const agents = await listAgents(table, account, Id);
  const faults: FieldError[] = [];
  for (const [index, entry] of given.entries()) {
    const agent = namedAgent(agents, entry);
    if (entry.TimeOff === undefined || !agent) continue;
    const { stretches: TimeOff, faults: own } = timeOffOf(entry.TimeOff ?? [], Timezone);
    faults.push(...under(`ServiceAgents[${index}].TimeOff`, own));
    if (!own.length && !same(agent.TimeOff, TimeOff))
      await table.commit([writeAgent(account, agent, { ...agent, TimeOff }).change]);
  }
  return faults;
}

/** What an organization aims at; months not given stay. */
export async function bringForecasts(
  { table, account }: Target,
  organizationId: number,
  given: readonly Forecast[],
): Promise<void> {
  const before = await findForecasts(table, account, organizationId);
  const after = mergeForecasts(before.Forecasts, given);
  if (!same(before.Forecasts, after)) await table.commit([forecastChange(account, before, after)]);
}

/** Accounting classes by name; those not named stay. */
export async function bringClasses(
  { table, account }: Target,
  organizationId: number,
  given: readonly AccountingClassInput[],
): Promise<FieldError[]> {
  const faults: FieldError[] = [];
  for (const [index, entry] of given.entries()) {
    const classes = await listClasses(table, account, organizationId);
    const before = namedClass(classes, entry);
    const [Id = 0] = before ? [before.Id] : await leaseIds(table, account, 'AccountingClass', 1);
    const blank = { Id, OrganizationId: organizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 };
    const { merged, faults: own } = mergeClass(before ?? blank, entry);
    const at = `AccountingClasses[${index}]`;
    faults.push(...under(at, own));
    if (own.length || (before && same(before, merged))) continue;
    const write = await writeClass(table, account, before, merged);
    if (write.kind === 'ready') await table.commit(write.changes);
    else {
      const [first] = write.taken;
      const owner = classes.find((each) => each.Id === first?.by)?.AccountingClass ?? '';
      faults.push({
        field: `${at}.PostalCodes`,
        message: `has ${first?.code}, which is booked under ${owner} already`,
      });
    }
  }
  return faults;
}
