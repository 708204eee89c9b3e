import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../lib/shared/time/time.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { ResponseTooLong, StoreConflict } from '../../lib/store/dynamodb/errors.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { type ResponseKey, findResponse, responseChange } from '../../lib/store/requests/idempotency.ts';
import { requestFingerprint } from '../../lib/shared/objects.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const now = new Date(Date.UTC(2026, 2, 8));
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
const STORE = { account: 'test' };
let calls = 0;
const newKey = (): ResponseKey => ({ publicPart: 'public', idempotencyKey: `key ${calls++}` });
const responseWith = (Body: string) => ({ Fingerprint: 'f'.repeat(43), Status: 200, Body });

/** What a call does besides: a record that it makes. */
const newEffect = () => ({ put: { PK: `A#test#RECORD#${calls++}`, SK: 'RECORD', V: 1 }, if: 'absent' }) as const;

/** The item of a response, as the table holds it. */
async function storedItem(key: ResponseKey): Promise<Item> {
  const change = responseChange(STORE, key, responseWith(''), now);
  const item = 'put' in change ? await openTable().get(change.put) : undefined;
  if (!item) throw new Error('nothing is stored under the key');
  return item;
}

const text = (words: number, seed: number) =>
  Array.from({ length: words }, (_, word) => ((word + 7) * (seed + 13) * 2_654_435_761).toString(36).slice(0, 7)).join(
    ' ',
  );

describe('a saved response', () => {
  test.each([
    ['of a few fields', JSON.stringify({ ContactId: 17, TaskId: 4, ResultCode: 0, Message: '' })],
    ['of a contact', JSON.stringify({ Id: 1, Name: 'Rosa Diaz', Notes: [{ Id: 1, Body: text(90, 2) }] })],
    ['of 5,000 postal codes', Array.from({ length: 5_000 }, (_, code) => String(10_000 + code * 7)).join(',')],
  ])('%s is repeated byte for byte and costs what its bytes cost', async (_, body) => {
    const table = openTable();
    const key = newKey();
    await table.commit([newEffect(), responseChange(STORE, key, responseWith(body), now)]);
    expect(await findResponse(accountStore(openTable(), STORE.account), key, now)).toEqual(responseWith(body));
    const bytes = body.length > 1_024 ? gzipSync(body).length : body.length;
    // Two units a kilobyte in a transaction; keys and fingerprint have some 260 bytes.
    const expected = 2 * Math.ceil((bytes + 300) / 1_024);
    expect(table.meter.usage.writeUnits - 2).toBeLessThanOrEqual(expected);
  });

  test('of any length and content is repeated byte for byte', async () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
      fc.integer({ min: 1, max: 6_000 }).map((words) => text(words, words)),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const key = newKey();
        await openTable().commit([responseChange(STORE, key, responseWith(body), now)]);
        expect(await findResponse(accountStore(openTable(), STORE.account), key, now)).toEqual(responseWith(body));
      }),
      { numRuns: 25 },
    );
  });

  test('that exceeds an item when compressed is refused', () => {
    const noise = Array.from({ length: 9_000 }, (_, index) =>
      createHash('sha512').update(String(index)).digest('base64url'),
    );
    expect(() => responseChange(STORE, newKey(), responseWith(noise.join('')), now)).toThrow(ResponseTooLong);
  });

  test('is stored with the effect of its call or not at all, and once', async () => {
    const key = newKey();
    const [first, second] = [newEffect(), newEffect()];
    const call = (effect: ReturnType<typeof newEffect>, body: string) =>
      openTable().commit([effect, responseChange(STORE, key, responseWith(body), now)]);
    const outcomes = await Promise.allSettled([call(first, 'first'), call(second, 'second')]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(failures).toEqual([expect.any(StoreConflict)]);
    const made = await openTable().getMany([first.put, second.put]);
    const isFirst = outcomes[0]?.status === 'fulfilled';
    expect(made.map(({ PK }) => PK)).toEqual([(isFirst ? first : second).put.PK]);
    expect((await findResponse(accountStore(openTable(), STORE.account), key, now))?.Body).toBe(
      isFirst ? 'first' : 'second',
    );

    const other = newKey();
    const refused = openTable().commit([first, second, responseChange(STORE, other, responseWith('none'), now)]);
    await expect(refused).rejects.toThrow(StoreConflict);
    expect(await findResponse(accountStore(openTable(), STORE.account), other, now)).toBeUndefined();
  });

  test('counts for 24 hours; then the key takes another, whether TTL has removed the first or not', async () => {
    const key = newKey();
    const save = (body: string, at: Date) => openTable().commit([responseChange(STORE, key, responseWith(body), at)]);
    await save('first', now);
    expect((await findResponse(accountStore(openTable(), STORE.account), key, later(DAY)))?.Body).toBe('first');
    await expect(save('second', later(DAY))).rejects.toThrow(StoreConflict);
    expect(await findResponse(accountStore(openTable(), STORE.account), key, later(DAY + SECOND))).toBeUndefined();
    await save('second', later(DAY + SECOND));
    expect((await findResponse(accountStore(openTable(), STORE.account), key, later(DAY + SECOND)))?.Body).toBe(
      'second',
    );
  });

  test.each<[string, Record<string, unknown>]>([
    ['a text', { Body: '{"ResultCode":0}' }],
    ['compressed with a dictionary', { Body: new Uint8Array([1, 2, 3]), Form: 'dictionary' }],
    [
      'saved before its effect',
      { Body: '{}', Record: { PK: 'A#test#TASK#9', SK: 'TASK' }, Version: 1, Attempt: 'attempt' },
    ],
  ])('of another version, %s, is found without its body and not replaced', async (_, former) => {
    const key = newKey();
    await openTable().commit([responseChange(STORE, key, responseWith('{}'), now)]);
    const { Form: _form, ...item } = await storedItem(key);
    await openTable().putMany([{ ...item, PK: item.PK, SK: item.SK, ...former }]);
    expect(await findResponse(accountStore(openTable(), STORE.account), key, now)).toMatchObject({
      Status: 200,
      Body: undefined,
    });
    const again = openTable().commit([responseChange(STORE, key, responseWith('{}'), now)]);
    await expect(again).rejects.toThrow(StoreConflict);
  });
});

