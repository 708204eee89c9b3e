import { tagNameKey } from '../../domain/contacts/record.ts';
import { type UndoneKind, undoneKinds } from '../../domain/imports/import-runs.ts';
import type { ImportRun } from '../../entities/imports.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { type NotedChange, listImported } from '../../store/imported-records.ts';
import { type Key, layout } from '../../store/keys.ts';
import { undoContact } from './undo-contact.ts';
import { type OwnRecord, type UndoContext, type Undone, type Undoing, left, undoRecord } from './undo-records.ts';
import { undoAppointment, undoInvoice, undoPayment, undoProposal, undoTask } from './undo-work.ts';

/** A record that the undo leaves unchanged, and why. */
interface LeftRecord {
  readonly Kind: string;
  readonly Id: number;
  readonly Why: string;
}

/** The result of undoing a run, by kind of record. */
export interface UndoReport {
  readonly Removed: Record<string, number>;
  readonly Restored: Record<string, number>;
  readonly Left: LeftRecord[];
  /** Restored contacts that keep a refusal of messages set by the import. */
  KeptRefusals: number;
}

type Handler = (record: OwnRecord, context: UndoContext) => Promise<Undoing>;

interface UndoneRecords {
  readonly key: (of: { account: string; id: number }) => Key;
  readonly undo: Handler;
}

const recordsOf: Readonly<Record<UndoneKind, UndoneRecords>> = {
  Payment: { key: layout.payment.key, undo: undoPayment },
  Invoice: { key: layout.invoice.key, undo: undoInvoice },
  Proposal: { key: layout.proposal.key, undo: undoProposal },
  Appointment: { key: layout.appointment.key, undo: undoAppointment },
  Task: { key: layout.task.key, undo: undoTask },
  Contact: { key: layout.contact.key, undo: undoContact },
};

/** Records processed at once. */
const RECORDS_AT_ONCE = 16;
/** Records whose notes are held at once. */
const PAGE = 200;

async function* pagesOf<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value[]> {
  let page: Value[] = [];
  for await (const value of values) {
    page.push(value);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length) yield page;
}

/**
 * Reverts what a run made and changed, unless somebody has changed it since; reports what it leaves, and why. A record
 * is reverted together with the notes of the run in one transaction, so a repeat continues where an undo ended. Writes
 * at once.
 */
export async function undoImport(
  { Id: run }: Pick<ImportRun, 'Id'>,
  context: UndoContext,
  onProgress: (done: number) => void = () => undefined,
): Promise<UndoReport> {
  const report: UndoReport = { Removed: {}, Restored: {}, Left: [], KeptRefusals: 0 };
  let done = 0;
  const { account } = context.caller;
  const each = async (
    kind: string,
    undo: (notes: [NotedChange, ...NotedChange[]]) => Promise<Undone>,
  ): Promise<LeftRecord[]> => {
    const found: LeftRecord[] = [];
    for await (const page of pagesOf(listImported(context.store, run, kind)))
      await mapWithConcurrency(page, RECORDS_AT_ONCE, async (notes) => {
        const undone = await undo(notes);
        if (undone.kind === 'left') found.push({ Kind: kind, Id: notes[0].Id, Why: undone.why });
        else count(report, kind, undone);
        if (undone.kind !== 'left') onProgress(++done);
      });
    return found;
  };
  for (const kind of undoneKinds) {
    const { key, undo } = recordsOf[kind];
    const pass = () => each(kind, (notes) => undoRecord(notes, key({ account, id: notes[0].Id }), context, undo));
    let remaining = await pass();
    // A contact that another one names is free once that one is removed.
    for (let before = Infinity; remaining.length && remaining.length < before;) {
      before = remaining.length;
      remaining = await pass();
    }
    report.Left.push(...remaining.sort((one, other) => one.Id - other.Id));
  }
  report.Left.push(...(await each('Tag', (notes) => undoTag(notes, context))));
  await each('Lines', (notes) => forgetLines(notes, context));
  return report;
}

function count(report: UndoReport, kind: string, undone: Exclude<Undone, { kind: 'left' }>): void {
  if (undone.kind === 'nothing') return;
  const counts = undone.kind === 'removed' ? report.Removed : report.Restored;
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (undone.kind === 'restored' && undone.refusals?.length) report.KeptRefusals++;
}

/** Removes a tag that no contact has. */
async function undoTag(notes: readonly NotedChange[], { store }: UndoContext): Promise<Undone> {
  const [place] = notes.flatMap(({ Place }) => Place ?? []);
  const tag = place && (await store.table.get(place));
  const criteria = { tags: [tagNameKey(String(tag?.['Name'] ?? ''))] };
  const { records } = tag ? await searchContacts(store, criteria, { skip: 0, limit: 1 }) : { records: [] };
  if (records.length) return left('is on contacts');
  await store.table.putMany([], [...(tag && place ? [place] : []), ...notes.map(({ key }) => key)]);
  return { kind: tag ? 'removed' : 'nothing' };
}

/** Their lines count as not imported, so the file can be imported again. */
async function forgetLines(notes: readonly NotedChange[], { store: { table } }: UndoContext): Promise<Undone> {
  const places = notes.flatMap(({ Place }) => Place ?? []);
  await table.putMany([], [...places, ...notes.map(({ key }) => key)]);
  return { kind: 'nothing' };
}
