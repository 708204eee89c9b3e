import { IMPORT_ACTOR } from '../domain/imports/import-actor.ts';
import { type ImportRun, importRunEntity, importedRecordEntity } from '../entities/imports.ts';
import { importedChange, isRunRequest, requestOfRun, undoneKinds } from '../domain/imports/import-runs.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import { UNDO_DAYS } from './contacts/merges.ts';
import { type Change, type Item, type TransactionChange, partChanges } from './dynamodb/changes.ts';
import { lastOf, listRange } from './dynamodb/records.ts';
import { type TableReader, asActor, ttlAfter } from './dynamodb/table.ts';
import { entityAt } from './entities.ts';
import { type Key, attributes, isTableAttribute, keyText, layout, parseActor, storeActor, toKey } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

/** Imports as runs: what each was about to change in which record, for an undo. */

/** Data for an undo is kept a little longer than an undo may start, so that a started one can finish. */
export const KEPT_SECONDS = ((UNDO_DAYS + 2) * DAY) / SECOND;

const runKey = ({ account }: StoreAccount, run: number): Key => layout.importRun.key({ account, id: run });

/** Starts a run with the next number of the account. A lost reply leaves a gap in the numbers. */
export async function writeImportRun(
  store: StoreWriter,
  { Kind, Files, now }: Pick<ImportRun, 'Kind' | 'Files'> & { readonly now: Date },
): Promise<ImportRun> {
  const { table, account } = store;
  const lease = await table.update({ update: layout.lease.key({ account, kind: 'ImportRun' }), add: { Last: 1 } });
  const run = importRunEntity.blank({ Id: lastOf(lease), Kind, Files, StartedAt: now.getTime() });
  const key = runKey(store, run.Id);
  await table.commit([
    { put: { ...key, ...importRunEntity.write(run), TTL: ttlAfter(now, KEPT_SECONDS) }, if: 'absent' },
  ]);
  return run;
}

/** Stores how a run, or its undo, ended. Safe to repeat. */
export const writeRunState = async (store: StoreWriter, run: number, state: Partial<ImportRun>): Promise<void> =>
  void (await store.table.update({ update: runKey(store, run), set: state, if: 'present' }));

export async function findImportRun(store: StoreReader, run: number): Promise<ImportRun | undefined> {
  const item = await store.table.get(runKey(store, run));
  return item && importRunEntity.read(item);
}

/** The runs of the account, newest first. */
export async function listImportRuns({ table, account }: StoreReader): Promise<ImportRun[]> {
  const items = await listRange(table, { partition: layout.importRun.of({ account }), descending: true });
  return items.map((item) => importRunEntity.read(item));
}

/** A change of a transaction that an undo must know about. */
interface RecordChange {
  readonly kind: string;
  /** Part of the note's key. */
  readonly record: string | number;
  readonly id: number;
  readonly before: Item | undefined;
  readonly after?: Item;
  readonly names?: readonly string[];
  /** The key of the item, if it is not a record. */
  readonly Place?: Key;
}

const ofRecord = (item: Item) => ({
  kind: String(item[attributes.entity]),
  record: Number(item['Id']),
  id: Number(item['Id']),
});

const isUndone = (item: Item): boolean => (undoneKinds as readonly unknown[]).includes(item[attributes.entity]);

/** What is noted of a change: records that an undo handles, new tags, and lines that count as imported. */
function toRecordChange(change: TransactionChange, before: Item | undefined): RecordChange[] {
  if ('update' in change) {
    if (!before || !isUndone(before) || !(attributes.version in (change.add ?? {}))) return [];
    const names = [...Object.keys(change.set ?? {}), ...Object.keys(change.setOnce ?? {})];
    return [{ ...ofRecord(before), before, names: names.filter(isNoted) }];
  }
  if (!('put' in change)) return [];
  const { put } = change;
  if (attributes.entity in put) return isUndone(put) ? [{ ...ofRecord(put), before, after: put }] : [];
  const other = entityAt(put);
  const kind = other === 'TagName' && !before ? 'Tag' : other === 'ImportedLines' ? 'Lines' : undefined;
  if (!kind) return [];
  const record = `${put.PK.split('#').at(-1)}.${put.SK}`;
  return [{ kind, record, id: Number(put['Id'] ?? 0), before: undefined, Place: toKey(put) }];
}

const isNoted = (name: string): boolean => !isTableAttribute(name) && name !== attributes.version && name !== 'Updated';

const fieldsOf = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => isNoted(name)));

