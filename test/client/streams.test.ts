import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { operationTable } from '../../infra/client/described-operations.ts';
import { exactDocument } from '../../infra/client/exact-document.ts';
import type { Event } from '../../lib/client/api.ts';
import type { Options } from '../../lib/client/caller.ts';
import type { EventOptions } from '../../lib/client/events.ts';
import { fieldServiceOf } from '../../lib/client/field-service.ts';
import { until } from '../support/stack/process.ts';
import { type TestAccount, testAccount, testStack } from '../support/stack/stack.ts';

const FieldService = fieldServiceOf(operationTable(exactDocument()));

let account: TestAccount;
const ids: number[] = [];
const connect = (options: Partial<Options> = {}) =>
  new FieldService({ url: testStack().BaseUrl, key: account.key, ...options });
/** A client whose events nobody else reads. */
const subscriber = async (name: string) =>
  connect({ key: await account.newKey({ role: 'DataSubscriber', subscriber: name }) });

beforeAll(async () => {
  account = await testAccount();
  const contacts = Array.from({ length: 20 }, (_, index) => ({
    Name: `Streamed ${index}`,
    Email: `s${index}@example.com`,
  }));
  const { Matches } = await connect().call('contacts/addupdate', { Matches: contacts });
  ids.push(...(Matches as { Id: number }[]).map(({ Id }) => Id));
  await connect().call('task/create', { Description: 'After the contacts' });
  // Every change is an event within a second.
  await until(
    async () => (await connect().call('datasubscriber/fetch', { EventCount: 1 }))['EventCount'] === 21,
    20_000,
  );
});

const kindsOf = (events: readonly Event[]) => events.map(({ Payload }) => Payload.Kind);

async function read(fs: ReturnType<typeof connect>, options: EventOptions = {}): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of fs.events({ once: true, ...options })) events.push(event);
  return events;
}

describe('events', () => {
  test('come once and in order, and are cleared by then', async () => {
    const fs = await subscriber('reader');
    const events = await read(fs);
    expect(events.map(({ Id }) => Id)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    expect(kindsOf(events).at(-1)).toBe('task.created');
    expect(await read(fs)).toEqual([]);
  });

  test('that were not handled come again: after an error and after a break', async () => {
    const fs = await subscriber('failing');
    const seen: number[] = [];
    const failing = async () => {
      for await (const { Id } of fs.events({ once: true })) {
        seen.push(Id);
        if (Id === 3) throw new Error('The third fails.');
      }
    };
    await expect(failing()).rejects.toThrow('The third fails.');
    for await (const { Id } of fs.events({ once: true })) {
      seen.push(Id);
      if (Id === 5) break;
    }
    expect(seen).toEqual([1, 2, 3, 3, 4, 5]);
    expect((await read(fs))[0]?.Id).toBe(5);
  });

  test('of some kinds leave the others out, however many lie between', async () => {
    const events = await read(await subscriber('kinds'), { kinds: ['task.created'] });
    expect(kindsOf(events)).toEqual(['task.created']);
  });

  test('from now on leave out those of before, and a second start goes on where the first ended', async () => {
    const fs = await subscriber('late');
    expect(await read(fs, { from: 'now' })).toEqual([]);
    const { TaskId } = await connect().call('task/create', { Description: 'New' });
    const seen: unknown[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const { Payload } of fs.events({ interval: 50, signal: stop.signal })) {
        seen.push(Payload.Id);
        if (seen.length === 2) stop.abort();
      }
    })();
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual([TaskId]);
    await connect().call('task/complete', { TaskId });
    await expect(following).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([TaskId, TaskId]);
    expect(await read(fs, { from: 'now' })).toEqual([]);
  });
});

describe('rows', () => {
  const names = async (rows: AsyncIterable<unknown>) => {
    const found: unknown[] = [];
    for await (const row of rows) found.push((row as { Name: string }).Name);
    return found;
  };

  test('come once each, also where the connection to the file breaks again and again', async () => {
    let files = 0;
    const breaking: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (String(request[0]).includes('/api/') || !response.body) return response;
      const whole = new Uint8Array(await response.arrayBuffer());
      // The first three connections break in the middle of a line.
      const part = ++files > 3 ? whole : whole.subarray(0, Math.floor((whole.length * files) / 4) + 7);
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(part),
        pull: (controller) => (files > 3 ? controller.close() : controller.error(new Error('lost'))),
      });
      return new Response(body);
    };
    const rows = connect({ fetch: breaking }).rows('contacts', {}, { scope: 'account' });
    expect(await names(rows)).toEqual(Array.from({ length: 20 }, (_, index) => `Streamed ${index}`));
    expect(files).toBe(4);
  });

  test('have the types of their columns', async () => {
    for await (const row of connect().rows('contacts')) {
      expect(row).toMatchObject({
        Id: expect.any(Number),
        Name: expect.any(String),
        CreatedAt: expect.stringMatching(/Z$/),
      });
    }
  });

  test('are in a CSV file with an address, too', async () => {
    const { Url, Records } = await connect().file('contacts');
    const text = await (await fetch(Url)).text();
    expect(Records).toBe(20);
    expect(text.split('\r\n')).toHaveLength(22);
  });

  test('end with the signal', async () => {
    const rows = connect().rows('contacts', {}, { signal: AbortSignal.abort() });
    await expect(names(rows)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('files', () => {
  const stored = async (id: number): Promise<Buffer> => {
    const response = await fetch(`${testStack().BaseUrl}/files/${id}`, { headers: { 'x-api-key': account.key } });
    return Buffer.from(await response.arrayBuffer());
  };
  const uploadIds = (answer: object) => (answer as { upload: { UploadIds: number[] } }).upload.UploadIds;

  test('of bytes, text and blobs are stored as they are', async () => {
    const bytes = randomBytes(70_000);
    const files = [
      { name: 'meter.bin', content: new Uint8Array(bytes) },
      { name: 'note.txt', type: 'text/plain', content: 'Grüße' },
      new File(['18421'], 'reading.txt', { type: 'text/plain' }),
    ];
    const found = uploadIds(await connect().upload({ ContactId: ids[0] ?? 0, Note: 'All' }, files));
    expect(await Promise.all(found.map(stored))).toEqual([bytes, Buffer.from('Grüße'), Buffer.from('18421')]);
  });

  test('of more than a call takes are sent to their addresses, again where the connection breaks', async () => {
    const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5_000_000)]);
    let broken = 0;
    const breaking: typeof fetch = async (url, init) => {
      if (init?.method === 'PUT' && ++broken === 1) throw new TypeError('fetch failed');
      return await fetch(url, init);
    };
    const files = [{ name: 'plan.pdf', type: 'application/pdf', content: new Blob([large]) }];
    const [id = 0] = uploadIds(await connect({ fetch: breaking }).upload({ ContactId: ids[1] ?? 0 }, files));
    expect(broken).toBe(2);
    expect((await stored(id)).equals(large)).toBe(true);
  });

  test('that are refused say why', async () => {
    const program = [{ name: 'setup.exe', content: 'MZ' }];
    await expect(connect().upload({ ContactId: ids[0] ?? 0 }, program)).rejects.toMatchObject({ status: 400 });
  });
});
