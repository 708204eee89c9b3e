import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Change, Item } from '../../lib/store/dynamodb/changes.ts';
import { type TableReader, openTable } from '../../lib/store/dynamodb/table.ts';
import { StoreConflict } from '../../lib/store/dynamodb/errors.ts';
import { Verification } from '../../lib/store/dynamodb/verification.ts';
import { indexKeys } from '../../lib/store/indexes.ts';
import { layout } from '../../lib/store/keys.ts';
import { Patience, commitWithResponse, findResponse } from '../../lib/store/requests/idempotency.ts';
import { RESPONSE_DICTIONARY } from '../../lib/store/requests/packed-responses.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { enumerateChoices } from '../support/faults/interleavings.ts';
import { playRepeats, scenarios } from '../support/faults/repeated-calls.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const now = new Date(Date.UTC(2026, 2, 8));
let calls = 0;
const newScope = () => ({
  key: { account: 'test', publicPart: 'public', idempotencyKey: `key ${calls++}` },
  now,
  patience: new Patience(),
});

/** Saves a body with another change, as a call with several changes does, and gives what that costs and replays. */
async function saveAndReplay(
  Body: string,
  request: Record<string, unknown> = {},
): Promise<{ replayed: string | undefined; writeUnits: number }> {
  const table = openTable();
  const scope = { ...newScope(), request };
  const other = { put: { PK: `A#test#OTHER#${calls}`, SK: 'OTHER' } };
  const response = { Fingerprint: 'f'.repeat(43), Status: 200, Body };
  await commitWithResponse(table, [other], response, { ...scope, unchanged: 'absent' });
  const { response: replayed } = await findResponse(openTable(), scope);
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

  const amounts = (count: number) =>
    Array.from({ length: count }, (_, row) => ({
      CampaignId: row,
      Year: 2027,
      Amount: ((row * 7_919) % 100_003) / 100,
    }));
  const codes = Array.from({ length: 5_000 }, (_, code) => String(10_000 + code * 7 + ((code * 13) % 7))).join(',');
  test.each<[string, Record<string, unknown>, object]>([
    [
      'of 480 rows with the amounts of the request',
      { Updates: amounts(480) },
      { Updates: amounts(480).map((row) => ({ ...row, Name: '', InvoiceUrl: null, Results: 'Updated' })), Count: 480 },
    ],
    [
      'of an organization with 5,000 postal codes of the request',
      { OrganizationId: 1, PostalCodes: codes },
      { Organization: { Id: 1, PostalCodes: codes, Users: [] }, Count: 1 },
    ],
    [
      'of notes that repeat the request',
      { Note: { Body: text(3_000, 5) } },
      { ContactId: 5, Notes: [{ Id: 1, Body: text(3_000, 5) }] },
    ],
  ])('%s is replayed byte for byte and costs two write units', async (_, request, answer) => {
    const body = JSON.stringify(answer);
    expect(await saveAndReplay(body, request)).toEqual({ replayed: body, writeUnits: 2 });
  });

  test('has moments as they were, where the repeated request writes them otherwise', async () => {
    const rows = (fraction: string) =>
      Array.from({ length: 200 }, (_, row) => ({ Id: (row * 7_919) % 100_003, At: `2026-03-08T10:00:00${fraction}Z` }));
    const scope = { ...newScope(), request: { Rows: rows('') } };
    const body = JSON.stringify({ Rows: rows('').map((row) => ({ ...row, Result: 'ok' })) });
    const response = { Fingerprint: 'f', Status: 200, Body: body };
    await commitWithResponse(openTable(), [], response, { ...scope, unchanged: 'absent' });
    const repeated = await findResponse(openTable(), { ...scope, request: { Rows: rows('.000') } });
    expect(repeated.response?.Body).toBe(body);
    const other = await findResponse(openTable(), { ...scope, request: { Rows: 'no rows' } });
    expect(other.response?.Fingerprint).toBe('f');
  });

  test('of any length and content is replayed byte for byte', async () => {
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
    const scope = newScope();
    const body = JSON.stringify(proposal(3));
    const response = { Fingerprint: 'f', Status: 200, Body: body };
    let stored: Item | undefined;
    const capture = {
      ...table,
      async commit([change]: readonly Change[]) {
        if (change && 'put' in change) stored = change.put;
      },
    };
    await commitWithResponse(capture, [], response, { ...scope, unchanged: 'absent' });
    if (!stored) throw new Error('a response is put');
    const { Form: _form, ...item } = stored;
    await table.commit([{ put: { ...item, PK: stored.PK, SK: stored.SK, Body: pack(body) } }]);
    expect((await findResponse(table, scope)).response?.Body).toBe(body);
  });
});

