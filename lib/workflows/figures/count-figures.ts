import { FIGURE_MONTHS, dueMonths, monthSpan, monthsThrough, nightAt, toFigures } from '../../domain/figures.ts';
import type { FiguresProgress } from '../../entities/figures.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { listAccountIds } from '../../store/administration/account-administration.ts';
import { StoreUnavailable } from '../../store/dynamodb/errors.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import {
  findFiguresProgress,
  listFigures,
  listMonthRecords,
  writeFigures,
  writeFiguresProgress,
} from '../../store/figures.ts';
import { listOrganizations } from '../../store/organizations/organizations.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';
import type { ListOutcome } from '../work-off-list.ts';

/** How long a run counts, so that it delays nothing else of its worker. */
const TURN = MINUTE;

/**
 * Counts the figures of all organizations once a night, from their records. A run counts for a minute; the next one
 * goes on behind the organization that was counted last. A night that is not finished is finished before the next one
 * begins. Writes at once. Safe to repeat, also concurrently and after a kill: figures are counted, never added to.
 */
export async function countFigures(table: PatientTable, { now, deadline }: BatchOptions): Promise<ListOutcome> {
  const end = Math.min(deadline, Date.now() + TURN);
  const patient = table.until(end);
  const failures: unknown[] = [];
  let done = 0;
  try {
    const before = await findFiguresProgress(patient);
    const isFinished = before.Account === '';
    if (isFinished && before.Night >= nightAt(now)) return { done, failures, isUnfinished: false };
    const start = isFinished ? { Night: nightAt(now), Account: '', OrganizationId: 0 } : before;
    for await (const { store, organization } of organizationsBehind(patient, start)) {
      if (Date.now() > end) return { done, failures, isUnfinished: false };
      try {
        done += await countOrganization(store, organization, { now, night: start.Night });
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        failures.push(error);
      }
      await writeFiguresProgress(patient, {
        Night: start.Night,
        Account: store.account,
        OrganizationId: organization.Id,
      });
    }
    await writeFiguresProgress(patient, { Night: start.Night, Account: '', OrganizationId: 0 });
    return { done, failures, isUnfinished: false };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // The next run goes on.
    return { done, failures, isUnfinished: false };
  }
}

interface Counted {
  readonly store: StoreWriter;
  readonly organization: OrganizationRecord;
}

/** The open organizations of all accounts, in the order of their ids, behind one. */
async function* organizationsBehind(
  table: PatientTable,
  { Account, OrganizationId }: FiguresProgress,
): AsyncGenerator<Counted, void> {
  const accounts = (await listAccountIds(table)).filter((account) => account >= Account).sort();
  for (const account of accounts) {
    const store = accountStore(table, account);
    for (const organization of await listOrganizations(store)) {
      const isBehind = account > Account || organization.Id > OrganizationId;
      if (isBehind && organization.CancelDate === null) yield { store, organization };
    }
  }
}

/** Counts the months of an organization that are due. Returns their number. */
async function countOrganization(
  store: StoreWriter,
  { Id: organization, Timezone: zone }: OrganizationRecord,
  { now, night }: { readonly now: Date; readonly night: number },
): Promise<number> {
  const months = monthsThrough(now, zone, FIGURE_MONTHS);
  const counted = await listFigures(store, { organization, first: months.at(-1) ?? '', last: months[0] ?? '' });
  const due = dueMonths(months, new Set(counted.map(({ Month }) => Month)), night);
  for (const month of due) {
    const records = await listMonthRecords(store, { organization, zone, span: monthSpan(month, zone) });
    const of = { OrganizationId: organization, Month: month, CountedAt: now.getTime() };
    await writeFigures(store, toFigures(records, of));
  }
  return due.length;
}
