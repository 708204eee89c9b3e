import { isErased } from '../../entities/erased-contacts.ts';
import type { ImportedRecord } from '../../entities/imports.ts';
import { type OwnChange, ownChange, requestOfRun } from '../../domain/imports/import-runs.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { requestIn } from '../../store/import-runs.ts';
import type { NotedChange } from '../../store/imported-records.ts';
import { type Key, attributes, parseActor } from '../../store/keys.ts';
import type { WriteContext } from '../context.ts';

/** The context of an undo of a run; its table comes from `asImportUndo`. */
export interface UndoContext extends WriteContext {
  readonly run: number;
}

/** The outcome for a record; `nothing`: the run made no lasting change to it, or it is gone. */
export type Undone =
  | { readonly kind: 'removed' | 'nothing' }
  /** `refusals`: fields in which a person refuses messages, which no undo reverts. */
  | { readonly kind: 'restored'; readonly refusals?: readonly string[] }
  | { readonly kind: 'left'; readonly why: string };

export const left = (why: string): Undone => ({ kind: 'left', why });

/** A stored record, and what the run did to it. */
export interface OwnRecord {
  readonly item: Item;
  readonly own: OwnChange;
}

/**
 * How to undo the change of a record: the changes of one transaction and the work after it; or why the record stays.
 */
export type Undoing =
  | Undone
  | {
      readonly kind: 'changes';
      readonly outcome: Extract<Undone, { kind: 'removed' | 'restored' | 'nothing' }>;
      readonly changes: readonly Change[];
      /** Safe to lose: a worker or `fs check` finds what remains. */
      readonly finish?: () => Promise<void>;
    };

const changedBy = (item: Item): string => {
  const { Name = '' } = parseActor(item[attributes.actor]) ?? {};
  const at = Number(item['Updated'] ?? 0);
  return `was changed since${Name ? ` by ${Name}` : ''}${at ? `, ${new Date(at).toISOString().slice(0, 16)}Z` : ''}`;
};

/** What the run did to a record, if nobody has changed it since. */
function judge(item: Item | undefined, notes: readonly ImportedRecord[], run: number): OwnRecord | Undone {
  if (!item || isErased(item)) return { kind: 'nothing' };
  const own = ownChange(notes, { run, version: Number(item[attributes.version]) });
  if (!own) return { kind: 'nothing' };
  if (item['MergedInto'] !== undefined) return left(`is merged into contact ${String(item['MergedInto'])}`);
  const isOwn = [requestOfRun(run), requestOfRun(run, 'undo')].includes(requestIn(item));
  return isOwn && !own.isInterrupted ? { item, own } : left(changedBy(item));
}

/**
 * Undoes what a run did to a record, if nobody has changed it since; all or nothing, with the notes of the run. Writes
 * at once. Safe to repeat: a record that is done has no notes.
 */
export function undoRecord(
  notes: readonly [NotedChange, ...NotedChange[]],
  key: Key,
  context: UndoContext,
  undo: (record: OwnRecord, context: UndoContext) => Promise<Undoing>,
): Promise<Undone> {
  const {
    store: { table },
    run,
  } = context;
  const noted = notes.map(({ key: remove }) => ({ remove }));
  return retryUnavailable(async () => {
    const record = judge(await table.get(key), notes, run);
    const undoing = 'own' in record ? await undo(record, context) : record;
    if (undoing.kind === 'left') return undoing;
    const changes = undoing.kind === 'changes' ? undoing.changes : [];
    await table.commit([...changes, ...noted]);
    if (undoing.kind !== 'changes') return undoing;
    await undoing.finish?.();
    return undoing.outcome;
  });
}
