import {
  type ChannelLeads,
  type MonthFigures,
  type MonthFiguresRecord,
  monthFiguresEntity,
} from '../entities/figures.ts';
import { InvoiceStatus, type InvoiceRecord } from '../entities/invoices.ts';
import { ProposalStatus } from '../entities/proposal-status.ts';
import { cents, fromCents, sum } from '../shared/money.ts';
import { DAY, HOUR, dayNumber, startOfDate, toLocalDate } from '../shared/time/time.ts';
import { Status } from './appointments/record.ts';

/** How many months are kept up to date: the current one, and the year before it. */
export const FIGURE_MONTHS = 13;

/** `2026-11` some months later. */
function addMonths(month: string, months: number): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

/** The current month in a zone, and those before it, newest first. */
export function monthsThrough(now: Date, zone: string, count: number): string[] {
  const current = toLocalDate(now.getTime(), zone).slice(0, 7);
  return Array.from({ length: count }, (_, ago) => addMonths(current, -ago));
}

/** The moments of a month, in milliseconds since 1970, and its days since then. */
export interface MonthSpan {
  readonly from: number;
  readonly through: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

export function monthSpan(month: string, zone: string): MonthSpan {
  const [first, next] = [`${month}-01`, `${addMonths(month, 1)}-01`];
  return {
    from: startOfDate(first, zone),
    through: startOfDate(next, zone) - 1,
    firstDay: dayNumber(first),
    lastDay: dayNumber(next) - 1,
  };
}

/** Nights begin when it is 3 in the morning in New York, and midnight in Los Angeles. */
const NIGHT_BEGINS = 8 * HOUR;

/** The number of a night, in days since 1970. */
export const nightAt = (now: Date): number => Math.floor((now.getTime() - NIGHT_BEGINS) / DAY);

/** Months that are counted again every night, because most changes concern them. */
const RECENT = 2;
/** Older months that are counted in a night, in turn: each at least every six nights. */
const OLDER_A_NIGHT = 2;

/** The months that are counted in a night: the recent ones, two older ones in turn, and those never counted. */
export function dueMonths(months: readonly string[], counted: ReadonlySet<string>, night: number): string[] {
  const older = months.slice(RECENT);
  const turns = new Set(
    Array.from({ length: OLDER_A_NIGHT }, (_, index) => older[(night * OLDER_A_NIGHT + index) % older.length]),
  );
  return months.filter((month, ago) => ago < RECENT || turns.has(month) || !counted.has(month));
}

/** What the records of a month say. */
export interface MonthRecords {
  readonly invoices: readonly Pick<InvoiceRecord, 'Status' | 'Subtotal'>[];
  /** The statuses of visits and of proposals. */
  readonly visits: readonly number[];
  readonly proposals: readonly number[];
  /** The channels of the contacts that were added. */
  readonly channels: readonly string[];
}

const isBilled = ({ Status: status }: Pick<InvoiceRecord, 'Status'>): boolean =>
  status === InvoiceStatus.Open || status === InvoiceStatus.Paid;

const isVisit = (status: number): boolean => status !== Status.Queued && status !== Status.Canceled;

const isSent = (status: number): boolean => status !== ProposalStatus.Internal;

const ACCEPTED: ReadonlySet<number> = new Set([
  ProposalStatus.Accepted,
  ProposalStatus.Scheduled,
  ProposalStatus.Complete,
  ProposalStatus.Invoiced,
]);

const MAX_CHANNELS = 50;

/** By how many leads came; the same channel may be written in several ways, and is named as in its first lead. */
function countChannels(channels: readonly string[]): ChannelLeads[] {
  const byName = Map.groupBy(
    channels.map((channel) => channel.trim()),
    (channel) => channel.toLowerCase(),
  );
  return [...byName.values()]
    .map((same) => ({ Channel: same[0] ?? '', Leads: same.length }))
    .sort((one, other) => other.Leads - one.Leads || (one.Channel < other.Channel ? -1 : 1))
    .slice(0, MAX_CHANNELS);
}

/** The figures of a month. */
export const toFigures = (
  { invoices, visits, proposals, channels }: MonthRecords,
  of: Pick<MonthFiguresRecord, 'OrganizationId' | 'Month' | 'CountedAt'>,
): MonthFiguresRecord =>
  monthFiguresEntity.blank({
    ...of,
    Revenue: fromCents(sum(invoices.filter(isBilled).map(({ Subtotal }) => cents(Subtotal)))),
    Visits: visits.filter(isVisit).length,
    Proposals: proposals.filter(isSent).length,
    AcceptedProposals: proposals.filter((status) => ACCEPTED.has(status)).length,
    Leads: channels.length,
    LeadsByChannel: countChannels(channels),
  });

export const figuresToResource = (record: MonthFiguresRecord): MonthFigures =>
  monthFiguresEntity.toResource(record, { LeadsByChannel: record.LeadsByChannel });
