import type { UploadRecord } from '../../lib/entities/uploads.ts';
import { createServer, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handler as copies } from '../../functions/workers/copies.ts';
import { incomingFileKey, keptFileKey } from '../../lib/domain/uploads/record.ts';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { removeAccounts } from '../../lib/store/administration/account-removal.ts';
import type { ScanTable } from '../../lib/store/dynamodb/scan.ts';
import { layout } from '../../lib/store/keys.ts';
import { uploadChanges } from '../../lib/store/uploads.ts';
import { removeUploadedFiles, removeUploads } from '../../lib/workflows/uploads/remove-uploads.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { startBucket } from '../support/files.ts';
import { invoke } from '../support/stack/invoke.ts';
import { accountStore } from '../../lib/store/store.ts';

let faulty: FaultyTable;
let bucket: Files;
let line: Awaited<ReturnType<typeof startBucketLine>>;
beforeAll(async () => {
  faulty = await startFaultyTable();
  bucket = await startBucket();
  line = await startBucketLine(process.env['AWS_ENDPOINT_URL_S3'] ?? '');
  process.env['AWS_ENDPOINT_URL_S3'] = line.endpoint;
});
afterAll(async () => {
  line.stop();
  await faulty.stop();
});

let account: string;
let key: string;
let ContactId: number;
beforeEach(async () => {
  ({ accountId: account, key } = await faulty.newAccount());
  ContactId = matchOf(await invoke('contacts/addupdate', { Name: 'Photographed' }, { key }))?.Id ?? 0;
});
afterEach(() => {
  faulty.line.fail(undefined);
  line.fail(() => false);
});

