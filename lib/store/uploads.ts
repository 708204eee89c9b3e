import { type PendingUpload, type UploadRecord, pendingUploadEntity, uploadEntity } from '../entities/uploads.ts';
import { LIST_LIMITS } from '../domain/list-limits.ts';
import { MAX_ANNOUNCED_BYTES } from '../domain/uploads/limits.ts';
import { incomingFileKey, keptFileKey, sentFileKey } from '../domain/uploads/record.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { findByIds, listRange, versionedChange } from './dynamodb/records.ts';
import { finderOf } from './visibility.ts';
import { INDEX_SHARDS } from './indexes.ts';
import { indexLayout, layout, momentKey } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

const KIND = 'Upload';

export const findUpload = finderOf(uploadEntity, layout.upload);

/** Files by id, skipping missing ones. One request. */
export const findUploads = ({ table, account }: StoreReader, ids: readonly number[]): Promise<UploadRecord[]> =>
  findByIds(table, uploadEntity, ids, (id) => layout.upload.key({ account, id }), { consistent: true });

/** Every file of a contact, including those of its proposals, by id. Reads all pages: for tools. */
export async function listContactUploads(store: StoreReader, contact: number): Promise<UploadRecord[]> {
  const { account, table } = store;
  const partition = indexLayout.GSI4.of({ account, contact, kind: KIND });
  const entries = await listRange(table, { index: 'GSI4', partition });
  return findUploads(
    store,
    entries.map(({ SK, PK }) => idOf({ SK, PK })),
  );
}

/** `A#{account}#UPLOAD#{id}`. */
const idOf = ({ PK }: Pick<Item, 'PK' | 'SK'>): number => Number(PK.split('#').at(-1));

/** The number of times that files were added to a proposal; 0 if none. */
export const findFileListVersion = async ({ table, account }: StoreReader, id: number): Promise<number> =>
  Number((await table.get(layout.proposalFileList.key({ account, id })))?.['Version'] ?? 0);

const proposalFileRange = ({ account }: StoreAccount, id: number) => ({
  partition: layout.proposalFile.of({ account, id }),
  from: layout.proposalFile.key({ account, id, upload: 1 }).SK,
  to: 'FILE#~',
});

/** How many files a proposal has, counted up to `limit`. */
export async function countProposalUploads(store: StoreReader, id: number, limit: number): Promise<number> {
  const { table } = store;
  const range = { ...proposalFileRange(store, id), attributes: ['PK', 'SK'], consistent: true };
  return (await listRange(table, range, { limit })).length;
}

/** The ids of a proposal's files, oldest first. One round. */
export const listProposalUploadIds = async (store: StoreReader, id: number): Promise<number[]> =>
  (await listRange(store.table, proposalFileRange(store, id), { limit: LIST_LIMITS.proposalFiles.entries })).map(
    (item) => Number(item['Id']),
  );

/**
 * The change that adds files to a list, provided that it is unchanged since the version was read, before the files were
 * counted: of two calls that count the same files, one fails and counts again.
 */
export const fileListChange = ({ account }: StoreAccount, id: number, version: number): Change => ({
  put: { ...layout.proposalFileList.key({ account, id }), Version: version + 1 },
  if: version ? { equals: { Version: version } } : 'absent',
});

/** The changes that store a file in its next version, and that file; a new file of a proposal is added to its list. */
export function uploadChanges(
  { account }: StoreAccount,
  { before, after }: { before: UploadRecord | undefined; after: UploadRecord },
): { record: UploadRecord; changes: Change[] } {
  const { Id: id, ContactId: contact, ProposalId, Created } = after;
  const { PK, SK } = indexLayout.GSI4.key({ account, contact, kind: KIND, date: momentKey(Created), id });
  const byDate = indexLayout.GSI1.key({ account, kind: KIND, shard: id % INDEX_SHARDS, date: momentKey(Created), id });
  const indexes = { GSI1PK: byDate.PK, GSI1SK: byDate.SK, GSI4PK: PK, GSI4SK: SK };
  const key = layout.upload.key({ account, id });
  const { record, change } = versionedChange(uploadEntity, key, { before, after, indexes });
  if (before || ProposalId === null) return { record, changes: [change] };
  const entry = layout.proposalFile.key({ account, id: ProposalId, upload: id });
  return { record, changes: [change, { put: { ...entry, Id: id } }] };
}

