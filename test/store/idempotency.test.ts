import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { replayedResponse, savedResponseChange } from '../../lib/store/idempotency.ts';
import { RESPONSE_DICTIONARY } from '../../lib/store/response-dictionary.ts';
import { type TestTable, startTable } from '../support/engine.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const now = new Date(Date.UTC(2026, 2, 8));
let calls = 0;
const newKey = () => ({ account: 'test', publicPart: 'public', idempotencyKey: `key ${calls++}` });

/** Saves a body with another change, as a call with several changes does, and gives what that costs and replays. */
async function saveAndReplay(Body: string): Promise<{ replayed: string | undefined; writeUnits: number }> {
  const table = openTable();
  const key = newKey();
  const other = { put: { PK: `A#test#OTHER#${calls}`, SK: 'OTHER' } };
  const response = { Fingerprint: 'f'.repeat(43), Status: 200, Body };
  await table.commit([other, savedResponseChange(key, response, 'absent', now)]);
  const { response: replayed } = await replayedResponse(openTable(), key, now);
  return { replayed: replayed?.Body, writeUnits: table.meter.usage.writeUnits - 2 };
}

const resources = JSON.parse(`[${RESPONSE_DICTIONARY}]`) as Record<string, unknown>[];
const resourceWith = (...fields: string[]) =>
  resources.find((resource) => fields.every((field) => field in resource)) ?? {};
const text = (words: number, seed: number) =>
  Array.from({ length: words }, (_, word) => ((word + 7) * (seed + 13) * 2_654_435_761).toString(36).slice(0, 7)).join(
    ' ',
  );

/** A proposal with lines and their parts, as proposal/create returns it. */
const proposal = (lines: number) => ({
  ...resourceWith('ProposalLines'),
  Id: 11_001,
  Description: text(12, 1),
  Contact: { ...resourceWith('Hash', 'Nickname'), Id: 501, Name: 'Rosa Diaz', Email: 'rosa@example.com' },
  ProposalLines: Array.from({ length: lines }, (_, line) => ({
    ...resourceWith('UnitPrice', 'LineTax'),
    Id: line + 1,
    Quantity: 2,
    UnitPrice: 10 + line,
    Part: { ...resourceWith('SelfSelect'), Id: line + 1, Name: `Part ${line}`, UnitPrice: 10 + line },
  })),
});

describe('a saved response', () => {
  test.each([
    ['of a few fields', { ContactId: 17, TaskId: 4, ResultCode: 0, Message: '' }],
    ['of a contact with notes', { ...proposal(0).Contact, Notes: [{ Id: 1, Title: 'Gate', Body: text(15, 2) }] }],
    ['of a proposal with ten lines', { ...proposal(10), ResultCode: 0, Message: '' }],
  ])('%s is replayed byte for byte and costs two write units', async (_, answer) => {
    const body = JSON.stringify(answer);
    expect(await saveAndReplay(body)).toEqual({ replayed: body, writeUnits: 2 });
  });

  test('of any length and content is replayed byte for byte', { timeout: 30_000 }, async () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
      fc.integer({ min: 0, max: 400 }).map((lines) => JSON.stringify(proposal(lines))),
      fc.integer({ min: 1, max: 6_000 }).map((words) => text(words, words)),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        expect((await saveAndReplay(body)).replayed).toBe(body);
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ['as text', (body: string) => body],
    ['with gzip', (body: string) => gzipSync(body)],
  ])('of an earlier version, %s, is replayed', async (_, pack) => {
    const table = openTable();
    const key = newKey();
    const body = JSON.stringify(proposal(3));
    const change = savedResponseChange(key, { Fingerprint: 'f', Status: 200, Body: body }, 'absent', now);
    if (!('put' in change)) throw new Error('a response is put');
    const { Form: _form, ...item } = change.put;
    await table.commit([{ put: { ...item, PK: item.PK, SK: item.SK, Body: pack(body) } }]);
    expect((await replayedResponse(table, key, now)).response?.Body).toBe(body);
  });
});
