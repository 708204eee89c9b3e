import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import type { Key } from '../../../lib/store/keys.ts';
import { table as description } from '../../../infra/table.ts';

/** The layout of the engine's file that is written here. */
const SCHEMA_VERSION = '9';
/** SQLite's memory for pages, in KB: all that a load touches. */
const CACHE_KILOBYTES = 1_500_000;

export interface EngineLoader {
  put(items: readonly Item[], removals?: readonly Key[]): void;
  close(): void;
}

/** A value as DynamoDB writes it in JSON, and its size in bytes as DynamoDB counts it. */
function encode(value: unknown): readonly [json: string, bytes: number] {
  if (typeof value === 'string') return [`{"S":${JSON.stringify(value)}}`, Buffer.byteLength(value)];
  if (typeof value === 'number') return [`{"N":"${value}"}`, bytesOfNumber(value)];
  if (typeof value === 'boolean') return [`{"BOOL":${value}}`, 1];
  if (value === null) return ['{"NULL":true}', 1];
  if (value instanceof Uint8Array) return [`{"B":"${Buffer.from(value).toString('base64')}"}`, value.length];
  if (Array.isArray(value)) {
    const elements = value.map(encode);
    const bytes = elements.reduce((sum, [, size]) => sum + size + 1, 3);
    return [`{"L":[${elements.map(([json]) => json).join(',')}]}`, bytes];
  }
  const [json, bytes] = encodeAttributes(value as Item);
  return [`{"M":${json}}`, bytes + 3 + Object.values(value as Item).filter((one) => one !== undefined).length];
}

/** Two digits a byte on each side of the point, and one for the rest; zeros at both ends do not count. */
function bytesOfNumber(value: number): number {
  const [whole = '', fraction = ''] = String(Math.abs(value)).split('.');
  const sides = fraction ? [whole.replace(/^0+/, ''), fraction] : [whole.replace(/^0+|0+$/g, '')];
  const digits = fraction && !sides[0] ? ['', fraction.replace(/^0+/, '')] : sides;
  return digits.reduce((sum, side) => sum + Math.ceil(side.length / 2), 1 + (value < 0 ? 1 : 0));
}

function encodeAttributes(attributes: Readonly<Record<string, unknown>>): readonly [json: string, bytes: number] {
  const parts: string[] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    const [json, size] = encode(value);
    parts.push(`${JSON.stringify(name)}:${json}`);
    bytes += Buffer.byteLength(name) + size;
  }
  return [`{${parts.join(',')}}`, bytes];
}

/**
 * Writes items into the file of a stopped engine, without its stream: 10 µs an item, where the engine takes 100 in a
 * transaction of a hundred. Everything is written at `close`.
 */
export function openEngineLoader(file: string, tableName: string): EngineLoader {
  const database = new DatabaseSync(file);
  const { value: version } = database.prepare("SELECT value FROM _config WHERE key = 'schema_version'").get() ?? {};
  if (version !== SCHEMA_VERSION) throw new Error(`The engine's file has layout ${String(version)}: check the loader.`);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KILOBYTES}; BEGIN`);
  const insert = database.prepare(
    `INSERT OR REPLACE INTO "${tableName}" (pk, sk, item_json, item_size, hash_prefix) VALUES (?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare(`DELETE FROM "${tableName}" WHERE pk = ? AND sk = ?`);
  const indexes = description.indexes.map(({ name, partitionKey, sortKey, include }) => {
    const entries = `"${tableName}::gsi::${name}"`;
    return {
      keys: [partitionKey, sortKey] as const,
      names: ['PK', 'SK', partitionKey, sortKey, ...include],
      insert: database.prepare(
        `INSERT INTO ${entries} (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
      ),
      remove: database.prepare(`DELETE FROM ${entries} WHERE table_pk = ? AND table_sk = ?`),
    };
  });
  const removeOne = ({ PK, SK }: Key) => {
    if (remove.run(`S:${PK}`, `S:${SK}`).changes === 0) return;
    for (const index of indexes) index.remove.run(`S:${PK}`, `S:${SK}`);
  };
  const prefix = (partition: string) => createHash('md5').update(`Outliers${partition}`).digest('hex').slice(0, 6);
  return {
    put(items, removals = []) {
      for (const key of removals) removeOne(key);
      for (const item of items) {
        const [pk, sk] = [`S:${item.PK}`, `S:${item.SK}`];
        const [json, bytes] = encodeAttributes(item);
        if (indexes.some(({ keys: [partitionKey] }) => item[partitionKey] !== undefined)) removeOne(item);
        insert.run(pk, sk, json, bytes, prefix(item.PK));
        for (const { keys, names, insert: insertEntry } of indexes) {
          const [partition, sort] = keys.map((name) => item[name]);
          if (partition === undefined || sort === undefined) continue;
          const projected = Object.fromEntries(names.map((name) => [name, item[name]]));
          insertEntry.run(`S:${String(partition)}`, `S:${String(sort)}`, pk, sk, encodeAttributes(projected)[0]);
        }
      }
    },
    close() {
      database.exec('COMMIT; PRAGMA journal_mode = WAL');
      database.close();
    },
  };
}
