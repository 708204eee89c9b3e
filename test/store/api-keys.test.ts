import type { ApiKeyRecord } from '../../lib/entities/api-keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, findKey, listKeys, parseKey, revokeKey, rotateKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { accountStore } from '../../lib/store/store.ts';

const now = new Date('2026-11-21T14:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

const table = () => openTable();
const input = {
  account: 'blue',
  organizationId: 3,
  name: 'Web site',
  role: 'Office',
  rate: 7,
  subscriber: 'erp',
  dateStyle: 'us',
  lenient: true,
  channel: 'Web',
  campaign: 'Spring',
  feed: 'flat',
  now,
} as const;

async function recordOf(key: string): Promise<ApiKeyRecord | undefined> {
  const parts = parseKey(key);
  return parts && findKey(table(), parts);
}

describe('an API key', () => {
  test('is found by its whole text alone, and its secret is nowhere in the table', async () => {
    const { key, record } = await createKey(accountStore(table(), input.account), input);
    expect(key).toMatch(/^fsk_live_[0-9A-Za-z]{50}$/);
    expect(await recordOf(key)).toEqual(record);
    expect(record).toMatchObject({
      Account: 'blue',
      OrganizationId: 3,
      Role: 'Office',
      Rate: 7,
      Burst: 14,
      Subscriber: 'erp',
      DateStyle: 'us',
      Lenient: true,
      Channel: 'Web',
      Campaign: 'Spring',
      Feed: 'flat',
      ExpiresAt: null,
    });
    expect(await recordOf(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBeUndefined();
    const item = await table().get(layout.apiKey.key({ public: record.Public }));
    expect(JSON.stringify(item)).not.toContain(key.slice(21, 53));
    expect(item?.['SecretHash']).toHaveLength(32);
  });

  test('shows where it works, and one with a typing error is refused before the table is read', async () => {
    const { key } = await createKey(accountStore(table(), input.account), { ...input, isTest: true });
    expect(key).toMatch(/^fsk_test_/);
    expect(parseKey(key)).toBeDefined();
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(parseKey(key.slice(0, index) + other + key.slice(index + 1))).toBeUndefined();
    }
  });

  test('is in the list of its account, oldest first, and in no other', async () => {
    const first = await createKey(accountStore(table(), 'listed'), { ...input, now });
    const second = await createKey(accountStore(table(), 'listed'), { ...input, now: new Date(now.getTime() + 1) });
    expect((await listKeys(accountStore(table(), 'listed'))).map(({ Public, LastUsed }) => [Public, LastUsed])).toEqual(
      [
        [first.record.Public, ''],
        [second.record.Public, ''],
      ],
    );
    expect(await listKeys(accountStore(table(), 'empty'))).toEqual([]);
  });

  test('is revoked once, by its own account only', async () => {
    const { key, record } = await createKey(accountStore(table(), input.account), input);
    expect(await revokeKey(accountStore(table(), 'other'), record.Public, now)).toBeUndefined();
    expect((await recordOf(key))?.RevokedAt).toBeNull();
    expect((await revokeKey(accountStore(table(), 'blue'), record.Public, now))?.RevokedAt).toBe(now.getTime());
    const later = new Date(now.getTime() + DAY);
    expect((await revokeKey(accountStore(table(), 'blue'), record.Public, later))?.RevokedAt).toBe(now.getTime());
    expect((await recordOf(key))?.RevokedAt).toBe(now.getTime());
  });
});

describe('rotating a key', () => {
  const rotate = (
    record: ApiKeyRecord,
    { account = 'blue', ...more }: { expiresAt?: number; now?: Date; account?: string } = {},
  ) => rotateKey(accountStore(table(), account), record.Public, { grace: 2 * HOUR, now, ...more });

  test('makes one with the same properties, and ends the old one after the grace period', async () => {
    const { key, record } = await createKey(accountStore(table(), input.account), {
      ...input,
      expiresAt: now.getTime() + 30 * DAY,
    });
    const rotation = await rotate(record);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    const { Public, ...same } = rotation.record;
    expect({ ...same, Public: record.Public }).toEqual(record);
    expect(Public).not.toBe(record.Public);
    expect(await recordOf(rotation.key)).toEqual(rotation.record);
    expect(await recordOf(key)).toEqual({ ...record, ExpiresAt: now.getTime() + 2 * HOUR, ReplacedBy: Public });
  });

  test('never makes the old one live longer, and takes another end for the new one', async () => {
    const { key, record } = await createKey(accountStore(table(), input.account), {
      ...input,
      expiresAt: now.getTime() + HOUR,
    });
    const rotation = await rotate(record, { expiresAt: now.getTime() + DAY });
    expect(rotation).toMatchObject({
      kind: 'rotated',
      endsAt: now.getTime() + HOUR,
      record: { ExpiresAt: now.getTime() + DAY },
    });
    expect((await recordOf(key))?.ExpiresAt).toBe(now.getTime() + HOUR);
  });

  test('happens once: of several at the same time at most one succeeds', async () => {
    const { record } = await createKey(accountStore(table(), 'race'), { ...input });
    const rotations = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(record, { account: 'race' })));
    const made = rotations.flatMap((result) =>
      result.status === 'fulfilled' && result.value.kind === 'rotated' ? [result.value.record.Public] : [],
    );
    expect(made).toHaveLength(1);
    expect((await listKeys(accountStore(table(), 'race'))).map(({ Public }) => Public).sort()).toEqual(
      [record.Public, ...made].sort(),
    );
    expect(await rotate(record, { account: 'race' })).toEqual({ kind: 'replaced', by: made[0] });
  });

  test("is refused for a key that is another account's, that is revoked, or that has expired", async () => {
    const { record } = await createKey(accountStore(table(), input.account), {
      ...input,
      expiresAt: now.getTime() + HOUR,
    });
    expect(await rotate(record, { account: 'other' })).toEqual({ kind: 'absent' });
    expect(await rotate(record, { now: new Date(now.getTime() + HOUR) })).toEqual({ kind: 'ended' });
    await revokeKey(accountStore(table(), 'blue'), record.Public, now);
    expect(await rotate(record)).toEqual({ kind: 'ended' });
  });
});
