import { type Leaver, type MissedVisits, behindLastDay, describeMissed, isAhead } from '../../domain/leavers.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type VisitPage, listVisitsFrom } from '../../store/appointments.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/table.ts';
import { officeTaskChange } from '../pages/office-task.ts';
import { type Store } from '../../store/store.ts';

export interface MissedScope<Table extends TableReader = TableReader> {
  readonly store: Store<Table>;
  readonly organization: Pick<OrganizationRecord, 'Id' | 'Timezone'>;
}

/** The visits of an agent after the last day, in chronological order: a page of them, and where the next begins. */
export async function findMissedVisits(
  { store, organization: { Timezone } }: MissedScope,
  leaver: Leaver,
  page: VisitPage = {},
): Promise<MissedVisits & { readonly next: string | undefined }> {
  const of = { agent: leaver.agent.Id, from: behindLastDay(leaver.lastDay, Timezone) };
  const { visits, next } = await listVisitsFrom(store, of, page);
  const ahead = visits.filter(isAhead).sort((a, b) => (a.Start ?? 0) - (b.Start ?? 0));
  return { ...leaver, visits: ahead, hasMore: next !== undefined, next };
}

/** All missed visits, read a page at a time. */
export async function* missedVisits(
  scope: MissedScope,
  leaver: Leaver,
  { take }: Pick<VisitPage, 'take'> = {},
): AsyncGenerator<AppointmentRecord> {
  let after: string | undefined;
  do {
    const page = await findMissedVisits(scope, leaver, { after, ...(take ? { take } : {}) });
    yield* page.visits;
    after = page.next;
  } while (after !== undefined);
}

/** Leavers with visits after their last day, and a task for each that lists them. */
export async function planMissedVisits(
  scope: MissedScope<TableWriter> & { readonly now: Date },
  leavers: readonly Leaver[],
): Promise<{ readonly missed: readonly MissedVisits[]; readonly changes: readonly Change[] }> {
  const found = await Promise.all(leavers.map((leaver) => findMissedVisits(scope, leaver)));
  const missed = found.filter(({ visits }) => visits.length > 0);
  const of = { OrganizationId: scope.organization.Id, ContactId: null, TaskType: 0, Category: 'Schedule' };
  const changes = missed.map((each) => officeTaskChange(scope, { ...of, Description: describeMissed(each) }));
  return { missed, changes: await Promise.all(changes) };
}