describe('the fingerprint of a request', () => {
  const request = { Name: 'Ana', Slots: [{ Id: 1, At: '2026-03-08T09:00:00Z' }, { Id: 2 }] };

  test('is the same whatever the order of its members, the fraction of its moments and its API key', () => {
    const slots = [{ At: '2026-03-08T09:00:00.000Z', Id: 1 }, { Id: 2 }];
    expect(requestFingerprint('task/create', { ApiKey: 'fsk_1', Slots: slots, Name: 'Ana' })).toBe(
      requestFingerprint('task/create', request),
    );
  });

  test.each([
    ['another operation', 'task/update', request],
    ['another order of a list', 'task/create', { ...request, Slots: request.Slots.toReversed() }],
    ['another second', 'task/create', { ...request, Slots: [{ Id: 1, At: '2026-03-08T09:00:01Z' }, { Id: 2 }] }],
    ['another type', 'task/create', { ...request, Name: ['Ana'] }],
  ])('differs for %s', (_, operation, other) => {
    expect(requestFingerprint(operation, other)).not.toBe(requestFingerprint('task/create', request));
  });

  test('of members in order is that of every version, as bookings and invoices keep it', () => {
    expect(requestFingerprint('appointments/book', { Duration: 60, Slots: [{ At: 'x', Id: 1 }] })).toBe(
      createHash('sha256').update('appointments/book\n{"Duration":60,"Slots":[{"At":"x","Id":1}]}').digest('base64url'),
    );
  });
});
