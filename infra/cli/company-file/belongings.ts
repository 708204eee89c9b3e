import { type AccountingClassInput, applyClassInput, findClassByName } from '../../../lib/domain/accounting-classes.ts';
import { type OrganizationRecord, applyForecasts } from '../../../lib/domain/organizations.ts';
import { matchAgent } from '../../../lib/domain/service-agents.ts';
import { applyTimeOff } from '../../../lib/domain/working-hours.ts';
import type { Forecast } from '../../../lib/resources/settings.ts';
import { type FieldError, prefixErrors } from '../../../lib/shared/field-errors.ts';
import { listClasses, classChanges } from '../../../lib/store/accounting-classes.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import { findForecasts, forecastChange } from '../../../lib/store/organizations.ts';
import { listAgents, agentChanges } from '../../../lib/store/service-agents.ts';
import type { Target } from './section.ts';
import type { AgentEntry } from './organization-form.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Agents' time off; what is given is all there is then. */
export async function importTimeOff(
  { table, account }: Target,
  { Id, Timezone }: OrganizationRecord,
  input: readonly AgentEntry[],
): Promise<FieldError[]> {
  if (input.every(({ TimeOff }) => TimeOff === undefined)) return [];
  const agents = await listAgents(table, account, Id);
  const errors: FieldError[] = [];
  for (const [index, entry] of input.entries()) {
    const agent = matchAgent(agents, entry);
    if (entry.TimeOff === undefined || !agent) continue;
    const { timeOff: TimeOff, errors: own } = applyTimeOff(entry.TimeOff ?? [], Timezone);
    errors.push(...prefixErrors(`ServiceAgents[${index}].TimeOff`, own));
    if (!own.length && !same(agent.TimeOff, TimeOff))
      await table.commit([agentChanges(account, agent, { ...agent, TimeOff }).change]);
  }
  return errors;
}

/** What an organization aims at; months not given stay. */
export async function importForecasts(
  { table, account }: Target,
  organizationId: number,
  input: readonly Forecast[],
): Promise<void> {
  const before = await findForecasts(table, account, organizationId);
  const after = applyForecasts(before.Forecasts, input);
  if (!same(before.Forecasts, after)) await table.commit([forecastChange(account, before, after)]);
}

/** Accounting classes by name; those not named stay. */
export async function importClasses(
  { table, account }: Target,
  organizationId: number,
  input: readonly AccountingClassInput[],
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, entry] of input.entries()) {
    const classes = await listClasses(table, account, organizationId);
    const before = findClassByName(classes, entry);
    const [Id = 0] = before ? [before.Id] : await reserveIds(table, account, 'AccountingClass', 1);
    const blank = { Id, OrganizationId: organizationId, AccountingClass: '', TerritoryID: '', PostalCodes: [], V: 0 };
    const { merged, errors: own } = applyClassInput(before ?? blank, entry);
    const at = `AccountingClasses[${index}]`;
    errors.push(...prefixErrors(at, own));
    if (own.length || (before && same(before, merged))) continue;
    const write = await classChanges(table, account, before, merged);
    if (write.kind === 'ready') await table.commit(write.changes);
    else {
      const [first] = write.taken;
      const owner = classes.find((each) => each.Id === first?.by)?.AccountingClass ?? '';
      errors.push({
        field: `${at}.PostalCodes`,
        message: `has ${first?.code}, which is booked under ${owner} already`,
      });
    }
  }
  return errors;
}