/**
 * The changes that remove a file from the table, if it is unchanged since it was read. Its content is at
 * `uploadedFileKeys`; its event is upload.deleted.
 */
export const removeUploadChanges = ({ account }: StoreAccount, { Id: id, ProposalId, V }: UploadRecord): Change[] => [
  { remove: layout.upload.key({ account, id }), if: { equals: { V } } },
  ...(ProposalId === null ? [] : [{ remove: layout.proposalFile.key({ account, id: ProposalId, upload: id }) }]),
];

const MAX_DUE = 25;

/** Files uploaded by then: the oldest of each of 8 ranges. */
export async function findDueUploads(store: StoreReader, through: number): Promise<UploadRecord[]> {
  const { account, table } = store;
  const pages = await Promise.all(
    Array.from({ length: INDEX_SHARDS }, (_, shard) => {
      const partition = indexLayout.GSI1.of({ account, kind: KIND, shard });
      return table.query({ index: 'GSI1', partition, to: `${momentKey(through)}~`, limit: MAX_DUE });
    }),
  );
  return findUploads(store, pages.flatMap(({ items }) => items).map(idOf));
}

/** All places in the bucket that may hold the content of a file. */
export const uploadedFileKeys = ({ account }: StoreAccount, upload: UploadRecord): string[] =>
  [sentFileKey, incomingFileKey, keptFileKey].map((keyOf) => keyOf(account, upload));

/** The prefixes of all files of an account in the bucket. */
export const uploadPrefixes = ({ account }: StoreAccount): string[] => [`incoming/${account}/`, `uploads/${account}/`];

/** As long as the bucket keeps unconfirmed files. */
const PENDING_SECONDS = DAY / SECOND;

/** The changes that announce files which their sender puts into the bucket. They leave the table after a day. */
export const pendingUploadChanges = (
  { account }: StoreAccount,
  uploads: readonly PendingUpload[],
  now: Date,
): Change[] =>
  uploads.map((upload) => ({
    put: { ...layout.pendingUpload.key({ account, id: upload.Id }), ...upload, TTL: ttlAfter(now, PENDING_SECONDS) },
    if: 'absent',
  }));

/** Who announces files, and when. */
interface Announcer {
  readonly keyId: string;
  readonly now: Date;
}

const announcedKey = ({ account }: StoreAccount, { now }: Announcer) =>
  layout.announcedBytes.key({ account, day: now.toISOString().slice(0, 10) });
const bytesOfKey = ({ keyId }: Announcer): string => `K${keyId}`;

/** Bytes of files that were announced on the day: by all keys of the account, and by this one. */
export async function findAnnouncedBytes(
  store: StoreReader,
  announcer: Announcer,
): Promise<{ readonly account: number; readonly key: number }> {
  const item = await store.table.get(announcedKey(store, announcer));
  return { account: Number(item?.['Bytes'] ?? 0), key: Number(item?.[bytesOfKey(announcer)] ?? 0) };
}

/** The change that counts announced bytes. It fails if those of other calls leave no room; then the call runs again. */
export const announcedBytesChange = (store: StoreAccount, announcer: Announcer, bytes: number): Change => ({
  update: announcedKey(store, announcer),
  set: { TTL: ttlAfter(announcer.now, 2 * PENDING_SECONDS) },
  add: { Bytes: bytes, [bytesOfKey(announcer)]: bytes },
  if: {
    atLeast: {},
    below: {
      Bytes: MAX_ANNOUNCED_BYTES.account - bytes + 1,
      [bytesOfKey(announcer)]: MAX_ANNOUNCED_BYTES.key - bytes + 1,
    },
  },
});

/** Announced files by id, skipping those that no longer wait. One request. */
export async function findPendingUploads(
  { table, account }: StoreReader,
  ids: readonly number[],
  now: Date,
): Promise<PendingUpload[]> {
  const items = await table.getMany(
    ids.map((id) => layout.pendingUpload.key({ account, id })),
    { consistent: true },
  );
  return items.filter(({ TTL }) => Number(TTL) > now.getTime() / SECOND).map((item) => pendingUploadEntity.read(item));
}

/** The change that confirms an announced file; it fails if another call was first. */
export const confirmedUploadChange = ({ account }: StoreAccount, { Id: id, Handle }: PendingUpload): Change => ({
  remove: layout.pendingUpload.key({ account, id }),
  if: { equals: { Handle } },
});