/** Notes what changes are about to do before they do it, so that an undo knows about every change. */
async function writeNotes({ table, account }: StoreWriter, run: number, changes: readonly Change[]): Promise<void> {
  const { transaction } = partChanges(changes);
  const isNew = (change: TransactionChange) => change.if === 'absent';
  const items = await findItems(table, transaction.filter((change) => !isNew(change)).map(keyIn));
  const TTL = ttlAfter(new Date(), KEPT_SECONDS);
  const notes = transaction
    .flatMap((change) => toRecordChange(change, items.get(keyText(keyIn(change)))))
    .map(({ kind, record, id, before, after, names, Place }): Item => {
      const version = before && {
        version: Number(before[attributes.version]),
        by: requestIn(before),
        fields: fieldsOf(before),
      };
      const change = { Kind: kind, Id: id, before: version, after: after && fieldsOf(after), names };
      const note = { ...importedChange(change), ...(Place ? { Place } : {}) };
      const key = layout.importedRecord.key({ account, run, kind, record, version: note.Before });
      return { ...key, ...importedRecordEntity.write(note), TTL };
    });
  if (notes.length) await table.putMany(notes);
}

function keyIn(change: TransactionChange): Key {
  if ('put' in change) return toKey(change.put);
  if ('update' in change) return change.update;
  return 'remove' in change ? change.remove : change.check;
}

async function findItems(table: TableReader, keys: readonly Key[]): Promise<Map<string, Item>> {
  const items = keys.length ? await table.getMany(keys) : [];
  return new Map(items.map((item) => [keyText(item), item]));
}

/** The request that wrote the current version of an item. */
export const requestIn = (item: Item | undefined): string => parseActor(item?.[attributes.actor])?.RequestId ?? '';

/**
 * The store of an import: what is committed is noted first, and the run is the request that wrote it. A note about
 * something that was not committed is harmless: the record does not have that version, or not from this run.
 */
export function asImportRun(store: StoreWriter, run: number): StoreWriter {
  const table = asActor(store.table, { Key: '', Name: IMPORT_ACTOR, RequestId: requestOfRun(run) });
  return {
    ...store,
    table: {
      ...table,
      async commit(changes, options) {
        await writeNotes({ ...store, table }, run, changes);
        await table.commit(changes, options);
      },
    },
  };
}

const undoName = (run: number): string => `fs import --undo ${run}`;

/** The request of an undo for a record that somebody else has changed since the import. */
const OTHER_REQUEST = 'import-undo';

/**
 * The store of an undo. A record outside the run that it changes, such as the contact of an invoice, keeps counting as
 * changed by somebody else if it was.
 */
export function asImportUndo(store: StoreWriter, run: number): StoreWriter {
  const { table } = store;
  const undo = requestOfRun(run, 'undo');
  const requests = [requestOfRun(run), undo];
  const Name = undoName(run);
  const actorAfter = (before: Item | undefined) =>
    storeActor({ Key: '', Name, RequestId: requests.includes(requestIn(before)) ? undo : OTHER_REQUEST });
  return {
    ...store,
    table: {
      ...table,
      async commit(changes, options) {
        const records = partChanges(changes).transaction.filter(isOfRecord);
        const items = await findItems(table, records.map(keyIn));
        const stamped = changes.map((change): Change => {
          if ('ahead' in change || !isOfRecord(change)) return change;
          const before = items.get(keyText(keyIn(change)));
          const actor = { [attributes.actor]: actorAfter(before) };
          if ('put' in change) return { ...change, put: { ...actor, ...change.put } };
          // Nobody can change the record unnoticed between this read and the write.
          const unchanged = change.if === 'present' ? { if: { equals: { V: before?.[attributes.version] } } } : {};
          return { ...change, ...unchanged, set: { ...change.set, ...actor } };
        });
        await table.commit(stamped, options);
      },
    },
  };
}

type RecordWrite = Extract<TransactionChange, { put: Item } | { update: Key }>;

const isOfRecord = (change: TransactionChange): change is RecordWrite =>
  ('put' in change && attributes.entity in change.put) ||
  ('update' in change && attributes.version in (change.add ?? {}));

/** The change, with the record attributed to an earlier run again, whose undo then finds it as that run left it. */
export function givenBack(change: Change, run: number, request: string): Change {
  if (!('put' in change) || !(attributes.entity in change.put) || !isRunRequest(request)) return change;
  const actor = storeActor({ Key: '', Name: undoName(run), RequestId: request });
  return { ...change, put: { ...change.put, [attributes.actor]: actor } };
}
