import { isEqual } from '../../../lib/shared/objects.ts';
import { StoreConflict, retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import {
  type StoredImportedEntry,
  listImportedEntries,
  writeImportedEntries,
} from '../../../lib/store/imported-entries.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';
import { StagedTable } from '../staged-table.ts';
import { accountRow } from './account.ts';
import { type RowKind } from './entry-format.ts';
import { ACCOUNT, type EntryChange, type Exported, commitAll, exportByIdentity, planImport } from './import.ts';
import { RestoredFile } from './restored-file.ts';
import { sections } from './sections.ts';
import { type Outcome, type TakenBack, takeBack } from './take-back.ts';

/** The undo of an import of company files, which imports the entries as they were. */

/**
 * Notes the entries that an import is about to change. A repeated attempt finds what the first one wrote already
 * changed, so an entry keeps the state before the first attempt.
 */
export function entryNotes(): (store: StoreWriter, run: number, changes: readonly EntryChange[]) => Promise<void> {
  const noted = new Map<string, { readonly entry: number; readonly change: EntryChange }>();
  return async (store, run, changes) => {
    const entries = changes.map((change) => {
      const id = `${change.section} ${change.identity}`;
      const { entry, change: first } = noted.get(id) ?? { entry: noted.size, change };
      noted.set(id, { entry, change: first });
      return { entry, text: JSON.stringify({ ...change, before: first.before }) };
    });
    await writeImportedEntries(store, run, entries);
  };
}

/** What an undo did with entries of company files. */
export interface CompanyUndo {
  readonly outcomes: readonly Outcome[];
  readonly remarks: readonly string[];
}

interface NotedEntry extends EntryChange {
  readonly kind: RowKind;
  readonly keys: StoredImportedEntry['keys'];
}

const kinds = new Map<string, RowKind>([[ACCOUNT, accountRow], ...sections.map((each) => [each.key, each] as const)]);

function toNoted({ text, keys }: StoredImportedEntry): NotedEntry[] {
  const change = JSON.parse(text) as EntryChange;
  const kind = kinds.get(change.section);
  return kind ? [{ ...change, kind, keys }] : [];
}

const presentIn = (exported: Exported, { section, identity }: NotedEntry) => exported.get(section)?.get(identity);

/**
 * Takes back what a run did to entries, if nobody changed it since. What an import made stays, because other records
 * may name it, but it is retired if it has a field for that. Writes at once. Safe to repeat: restored entries are left
 * alone.
 */
export async function undoCompany(
  store: StoreWriter,
  { run, dryRun, now }: { readonly run: number; readonly dryRun: boolean; readonly now: Date },
): Promise<CompanyUndo> {
  const outcomes = new Map<string, Outcome>();
  const remarks = new Set<string>();
  await retryUnavailable(async () => {
    const noted = (await listImportedEntries(store, run)).flatMap(toNoted);
    if (!noted.length) return;
    const planned = await planUndo(noted, store, now);
    for (const each of planned.outcomes) outcomes.set(`${each.Kind} ${each.Name} ${each.kind === 'kept'}`, each);
    for (const remark of planned.remarks) remarks.add(remark);
    if (dryRun) return;
    await commitAll(store, planned.staged, undefined);
    await store.table.putMany([], planned.done);
  });
  return { outcomes: [...outcomes.values()], remarks: [...remarks] };
}

interface PlannedUndo extends CompanyUndo {
  readonly staged: StagedTable;
  /** Notes of entries of which nothing is left. */
  readonly done: StoredImportedEntry['keys'];
}

async function planUndo(noted: readonly NotedEntry[], store: StoreWriter, now: Date): Promise<PlannedUndo> {
  const used = sections.filter(({ key }) => noted.some(({ section }) => section === key));
  const present = await exportByIdentity(used, { store, now });
  const today = now.toISOString().slice(0, 10);
  const take = (exported: Exported) =>
    noted.map((entry): TakenBack => {
      const { kind, before, after } = entry;
      return takeBack(kind, { before, after, present: presentIn(exported, entry) }, today);
    });
  const first = take(present);
  const file = new RestoredFile();
  for (const [index, entry] of noted.entries()) {
    const is = presentIn(present, entry);
    if (is) file.add(entry, is, first[index]?.fields ?? {});
  }
  for (;;) {
    const staged = new StagedTable(store.table);
    const context = { store: { ...store, table: staged }, now };
    const plan = await planImport(file.parse(), context);
    if (plan.kind === 'invalid') {
      file.drop(plan.errors);
      continue;
    }
    const isMoved = plan.changes.some(
      ({ section, identity, before }) => !isEqual(before, present.get(section)?.get(identity)),
    );
    if (isMoved) throw new StoreConflict('An entry was changed meanwhile.');
    const then = take(await exportByIdentity(used, context));
    const judged = noted.map((entry, index) => judge(first[index], then[index], file.reasons(entry)));
    const done = noted.filter((_, index) => judged[index]?.every(({ kind }) => kind !== 'left'));
    return { staged, outcomes: judged.flat(), remarks: plan.remarks, done: done.flatMap(({ keys }) => keys) };
  }
}

/** Which parts of an entry are done after the import has run, and which it could not set. */
function judge(first: TakenBack | undefined, then: TakenBack | undefined, reasons: readonly string[]): Outcome[] {
  const before = first?.outcomes ?? [];
  const isSame = (one: Outcome, other: Outcome) => one.Kind === other.Kind && one.Name === other.Name;
  return before.map((each): Outcome => {
    if (each.kind !== 'restored' && each.kind !== 'retired') return each;
    const left = before.flatMap((other) => (isSame(each, other) && other.kind === 'left' ? other.fields : []));
    const open = (then?.outcomes ?? []).flatMap((other) => (isSame(each, other) ? other.fields : []));
    const fields = open.filter((field) => !left.includes(field));
    if (!fields.length) return each;
    const why = reasons.length ? reasons.join('; ') : `cannot be set back by an import: ${fields.join(', ')}`;
    return { ...each, kind: 'left', fields, why };
  });
}
