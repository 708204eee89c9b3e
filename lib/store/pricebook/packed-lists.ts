import { packedPieceEntity } from '../../entities/requests.ts';
import { createHash } from 'node:crypto';
import { brotliText, unbrotliText } from '../../shared/gzip.ts';
import { LruMap } from '../../shared/caches.ts';
import type { Stored } from '../../entities/declaration/entity.ts';
import { type TablePager, type TableReader, ttlAfter } from '../dynamodb/table.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Key, layout, padded } from '../keys.ts';

/** A list as it was at a revision. What belongs to a revision never changes, so it can be remembered. */
interface PackedList {
  /** The table too: a restored one counts its revisions again. */
  readonly name: string;
  readonly partition: string;
}

/** Of the JSON of the records; another form of records needs another number. */
const FORMAT = 1;
/** An item takes 400 KB. */
const PIECE_BYTES = 350_000;
/** A list that nobody changes is packed once a week. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Bytes of JSON that a container remembers: the largest price book, or the parts of several accounts. */
const REMEMBERED_BYTES = 8_000_000;

const remembered = new LruMap<readonly object[]>({ max: 100, maxSize: REMEMBERED_BYTES });

/** The packed form of a list at a revision; it expires like the saved lists of queries, beside which it is stored. */
export function packedList(account: string, list: string, revision: number): PackedList {
  const partition = layout.cursor.of({ account, fingerprint: `${list}-${FORMAT}-${revision}` });
  return { name: `${process.env['TABLE_NAME'] ?? ''}\n${partition}`, partition };
}

/**
 * The records of a packed list, which a former version may have packed; `undefined` if it is not packed. They are
 * shared: nobody may change them.
 */
export async function findPackedList<Of extends object>(
  table: TableReader,
  { name, partition }: PackedList,
  read: (stored: Stored) => Of,
): Promise<readonly Of[] | undefined> {
  const known = remembered.get(name);
  if (known) return known as readonly Of[];
  const pieces = (await listRange(table, { partition, consistent: false })).map(packedPieceEntity.read);
  // Two calls may have packed it at the same time, each in an order of attributes of its own.
  for (const [digest, own] of Map.groupBy(pieces, ({ Digest }) => Digest)) {
    if (own.length !== own[0]?.Pieces) continue;
    const json = unbrotliText(Buffer.concat(own.map(({ Bytes }) => Bytes)));
    if (digestOf(json) !== digest) continue;
    const records = (JSON.parse(json) as Stored[]).map(read);
    remembered.set(name, records, json.length);
    return records;
  }
  return undefined;
}

const digestOf = (json: string): string => createHash('sha256').update(json).digest('base64url').slice(0, 16);

/** Remembers a list, and packs it for other containers where the table can be written. Safe to repeat. */
export async function rememberList(
  table: TableReader & Partial<TablePager>,
  { name, partition }: PackedList,
  records: readonly object[],
): Promise<void> {
  const json = JSON.stringify(records.map((record) => withoutKeys(record)));
  remembered.set(name, records, json.length);
  const bytes = brotliText(json);
  const digest = digestOf(json);
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  const pieces = Array.from({ length: count }, (_, piece) => ({
    PK: partition,
    SK: `${padded(piece)}#${digest}`,
    Digest: digest,
    Pieces: count,
    Bytes: bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES),
    TTL: ttlAfter(new Date(), KEPT_SECONDS),
  }));
  await Promise.all(pieces.map((piece) => table.writeCursor?.(piece)));
}

const withoutKeys = ({ PK: _, SK: __, ...record }: Partial<Key>): object => record;