/** A line to the bucket; a request that fails is 503, as of a bucket that is away or asks to slow down. */
async function startBucketLine(target: string) {
  let fails: (method: string, path: string) => boolean = () => false;
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    if (fails(method, url)) {
      incoming.resume();
      response.writeHead(503).end();
      return;
    }
    const forwarded = request(new URL(url, target), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
  );
  return {
    endpoint: `http://127.0.0.1:${port}`,
    fail(next: typeof fails) {
      fails = next;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const upload = (...names: string[]) => {
  const files = names.map((Filename) => ({ Filename, Content: 'cGxhaW4=' }));
  return invoke('contacts/upload', { upload: { ContactId }, files }, { key });
};
const idsIn = ({ body }: Awaited<ReturnType<typeof upload>>) => (body['upload'] as { UploadIds: number[] }).UploadIds;
const matchOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['Matches'] as { Id: number; ContactDocuments: { Id: number }[] }[])[0];
const listed = async () =>
  matchOf(await invoke('contacts/locate', { IdSearch: ContactId }, { key }))?.ContactDocuments.map(({ Id }) => Id);
const inBucket = (prefix: string) => bucket.list(`${prefix}/${account}/`);
const record = async (id: number) =>
  (await faulty.sound.get(layout.upload.key({ account, id }))) as unknown as UploadRecord;

/** The worker gets the message of a file, as SQS delivers it; true if it need not come again. */
async function deliver(id: number, milliseconds = 30_000): Promise<boolean> {
  const body = JSON.stringify(layout.upload.key({ account, id }));
  const attributes = { ApproximateReceiveCount: '1' };
  const event = { Records: [{ messageId: 'one', body, attributes }] } as Parameters<typeof copies>[0];
  return (await copies(event, { getRemainingTimeInMillis: () => milliseconds })).batchItemFailures.length === 0;
}

async function expectKept(id: number): Promise<void> {
  const stored = await record(id);
  expect(stored.IsKept).toBe(true);
  expect(await inBucket('uploads')).toEqual([keptFileKey(account, stored)]);
}

test('a worker that dies between copy and mark leaves a readable file, and a repeat keeps it', async () => {
  const [id = 0] = idsIn(await upload('a.txt'));
  faulty.line.fail((action) => (action === 'TransactWriteItems' || action === 'PutItem' ? 'errorBefore' : undefined));
  expect(await deliver(id, 4_500)).toBe(false);
  faulty.line.fail(undefined);
  const between = await record(id);
  expect([between.IsKept, await inBucket('uploads')]).toEqual([false, [keptFileKey(account, between)]]);
  expect(await bucket.get(incomingFileKey(account, between))).toBe('plain');
  expect(await deliver(id)).toBe(true);
  await expectKept(id);
  expect(await deliver(id), 'a message that comes again').toBe(true);
  expect((await record(id)).V).toBe(between.V + 1);
});

test('a copy whose file is removed meanwhile is removed too', async () => {
  const [id = 0] = idsIn(await upload('a.txt'));
  line.fail((method, path) => {
    if (method === 'PUT' && path.includes('/uploads/')) removal ??= faulty.sound.commit([{ remove: itemKey }]);
    return false;
  });
  const itemKey = layout.upload.key({ account, id });
  let removal: Promise<unknown> | undefined;
  faulty.line.fail(async (action) => {
    if (action === 'GetItem') await removal;
    return undefined;
  });
  expect(await deliver(id)).toBe(true);
  expect(await inBucket('uploads')).toEqual([]);
});

test('a file that the worker puts into its place while it is removed is removed from there too', async () => {
  const [id = 0] = idsIn(await upload('a.txt'));
  const before = await record(id);
  const keeping = [
    async () => {
      await bucket.put(keptFileKey(account, before), 'plain');
      await faulty.sound.commit(uploadChanges({ account }, { before, after: { ...before, IsKept: true } }).changes);
    },
  ];
  const versions: unknown[] = [];
  const contact = { account, contactId: ContactId, now: new Date() };
  await removeUploads(accountStore(faulty.sound, contact.account), bucket, contact, async (changes, removed) => {
    await keeping.shift()?.();
    await faulty.sound.commit(changes);
    versions.push(removed?.V);
  });
  expect([await record(id), await inBucket('incoming'), await inBucket('uploads')]).toEqual([undefined, [], []]);
  expect(versions, 'of which the removal is the event').toEqual([before.V + 1]);
});

test.each(['lostReply', 'errorAfter'] as const)(
  'a stored upload with %s is listed once and has its file',
  async (error) => {
    let times = 0;
    faulty.line.fail((action) => (action === 'TransactWriteItems' && ++times === 1 ? error : undefined));
    const answer = await upload('a.txt');
    expect([times > 0, answer.status]).toEqual([true, 200]);
    expect(await listed()).toEqual(idsIn(answer));
    expect(await inBucket('incoming')).toHaveLength(1);
    expect(await deliver(idsIn(answer)[0] ?? 0)).toBe(true);
    await expectKept(idsIn(answer)[0] ?? 0);
  },
);

test('while the bucket is away an upload is 503 with a sentence and changes nothing', async () => {
  line.fail(() => true);
  const { status, body } = await upload('a.txt');
  expect([status, body['Message']]).toEqual([
    503,
    'The store of files does not answer. Nothing was changed. Try again.',
  ]);
  line.fail(() => false);
  expect([await listed(), await inBucket('incoming')]).toEqual([[], []]);
});

test('where the bucket takes one of several files and no other, none is left', async () => {
  const taken = new Set<string>();
  line.fail((method, path) => {
    if (method !== 'PUT') return false;
    const isFirst = taken.size === 0 || taken.has(path);
    if (isFirst) taken.add(path);
    return !isFirst;
  });
  expect((await upload('a.txt', 'b.txt')).status).toBe(503);
  expect([taken.size, await listed(), await inBucket('incoming')]).toEqual([1, [], []]);
});

test('while the bucket is away the worker keeps the message, and does its work later', async () => {
  const [id = 0] = idsIn(await upload('a.txt'));
  line.fail(() => true);
  expect(await deliver(id)).toBe(false);
  line.fail(() => false);
  expect((await record(id)).IsKept).toBe(false);
  expect(await deliver(id)).toBe(true);
  await expectKept(id);
});

test('an account is removed after its files and PDFs: a removal that the bucket stops is repeated', async () => {
  const [id = 0] = idsIn(await upload('a.txt'));
  await bucket.put(`pdf/${account}/invoice-1-hash.pdf`, '%PDF-');
  expect(await deliver(id)).toBe(true);
  const nothing: ScanTable = async function* () {};
  const removal = () =>
    removeAccounts(faulty.sound, nothing, [account], {
      now: new Date(),
      removeFiles: async () => void (await removeUploadedFiles(openFiles(), account)),
    });
  line.fail(() => true);
  await expect(removal()).rejects.toThrow();
  expect(await faulty.sound.get(layout.account.key({ account }))).toBeDefined();
  line.fail(() => false);
  await removal();
  expect(await faulty.sound.get(layout.account.key({ account }))).toBeUndefined();
  expect([await inBucket('incoming'), await inBucket('uploads'), await inBucket('pdf')]).toEqual([[], [], []]);
});
