import { type StoredCall, callEntity } from '../../entities/calls.ts';
import type { CallRecord } from '../../domain/calls.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { findByIds, listRange, versionedChange, reserveIds } from '../dynamodb/records.ts';
import { INDEX_SHARDS, idInOrderKey, indexKeys, orderKeyIn } from '../indexes.ts';
import { callerLayout, indexLayout, layout, momentKey } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

const KIND = 'Call';
/** Entries of a range that are read at once. */
const MAX_READ = 100;

/** By date, and by contact; calls without contact by number. No other query reads calls. */
function callIndexes(
  { account }: StoreAccount,
  { Id: id, OrganizationId, ContactId: contact, Created, PhoneKey }: StoredCall,
) {
  const { F, GSI1PK, GSI1SK, GSI4PK, GSI4SK } = indexKeys({
    account,
    kind: callEntity,
    id,
    organization: OrganizationId,
    contact,
    date: Created,
    updated: Created,
    open: false,
    facts: {},
  });
  const caller =
    contact === null && PhoneKey ? callerLayout.key({ account, phone: PhoneKey, date: momentKey(Created), id }) : null;
  return {
    F,
    GSI1PK,
    GSI1SK,
    ...(GSI4PK ? { GSI4PK, GSI4SK } : {}),
    ...(caller ? { GSI4PK: caller.PK, GSI4SK: caller.SK } : {}),
  };
}

/** Stores a call in its next version, or removes it. */
export const callChange = (store: StoreAccount, before: StoredCall | undefined, after: StoredCall): Change => {
  const { account } = store;
  const indexes = callIndexes(store, after);
  const key = layout.call.key({ account, id: after.Id });
  // A removal (by erasure or retention) first confirms the call's response, because a repeat must not store it again.
  return versionedChange(callEntity, key, { before, after, indexes }).change;
};

export type NewCall = CallRecord & Pick<StoredCall, 'OrganizationId' | 'NoteId' | 'PhoneKey'>;

export const newCallChange = (store: StoreAccount, id: number, call: NewCall, now: Date): Change =>
  callChange(store, undefined, { Id: id, Created: now.getTime(), V: 0, ...call });

export const reserveCallId = async (store: StoreWriter): Promise<number> => (await reserveIds(store, KIND, 1))[0] ?? 0;

/** Calls by id, skipping missing ones. */
export const findCalls = ({ table, account }: StoreReader, ids: readonly number[]): Promise<StoredCall[]> =>
  findByIds(table, callEntity, ids, (id) => layout.call.key({ account, id }), { consistent: true });

const idsOf = (entries: readonly Item[], index: 'GSI1' | 'GSI4'): number[] =>
  entries.map((entry) => idInOrderKey(orderKeyIn(String(entry[`${index}SK`]))));

/** The ids of calls without contact from or to a number. The index may be a second old. */
export async function listCallerCallIds({ account, table }: StoreReader, phone: string): Promise<number[]> {
  const partition = callerLayout.of({ account, phone });
  const entries = await listRange(table, { index: 'GSI4', partition, attributes: ['GSI4SK'] });
  return idsOf(entries, 'GSI4');
}

/** The ids of calls logged since then. The index may be a second old. */
export async function listCallIdsSince({ account, table }: StoreReader, since: number): Promise<number[]> {
  const shards = await Promise.all(
    Array.from({ length: INDEX_SHARDS }, (_, shard) => {
      const partition = indexLayout.GSI1.of({ account, kind: KIND, shard });
      return listRange(table, { index: 'GSI1', partition, from: momentKey(since), attributes: ['GSI1SK'] });
    }),
  );
  return idsOf(shards.flat(), 'GSI1');
}

/** The newest calls, newest first; with `isUnattached` only those without contact. Reads 8 ranges, each in parts. */
export async function listRecentCalls(
  store: StoreReader,
  { count, isUnattached }: { count: number; isUnattached: boolean },
): Promise<StoredCall[]> {
  const { account, table } = store;
  const shards = await Promise.all(
    Array.from({ length: INDEX_SHARDS }, async (_, shard) => {
      const partition = indexLayout.GSI1.of({ account, kind: KIND, shard });
      const found: StoredCall[] = [];
      let after: string | undefined;
      do {
        const page = await table.query({ index: 'GSI1', partition, descending: true, limit: MAX_READ, after });
        const calls = await findCalls(store, idsOf(page.items, 'GSI1'));
        found.push(...calls.filter(({ ContactId }) => !isUnattached || ContactId === null));
        after = page.next;
      } while (after !== undefined && found.length < count);
      return found;
    }),
  );
  return shards
    .flat()
    .sort((a, b) => b.Created - a.Created || b.Id - a.Id)
    .slice(0, count);
}

/** Calls logged by then: the oldest of each of 8 ranges, with their items. */
export async function findDueCalls(store: StoreReader, through: number): Promise<StoredCall[]> {
  const { account, table } = store;
  const pages = await Promise.all(
    Array.from({ length: INDEX_SHARDS }, (_, shard) => {
      const partition = indexLayout.GSI1.of({ account, kind: KIND, shard });
      return table.query({ index: 'GSI1', partition, to: `${momentKey(through)}~`, limit: MAX_READ });
    }),
  );
  return findCalls(
    store,
    pages.flatMap(({ items }) => idsOf(items, 'GSI1')),
  );
}
