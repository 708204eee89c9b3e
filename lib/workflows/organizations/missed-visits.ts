import { type Leaver, type MissedVisits, behindLastDay, describeMissed, isAhead } from '../../domain/leavers.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { listVisitsFrom } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/table.ts';
import { officeTaskChange } from '../pages/office-task.ts';

interface MissedScope<Table = TableReader> {
  readonly table: Table;
  readonly account: string;
  readonly organization: Pick<OrganizationRecord, 'Id' | 'Timezone'>;
}

/** The visits of an agent behind the last day, in the order of time; at most the first 1,000. */
export async function findMissedVisits(
  { table, account, organization: { Timezone } }: MissedScope,
  leaver: Leaver,
): Promise<MissedVisits> {
  const from = behindLastDay(leaver.lastDay, Timezone);
  const visits = (await listVisitsFrom(table, account, leaver.agent.Id, from)).filter(isAhead);
  return { ...leaver, visits: visits.sort((a, b) => (a.Start ?? 0) - (b.Start ?? 0)) };
}

/** Leavers who have visits behind their last day, and a task for each that lists them. */
export async function planMissedVisits(
  scope: MissedScope<TableWriter> & { readonly now: Date },
  leavers: readonly Leaver[],
): Promise<{ readonly missed: readonly MissedVisits[]; readonly changes: readonly Change[] }> {
  const found = await Promise.all(leavers.map((leaver) => findMissedVisits(scope, leaver)));
  const missed = found.filter(({ visits }) => visits.length > 0);
  const context = { table: scope.table, target: { account: scope.account }, now: scope.now };
  const of = { OrganizationId: scope.organization.Id, ContactId: null, TaskType: 0, Category: 'Schedule' };
  const changes = missed.map((each) => officeTaskChange(context, { ...of, Description: describeMissed(each) }));
  return { missed, changes: await Promise.all(changes) };
}
