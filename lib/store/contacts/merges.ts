import {
  type ContactMerge,
  type ContactMoved,
  contactMergeEntity,
  contactMovedEntity,
  movedNotesEntity,
} from '../../entities/merges.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Change, TransactionChange } from '../dynamodb/changes.ts';
import { listRange } from '../dynamodb/records.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { messageChange } from '../events/delayed-messages.ts';
import { type Key, layout } from '../keys.ts';
import type { StoreAccount, StoreReader } from '../store.ts';
import { ownKey } from '../visibility.ts';

/** How long a merge can be undone. */
export const UNDO_DAYS = 30;
/** Data for an undo is kept a little longer, so that a started undo can finish. */
const MOVED_SECONDS = ((UNDO_DAYS + 2) * DAY) / SECOND;

const mergeKey = (
  { account }: StoreAccount,
  { Id: id, MergedId: merged }: Pick<ContactMerge, 'Id' | 'MergedId'>,
): Key => layout.contactMerge.key({ account, id, merged });

/** The merge of a contact into another one, unless it was undone. */
export async function findMerge(
  store: StoreReader,
  of: Pick<ContactMerge, 'Id' | 'MergedId'>,
): Promise<ContactMerge | undefined> {
  const { table } = store;
  const item = await table.get(mergeKey(store, of));
  return item && contactMergeEntity.read(item);
}

/** The merge that a queue message names. */
export async function findMergeAt(store: StoreReader, key: Key): Promise<ContactMerge | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && contactMergeEntity.read(item);
}

/** The contacts that were directly merged into one. */
export async function listMerges({ account, table }: StoreReader, id: number): Promise<ContactMerge[]> {
  const partition = layout.contactMerge.of({ account, id });
  const items = await listRange(table, { partition, from: 'MERGE#', to: 'MERGE#~', consistent: true });
  return items.map((item) => contactMergeEntity.read(item));
}

/** Every contact that was merged into one, directly or through others. */
export async function listAllMerges(store: StoreReader, id: number): Promise<ContactMerge[]> {
  const found: ContactMerge[] = [];
  for (let ids = [id]; ids.length;) {
    const next = (await Promise.all(ids.map((each) => listMerges(store, each)))).flat();
    found.push(...next);
    ids = next.map(({ MergedId }) => MergedId);
  }
  return found;
}

/** The changes that start a merge or an undo, `before` as it was read, and let the worker continue it. */
export function mergeChanges(
  store: StoreAccount,
  { before, after, now }: { before: ContactMerge | undefined; after: ContactMerge; now: Date },
): Change[] {
  const key = mergeKey(store, after);
  return [
    {
      put: { ...key, ...contactMergeEntity.write(after) },
      if: before ? { equals: { State: before.State, StartedAt: before.StartedAt } } : 'absent',
    },
    messageChange({ queue: 'merges', message: key }, now),
  ];
}

/** The condition that a running merge is unchanged since it was read; it records `credit` that comes with a record. */
export function unchangedMerge(store: StoreAccount, merge: ContactMerge, credit = 0): TransactionChange {
  const key = mergeKey(store, merge);
  const condition = { equals: { State: merge.State, StartedAt: merge.StartedAt } };
  return credit ? { update: key, add: { Credit: credit }, if: condition } : { check: key, if: condition };
}

/** The change after the last record is moved: a merge is marked as done, an undo is removed. */
export const finishedMergeChange = (store: StoreAccount, merge: ContactMerge): TransactionChange => {
  const key = mergeKey(store, merge);
  const condition = { equals: { State: merge.State, StartedAt: merge.StartedAt } };
  return merge.State === 'parting'
    ? { remove: key, if: condition }
    : { update: key, set: { State: 'merged', HoldsCredit: false }, if: condition };
};

/** The changes that let the worker move further records, which a finished merge does not know about. */
export const resumedMergeChanges = (store: StoreAccount, merge: ContactMerge, now: Date): Change[] => {
  const key = mergeKey(store, merge);
  const condition = { equals: { State: merge.State, StartedAt: merge.StartedAt } };
  return [
    { update: key, set: { State: 'moving' }, if: condition },
    messageChange({ queue: 'merges', message: key }, now),
  ];
};

export const removedMergeChange = (store: StoreAccount, merge: ContactMerge): TransactionChange => ({
  remove: mergeKey(store, merge),
});

const movedKey = ({ account }: StoreAccount, merged: number, { Kind, Id }: ContactMoved): Key =>
  layout.contactMoved.key({ account, id: merged, kind: Kind, record: Id });

/** The change that records, together with the move of a record, that it was moved. */
export const movedChange = (store: StoreAccount, merged: number, moved: ContactMoved, now: Date): Change => ({
  put: { ...movedKey(store, merged, moved), ...contactMovedEntity.write(moved), TTL: ttlAfter(now, MOVED_SECONDS) },
});

export const unmovedChange = (store: StoreAccount, merged: number, moved: ContactMoved): Change => ({
  remove: movedKey(store, merged, moved),
});

/** The records that a merge moved and no undo has moved back. */
export async function listMoved({ account, table }: StoreReader, merged: number): Promise<ContactMoved[]> {
  const partition = layout.contactMoved.of({ account, id: merged });
  const items = await listRange(table, { partition, from: 'MOVED#', to: 'MOVED#~', consistent: true });
  return items.map((item) => contactMovedEntity.read(item));
}

/** The change that records, together with the move of a page of older notes, which notes it had. */
export const movedNotesChange = (
  { account }: StoreAccount,
  merged: number,
  { page, ids }: { readonly page: number; readonly ids: readonly number[] },
  now: Date,
): Change => ({
  put: {
    ...layout.contactMovedNotes.key({ account, id: merged, page }),
    ...movedNotesEntity.write({ NoteIds: ids }),
    TTL: ttlAfter(now, MOVED_SECONDS),
  },
});

/** The notes of the pages that a merge moved. */
export async function listMovedNotes(
  { account, table }: StoreReader,
  merged: number,
): Promise<{ readonly key: Key; readonly noteIds: readonly number[] }[]> {
  const partition = layout.contactMovedNotes.of({ account, id: merged });
  const items = await listRange(table, { partition, from: 'MOVEDNOTES#', to: 'MOVEDNOTES#~', consistent: true });
  return items.map((item) => ({ key: { PK: item.PK, SK: item.SK }, noteIds: movedNotesEntity.read(item).NoteIds }));
}