describe('a put of one record with its response', () => {
  const limits = { timeout: 1_800_000 };
  test.each(scenarios)('of $name is made once, and answered alike in every order', limits, async (scenario) => {
    const count = await enumerateChoices((choose) => playRepeats(scenario, choose));
    expect(count).toBeGreaterThan(200);
  });

  test('that another call with the key made is found, whatever the attempt before has read of the record', async () => {
    const scope = newScope();
    const key = { PK: `A#test#RECORD#${calls}`, SK: 'RECORD' };
    const response = { Fingerprint: 'f', Status: 200, Body: '{"Made":true}' };
    const verification = new Verification<TableReader>();
    verification.begin();
    const late = openTable({ gathersReads: true, verification });
    const { unchanged } = await findResponse(late, scope);
    expect(await late.get(key)).toBeUndefined();
    // Meanwhile somebody makes the record, and the other call its second version.
    await openTable().commit([{ put: { ...key, V: 1 }, if: 'absent', carriesMarks: true }]);
    const change: Change = { put: { ...key, V: 2 }, if: { equals: { V: 1 } }, carriesMarks: true };
    await commitWithResponse(openTable(), [change], response, { ...scope, unchanged: 'absent' });
    const own = { put: { ...key, V: 1 }, if: 'absent', carriesMarks: true } as const;
    const again = { ...response, Body: '{"Made":"twice"}' };
    await expect(commitWithResponse(late, [own], again, { ...scope, unchanged })).rejects.toThrow(StoreConflict);
    await late.beginAgain?.();
    expect((await findResponse(late, scope)).response).toEqual(response);
  });

  test('whose creation was given up is in no index, and can no longer be created', async () => {
    const account = 'abandoned';
    const key = layout.task.key({ account, id: 7 });
    const ofIndexes = indexKeys({
      account,
      organization: 1,
      contact: 3,
      kind: 'Task',
      date: 0,
      updated: 0,
      id: 7,
      open: true,
      facts: {},
    });
    const put = { ...key, ...ofIndexes, Id: 7, V: 1 };
    const table = openTable();
    const scope = newScope();
    // The call dies between the two writes: its response is saved, its record is not.
    const dying = { ...table, commit: (changes: readonly Change[]) => (isOfTask(changes) ? died() : commit(changes)) };
    const commit = (changes: readonly Change[]) => table.commit(changes);
    const isOfTask = ([change]: readonly Change[]) =>
      change !== undefined && 'put' in change && change.put.PK === key.PK;
    const died = () => Promise.reject(new Error('The container ended.'));
    const response = { Fingerprint: 'f'.repeat(43), Status: 200, Body: '{}' };
    const change = { put, if: 'absent', carriesMarks: true } as const;
    await expect(commitWithResponse(dying, [change], response, { ...scope, unchanged: 'absent' })).rejects.toThrow(
      'The container ended.',
    );
    const found = await findResponse(table, { ...scope, patience: { isOver: () => true } });
    expect(found.response).toBeUndefined();

    expect(await table.get(key, { abandoned: true })).toMatchObject({ Z: true });
    for (const index of ['GSI1', 'GSI2', 'GSI3', 'GSI4'] as const) {
      const partition = ofIndexes[`${index}PK`] as string;
      const range = { index, partition, attributes: ['PK', `${index}SK`] };
      expect(await table.query(range)).toEqual({ items: [], next: undefined, read: 0 });
    }
    expect(await table.getMany([key], { attributes: ['Id'] })).toEqual([]);
    const ofTable = await table.query({ partition: key.PK, attributes: ['SK'], consistent: true });
    expect(ofTable.items).toEqual([]);
    await expect(table.commit([change])).rejects.toThrow(StoreConflict);
  });
});
