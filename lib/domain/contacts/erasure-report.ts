import type { Mention } from './mentions.ts';
import { toUtc } from '../../shared/time/time.ts';

/** The fields of an erasure that its report uses. */
interface ErasureSummary extends Readonly<Record<string, unknown>> {
  readonly Id: number;
  readonly StartedAt: number;
  readonly FinishedAt?: number;
  readonly HandedOverAt?: number;
  readonly FirstPassAt?: number;
  readonly RemoveSigned: boolean;
  readonly Mentions?: readonly Mention[];
  readonly CanceledVisits?: readonly { readonly Id: number; readonly Start: number | null }[];
}

/** Parts of the report in the order of the table, with the words for what is counted. */
const removals: Readonly<Record<string, string>> = {
  SearchEntries: 'search entries, removed',
  NotePages: 'pages of older notes, removed',
  Calls: 'calls, removed',
  Files: 'files, removed with all versions',
  Tasks: 'tasks, without their texts',
  Appointments: 'appointments, without notes, addresses to notify and feedback text; those ahead are canceled',
  Proposals: 'proposals, without notes, custom fields and texts that name the person',
  SignedProposals: 'signed proposals, without notes and custom fields',
  Invoices: 'invoices, without notes and texts that name the person',
  Payments: 'payments, without texts that name the person',
  Messages: 'e-mails and texts that were sent, removed',
  Links: 'contacts that lost their link to the person',
  SavedResponses: 'responses saved for Idempotency-Keys, replaced',
  Events: 'events, with their id, kind and amounts only',
  ParkedRecords: 'parked or discarded changes, removed',
  Callbacks: 'callbacks, removed',
  Downloads: 'downloads, removed with their files; they can be started again',
};

export interface ErasureReport {
  readonly ContactId: number;
  readonly StartedAt: string;
  /** `null` until it is done. */
  readonly FinishedAt: string | null;
  /** When a worker was asked to continue; `null` if this command does the work. */
  readonly HandedOverAt: string | null;
  /**
   * When the worker had removed everything it found for the first time; calls in progress may still write after that.
   */
  readonly FirstPassAt: string | null;
  readonly Removed: Readonly<Record<string, number>>;
  readonly Kept: readonly string[];
  /** Visits that were still ahead: they are canceled and their time is free again. */
  readonly CanceledVisits: readonly { readonly AppointmentId: number; readonly Start: string | null }[];
  /** Other records that mention the person, or did before `--mentions`. */
  readonly Mentions: readonly Mention[];
  /** Why it is not done yet. */
  readonly Unfinished: readonly string[];
}

const kept = ({ RemoveSigned }: ErasureSummary): string[] => [
  'Invoices and payments: numbers, dates, lines, amounts and the id of the contact, as bookkeeping requires them. ' +
    'A number or TransactionId that names the person is a keyed hash, shown as erased-…, and is not given again.',
  'Appointments and tasks: times, agents, services and amounts, with the id of the contact and no name.',
  RemoveSigned
    ? 'Signed proposals: lines and amounts. Signatures and evidence are removed: acceptances can no longer be proved.'
    : 'Signed proposals: the signed document with its evidence and signature, which have the name of who signed. ' +
      'They prove the contract; --remove-signed removes them too, now or later.',
  'The id of the contact, with its count of paid amounts, so that the books still agree.',
  'Backups: point-in-time recovery of the table for 35 days, and earlier versions of other files for 30 days. ' +
    'After a restore, erase the contact again.',
  'The stream of the table: 24 hours, readable by the workers only.',
];

const momentOf = (at: number | undefined): string | null => (at === undefined ? null : toUtc(at));

/** What an erasure removed, what stays, and why. */
export const erasureReport = (erasure: ErasureSummary, unfinished: readonly string[]): ErasureReport => ({
  ContactId: erasure.Id,
  StartedAt: toUtc(erasure.StartedAt),
  FinishedAt: momentOf(erasure.FinishedAt),
  HandedOverAt: momentOf(erasure.HandedOverAt),
  FirstPassAt: momentOf(erasure.FirstPassAt),
  Removed: Object.fromEntries(
    Object.keys(removals).flatMap((name) => {
      const count = erasure[name];
      return typeof count === 'number' && count > 0 ? [[name, count]] : [];
    }),
  ),
  Kept: kept(erasure),
  CanceledVisits: (erasure.CanceledVisits ?? []).map(({ Id, Start }) => ({
    AppointmentId: Id,
    Start: Start === null ? null : toUtc(Start),
  })),
  Mentions: erasure.Mentions ?? [],
  Unfinished: unfinished,
});

const MENTIONED =
  'Mentioned in other records (--mentions takes the person out of them; name, address, e-mail and phones of other ' +
  'contacts stay)';

const formatMention = ({ Kind, Id, Field }: Mention): string => `- ${Kind} ${Id}: ${Field}`;

const AGAIN = 'This command prints the report when it is run again; fs check names an erasure that stands still.';

function stateOf({ ContactId, FinishedAt, HandedOverAt, FirstPassAt }: ErasureReport): string {
  if (FinishedAt) return `Contact ${ContactId} is erased.`;
  const isGone = `Contact ${ContactId} no longer exists for any call`;
  if (!HandedOverAt) return `${isGone}, but its erasure is not done. Run the command again.`;
  if (!FirstPassAt) return `${isGone}. A worker has been asked to erase what is left of it. ${AGAIN}`;
  return (
    `${isGone}, and its records are erased. A second pass follows by itself within two minutes: for what calls under ` +
    `way have written meanwhile, and for copies in events, responses and downloads. ${AGAIN}`
  );
}

/** The report as text for people. */
export function formatErasureReport(report: ErasureReport): string {
  const { Removed, Kept, CanceledVisits, Mentions, Unfinished } = report;
  const counts = Object.entries(Removed).map(
    ([name, count]) => `${String(count).padStart(7)}  ${removals[name] ?? name}`,
  );
  return [
    stateOf(report),
    ...Unfinished,
    ...(counts.length ? ['', 'Removed', ...counts] : []),
    '',
    'Kept',
    ...Kept.map((line) => `- ${line}`),
    ...(CanceledVisits.length ? ['', 'Canceled visits; their time is free'] : []),
    ...CanceledVisits.map(({ AppointmentId, Start }) => `- appointment ${AppointmentId}, ${Start ?? 'in the queue'}`),
    ...(Mentions.length ? ['', MENTIONED, ...Mentions.map(formatMention)] : []),
  ].join('\n');
}
