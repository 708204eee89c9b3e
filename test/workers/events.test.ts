import type { ContactRecord } from '../../lib/entities/contacts.ts';
import type { DynamoDBRecord } from 'aws-lambda';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler } from '../../functions/workers/event-queue.ts';
import { deliver, discardedFile, discardedFileName } from '../../infra/local/event-source.ts';
import { streamWorkers } from '../../functions/workers/index.ts';
import { discardedPrefix } from '../../lib/workflows/parked-records.ts';
import {
  discardFile,
  listKeptFiles,
  redriveFile,
  removePersonFromKeptFiles,
} from '../../lib/workflows/events/redrive.ts';
import { removeParkedRecords } from '../../lib/workflows/parked-records.ts';
import type { Files } from '../../lib/files/s3.ts';
import { drainBacklogs } from '../../lib/workflows/events/drain-backlogs.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { findQueue, listEvents } from '../../lib/store/events/events.ts';
import { layout, padded } from '../../lib/store/keys.ts';
import { contactItem, putContact, someContact } from '../support/contacts.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { TableClock } from '../support/faults/table-clock.ts';
import { startBucket } from '../support/files.ts';
import { deliverAll, numbered, seeded, shuffledAcrossItems, withDuplicates } from '../support/stream.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

let accounts = 0;
const newAccount = () => `acct${++accounts}`;

/** What happened to each contact, in order: `${Kind} ${name or note}`. */
type History = Map<number, string[]>;

/** Creates `count` contacts and changes them, here and there; the records of the stream and what they should become. */
async function someHistory(
  account: string,
  count: number,
  random: () => number,
): Promise<{ records: DynamoDBRecord[]; history: History }> {
  const table = openTable();
  await engine.records();
  const contacts = new Map<number, ContactRecord>();
  const history: History = new Map();
  const store = async (contact: ContactRecord, summary: string) => {
    await putContact(table, account, contact);
    contacts.set(contact.Id, contact);
    history.set(contact.Id, [...(history.get(contact.Id) ?? []), summary]);
  };
  for (let step = 0; step < count * 3; step++) {
    const Id = 1 + Math.floor(random() * count);
    const known = contacts.get(Id);
    if (!known) await store(someContact(Id), 'contact.created');
    else if (random() < 0.5)
      await store({ ...known, V: known.V + 1, Name: `Name ${step}` }, `contact.updated Name ${step}`);
    else
      await store(
        { ...known, V: known.V + 1, Notes: [...known.Notes, { Id: step, Title: '', Body: '' }] },
        `note.created ${step}`,
      );
    // Entries beside the contact, as every real call writes them.
    await table.putMany([{ ...layout.contactHash.key({ account, hash: `${Id}` }), Id, Step: step }]);
  }
  for (const { Id } of [...contacts.values()].slice(0, 3)) {
    await table.commit([{ remove: layout.contact.key({ account, id: Id }) }]);
    history.get(Id)?.push('contact.deleted');
  }
  return { records: await engine.records(), history };
}

async function queueOf(account: string): Promise<{ id: number; payload: EventPayload }[]> {
  const table = openTable();
  const { last } = await findQueue(accountStore(table, account), 'test', new Date());
  const { events } = await listEvents(accountStore(table, account), 1, last);
  return events.map(({ id, payload }) => ({ id, payload: JSON.parse(payload) as EventPayload }));
}

const summary = ({ Kind, Id, Data }: EventPayload): string =>
  Kind === 'note.created' ? `${Kind} ${Id}` : Kind === 'contact.updated' ? `${Kind} ${String(Data?.['Name'])}` : Kind;

/**
 * Every change is one event, none is missing or double, ids run from 1 without gap, and each contact's are in order.
 */
async function expectQueue(account: string, history: History): Promise<void> {
  const events = await queueOf(account);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  const byContact = Map.groupBy(events, ({ payload }) => payload.ContactId as number);
  const seen = new Map([...byContact].map(([id, list]) => [id, list.map(({ payload }) => summary(payload))]));
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(history));
}

describe('each change becomes exactly one event, in order and without gap,', () => {
  test('when the stream is delivered once', async () => {
    const account = newAccount();
    const { records, history } = await someHistory(account, 14, seeded(1));
    expect(await deliverAll(records)).toEqual([]);
    await expectQueue(account, history);
  });

  test('with a fifth of the records twice, shuffled across items, in small batches', async () => {
    const account = newAccount();
    const random = seeded(2);
    const { records, history } = await someHistory(account, 22, random);
    await deliverAll(withDuplicates(shuffledAcrossItems(records, random), 0.2, random), { size: 17 });
    await expectQueue(account, history);
  });

  test('with the worker killed after its work and before anybody heard', async () => {
    const account = newAccount();
    const random = seeded(3);
    const { records, history } = await someHistory(account, 14, random);
    await deliverAll(records, { size: 23, killed: () => random() < 0.4 });
    await expectQueue(account, history);
  });

  test('with batches that overlap by any number of records', async () => {
    const account = newAccount();
    const random = seeded(4);
    const { records, history } = await someHistory(account, 14, random);
    for (let start = 0; start < records.length; start += 1 + Math.floor(random() * 20))
      await deliverAll(records.slice(start, start + 50));
    await expectQueue(account, history);
  });

  test('with four workers at once, each with its own shard, while one shard is delivered twice side by side', async () => {
    const account = newAccount();
    const random = seeded(5);
    const { records, history } = await someHistory(account, 22, random);
    const shards = Map.groupBy(records, ({ dynamodb }) => Number(dynamodb?.Keys?.['PK']?.S?.replaceAll(/\D/g, '')) % 4);
    await Promise.all([...shards.values(), shards.get(0) ?? []].map((shard) => deliverAll(shard, { size: 10 })));
    await expectQueue(account, history);
  });

  test('with a tenth of the replies lost after the commit, and a tenth of the requests before it', async () => {
    const account = newAccount();
    const random = seeded(6);
    const { records, history } = await someHistory(account, 14, random);
    const client = documentClient();
    const lost = () => Object.assign(new Error('lost'), { name: 'TimeoutError' });
    client.middlewareStack.add(
      (next) => async (input) => {
        if (random() < 0.1) throw lost();
        const reply = await next(input);
        if (random() < 0.1) throw lost();
        return reply;
      },
      { step: 'initialize', name: 'lossy' },
    );
    try {
      await deliverAll(records, { size: 10 });
    } finally {
      client.middlewareStack.remove('lossy');
    }
    await expectQueue(account, history);
  });

  test('for several accounts in one batch, whose ids do not mix', async () => {
    const [one, other] = [newAccount(), newAccount()];
    const first = await someHistory(one, 10, seeded(7));
    const second = await someHistory(other, 10, seeded(8));
    await deliverAll(shuffledAcrossItems([...first.records, ...second.records], seeded(9)));
    await expectQueue(one, first.history);
    await expectQueue(other, second.history);
  });
});

describe('a record of which no event can be made', () => {
  const poison = (account: string, id: number) => ({
    ...layout.contact.key({ account, id }),
    E: 'Contact',
    Id: id,
    OrganizationId: 1,
    V: 1,
  });

  let files: Files;
  beforeAll(async () => {
    files = await startBucket();
  });
  const parked = async (account: string) =>
    Promise.all((await files.list(`parked/event-queue/${account}/`)).map(async (key) => files.get(key)));

  test('is kept whole, once however often it is delivered; all others become events', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const random = seeded(10);
    const { records, history } = await someHistory(account, 14, random);
    const beside = await someHistory(other, 10, random);
    await engine.records();
    await openTable().commit([{ put: poison(account, 900) }]);
    const [broken] = await engine.records();
    const all = shuffledAcrossItems([...records, ...beside.records, ...(broken ? [broken] : [])], random);
    expect(await deliverAll(withDuplicates(all, 0.2, random))).toEqual([]);
    await expectQueue(account, history);
    await expectQueue(other, beside.history);
    const [file = '', ...others] = await parked(account);
    expect(others).toEqual([]);
    expect(JSON.parse(file)).toMatchObject({ Worker: 'event-queue', Record: broken });
  });

  test('does not stop its batch', async () => {
    const account = newAccount();
    const table = openTable();
    await engine.records();
    await table.commit([{ put: contactItem(account, someContact(1)) }]);
    await table.commit([{ put: poison(account, 2) }]);
    await table.commit([{ put: contactItem(account, someContact(3)) }]);
    const Records = await engine.records();
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    expect((await queueOf(account)).map(({ payload }) => payload.Id)).toEqual([1, 3]);
    expect(await parked(account)).toHaveLength(1);
  });

  test('is delivered again while it cannot be kept', async () => {
    const account = newAccount();
    await engine.records();
    await openTable().commit([{ put: poison(account, 2) }]);
    await openTable().commit([{ put: contactItem(account, someContact(3)) }]);
    const Records = await engine.records();
    const bucket = process.env['BUCKET_NAME'];
    process.env['BUCKET_NAME'] = 'no-such-bucket';
    const itemIdentifier = Records[0]?.dynamodb?.SequenceNumber;
    expect(await handler({ Records }, during(300))).toEqual({ batchItemFailures: [{ itemIdentifier }] });
    process.env['BUCKET_NAME'] = bucket;
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    expect((await queueOf(account)).map(({ payload }) => payload.Id)).toEqual([3]);
  });
});

describe('an account whose event ids end', () => {
  test('loses no change: those without an id are parked, in order, and other accounts go on', async () => {
    const files = await startBucket();
    const [account, other] = [newAccount(), newAccount()];
    const MAX = 2 ** 31 - 1;
    const sequence = layout.sequence.key({ account });
    await openTable().update({ update: sequence, set: { Last: MAX - 2 } });
    await engine.records();
    for (const id of [1, 2, 3, 4]) await putContact(openTable(), account, someContact(id));
    await putContact(openTable(), other, someContact(9));
    const Records = (await engine.records()).sort(
      (a, b) => Number(a.dynamodb?.SequenceNumber) - Number(b.dynamodb?.SequenceNumber),
    );
    // Delivered twice: nothing is queued or parked twice.
    for (let delivery = 0; delivery < 2; delivery++)
      expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    const { events } = await listEvents(accountStore(openTable(), account), MAX - 1, MAX);
    expect(events.map(({ id, payload }) => [id, (JSON.parse(payload) as EventPayload).Id])).toEqual([
      [MAX - 1, 1],
      [MAX, 2],
    ]);
    expect((await queueOf(other)).map(({ payload }) => payload.Id)).toEqual([9]);
    const kept = await listKeptFiles(files, discardedPrefix, account);
    expect(kept.map(({ error }) => error)).toEqual([
      `IdsUsedUp: account ${account} has used every event id`,
      `IdsUsedUp: account ${account} has used every event id`,
    ]);
    expect(kept.flatMap(({ records }) => records.map(({ dynamodb }) => dynamodb?.NewImage?.['Id']?.N)).sort()).toEqual([
      '3',
      '4',
    ]);
    expect(await openTable().get(sequence)).toMatchObject({ Last: MAX });
  });
});

describe('what was not handled is brought in later', () => {
  const redriveAll = async (files: Files, account: string) => {
    const results = [];
    for (const file of await listKeptFiles(files, discardedPrefix, account))
      results.push(await redriveFile(openTable(), files, file, { now: new Date(), deadline: Date.now() + 10_000 }));
    return results;
  };

  test('a parked record becomes its event after the repair, once, and its file goes', async () => {
    const files = await startBucket();
    const account = newAccount();
    await engine.records();
    const table = openTable();
    for (const id of [1, 2, 3]) await putContact(table, account, someContact(id));
    const Records = await engine.records();
    const isRefused = (name: string, input: string) => name.startsWith('Transact') && input.includes('"Contact.2.1"');
    const heal = failRequests((name, input) => (isRefused(name, input) ? 'ValidationException' : undefined));
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    const ids = async () => (await queueOf(account)).map(({ payload }) => payload.Id);
    expect(await ids()).toEqual([1, 3]);
    expect(await redriveAll(files, account), 'before the repair').toEqual([{ queued: 0, errors: [expect.any(Error)] }]);
    heal();
    expect(await redriveAll(files, account)).toEqual([{ queued: 1, errors: [] }]);
    expect(await ids()).toEqual([1, 3, 2]);
    expect(await files.list('')).toEqual([]);
  });

  test('a batch that expired in the stream becomes events, of which some may exist; one account at a time', async () => {
    const files = await startBucket();
    const [account, other] = [newAccount(), newAccount()];
    const { records, history } = await someHistory(account, 12, seeded(40));
    const beside = await someHistory(other, 6, seeded(41));
    await deliverAll(records.slice(0, 15));
    const batch = [...records, ...beside.records];
    const place = { streamArn: 'arn', shardId: 'shard', functionName: 'event-queue', now: new Date() };
    const text = discardedFile({ records: batch, condition: 'RecordAgeExceeded', attempts: 9 }, place);
    await files.put(`${discardedPrefix}${discardedFileName(place)}`, text);
    expect(await redriveAll(files, account)).toMatchObject([{ errors: [] }]);
    await expectQueue(account, history);
    expect([await queueOf(other), await files.list('')]).toEqual([[], [expect.stringContaining('shard')]]);
    const [whole] = await listKeptFiles(files, discardedPrefix, undefined);
    const options = { now: new Date(), deadline: Date.now() + 10_000 };
    if (whole) await redriveFile(openTable(), files, whole, options);
    await expectQueue(account, history);
    await expectQueue(other, beside.history);
    expect(await files.list('')).toEqual([]);
  });

  test('what is given up stays in the bucket with its reason, by account, and no redrive finds it, also after a kill', async () => {
    const files = await startBucket();
    const [account, other] = [newAccount(), newAccount()];
    const { records } = await someHistory(account, 4, seeded(42));
    const beside = await someHistory(other, 4, seeded(43));
    const place = { streamArn: 'arn', shardId: 'shard', functionName: 'event-queue', now: new Date() };
    const batch = { records: [...records, ...beside.records], condition: 'RecordAgeExceeded' as const, attempts: 9 };
    await files.put(`${discardedPrefix}${discardedFileName(place)}`, discardedFile(batch, place));
    const giveUp = async (into: Files) => {
      const [file] = await listKeptFiles(files, discardedPrefix, account);
      if (file) await discardFile(into, file, { reason: 'test data', now: new Date() });
    };
    const killed = { ...files, get: () => Promise.reject(new Error('killed')) };
    await expect(giveUp(killed)).rejects.toThrow('killed');
    await giveUp(files);
    expect(await listKeptFiles(files, discardedPrefix, account)).toEqual([]);
    const [given = '', ...more] = await files.list('discarded/');
    expect([given.startsWith(`discarded/${account}/`), more]).toEqual([true, []]);
    expect(JSON.parse(await files.get(given))).toMatchObject({ Reason: 'test data', Records: records });
    // The other account's changes become events as ever.
    expect(await redriveAll(files, other)).toMatchObject([{ errors: [] }]);
    await expectQueue(other, beside.history);
    expect(await queueOf(account)).toEqual([]);
    // What is given up goes with a person, and with the account.
    const contacts = new Set(
      records.flatMap(({ dynamodb }) => dynamodb?.Keys?.['PK']?.S?.match(/CONTACT#0*(\d+)/)?.[1] ?? []),
    );
    const [contactId = 0] = [...contacts].map(Number);
    await removePersonFromKeptFiles(files, { account, contactId, discardedPrefix });
    const rest = await Promise.all((await files.list('discarded/')).map((key) => files.get(key)));
    expect(rest.join()).not.toContain(`CONTACT#${padded(contactId)}`);
    expect(await removeParkedRecords(files, account)).toBe(rest.length);
    expect(await files.list('')).toEqual([]);
  });
});

/** An invocation that ends 5 seconds after these milliseconds. */
const during = (milliseconds: number) => ({ getRemainingTimeInMillis: () => 5_000 + milliseconds });

let requestsInFlight = 0;

/** Makes requests of this process fail with an error, by operation and input, until the result is called. */
function failRequests(choose: (operation: string, input: string) => string | undefined): () => void {
  const { middlewareStack } = documentClient();
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (input) => {
        const name = choose(commandName, JSON.stringify(input.input));
        if (name) throw Object.assign(new Error(`injected ${name}`), { name, $metadata: { attempts: 1 } });
        requestsInFlight++;
        return next(input).finally(() => requestsInFlight--);
      },
    { step: 'initialize', name: 'failing' },
  );
  return () => void middlewareStack.remove('failing');
}

describe('one account over its ceiling', () => {
  const THROTTLED = 'ProvisionedThroughputExceededException';

  test('waits aside, in order and whole, while the others of its shard go on within 5 s; then each change is one event', async () => {
    const [slow, other] = [newAccount(), newAccount()];
    const first = await someHistory(slow, 12, seeded(20));
    const beside = await someHistory(other, 12, seeded(21));
    const all = numbered(shuffledAcrossItems([...first.records, ...beside.records], seeded(22)));
    const heal = failRequests((_, input) => (input.includes(`A#${slow}#EVENTS`) ? THROTTLED : undefined));
    const clock = new TableClock(openTable());
    const dead = await deliverAll(all, { size: 25 });
    await clock.stop();
    expect(clock.now).toBeLessThan(8_000);
    expect(dead).toEqual([]);
    await expectQueue(other, beside.history);
    const run = () => drainBacklogs(openTable(), { now: new Date(), deadline: Date.now() + 100 });
    expect(await run()).toMatchObject({ queued: 0, isUnfinished: true });
    heal();
    expect(await queueOf(slow)).toEqual([]);
    const [one, two] = await Promise.all([
      drainBacklogs(openTable(), { now: new Date(), deadline: Date.now() + 10_000 }),
      drainBacklogs(openTable(), { now: new Date(), deadline: Date.now() + 10_000 }),
    ]);
    expect([one.failures, two.failures]).toEqual([[], []]);
    await expectQueue(slow, first.history);
    expect(await run()).toEqual({ queued: 0, failures: [], parked: 0, isUnfinished: false });
  });

  test('keeps changes of any size in its backlog, and later ones behind them', async () => {
    const account = newAccount();
    const table = openTable();
    await engine.records();
    const Body = randomBytes(130_000).toString('hex');
    await putContact(table, account, { ...someContact(1), Notes: [{ Id: 1, Title: '', Body }] });
    for (let V = 2; V < 5; V++)
      await putContact(table, account, {
        ...someContact(1),
        V,
        Name: `Name ${V}`,
        Notes: [{ Id: 1, Title: '', Body }],
      });
    const Records = await engine.records();
    const heal = failRequests((_, input) => (input.includes(`A#${account}#EVENTS`) ? THROTTLED : undefined));
    expect(await handler({ Records: Records.slice(0, 3) }, during(300))).toEqual({ batchItemFailures: [] });
    heal();
    expect(await handler({ Records: Records.slice(3) })).toEqual({ batchItemFailures: [] });
    expect(await queueOf(account)).toEqual([]);
    const drained = await drainBacklogs(openTable(), { now: new Date(), deadline: Date.now() + 10_000 });
    expect(drained.failures).toEqual([]);
    expect((await queueOf(account)).map(({ payload }) => payload.Kind)).toEqual([
      'contact.created',
      ...Array.from({ length: 3 }, () => 'contact.updated'),
    ]);
  });

  test('is delivered again where its changes cannot be put aside either', async () => {
    const account = newAccount();
    await engine.records();
    await putContact(openTable(), account, someContact(1));
    const Records = await engine.records();
    const heal = failRequests((_, input) => (input.includes(`A#${account}#`) ? THROTTLED : undefined));
    const itemIdentifier = Records[0]?.dynamodb?.SequenceNumber;
    expect(await handler({ Records }, during(300))).toEqual({ batchItemFailures: [{ itemIdentifier }] });
    heal();
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    expect(await queueOf(account)).toHaveLength(1);
  });
});

describe('a table that refuses everything', () => {
  test.each([
    ['is away for 30 minutes', 'TimeoutError', () => true],
    ['denies a permission for 30 minutes', 'AccessDeniedException', (name: string) => name.startsWith('Transact')],
  ])('and %s is waited out: nothing is given up, and each change becomes one event', async (_, error, isFailing) => {
    const account = newAccount();
    const { records, history } = await someHistory(account, 4, seeded(30));
    const realTimeout = setTimeout;
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], now: Date.now() });
    const upAt = Date.now() + 30 * 60_000;
    let refused = 0;
    const heal = failRequests((name) => (Date.now() < upAt && isFailing(name) ? (refused++, error) : undefined));
    const invocations: number[] = [];
    try {
      const progress = { isDone: false };
      const delivery = deliver(
        records.filter(({ dynamodb }) => dynamodb?.NewImage?.['E'] ?? dynamodb?.OldImage?.['E']),
        {
          rules: streamWorkers['event-queue'].stream,
          async invoke(batch) {
            const end = Date.now() + 60_000;
            const answer = await handler({ Records: [...batch] }, { getRemainingTimeInMillis: () => end - Date.now() });
            invocations.push(end - Date.now());
            return { answer };
          },
          advance: () => undefined,
          discard: () => expect.unreachable('nothing is given up because of time alone'),
          backOff: () => new Promise((done) => setTimeout(done, 1_000)),
          ageHours: () => 0,
          isStopped: () => false,
        },
      ).finally(() => (progress.isDone = true));
      // Time passes only while nothing is under way but waiting.
      while (!progress.isDone) {
        if (requestsInFlight === 0) await vi.advanceTimersByTimeAsync(2_000);
        else await new Promise((done) => realTimeout(done, 2));
      }
      await delivery;
    } finally {
      heal();
      vi.useRealTimers();
    }
    await expectQueue(account, history);
    expect(invocations.length).toBeGreaterThan(25);
    expect(
      Math.min(...invocations),
      'a failed batch is reported 5 s before the time is up, or a little later',
    ).toBeGreaterThan(2_000);
    expect(refused, 'requests are few while nothing can succeed').toBeLessThan(2_500);
  });
});

describe('what costs nothing', () => {
  test('stream records without entity make no request', async () => {
    const account = newAccount();
    await engine.records();
    // The other worker gets it: the engine writes no record that none gets.
    await openTable().putMany([{ ...layout.contactHash.key({ account, hash: 'x' }), Id: 1, Queue: 'callbacks' }]);
    const Records = await engine.records();
    let requests = 0;
    documentClient().middlewareStack.add((next) => (input) => (requests++, next(input)), {
      step: 'initialize',
      name: 'counter',
    });
    await handler({ Records });
    documentClient().middlewareStack.remove('counter');
    expect([Records.length, requests]).toEqual([1, 0]);
  });

  test('a full batch of one account is one transaction and few requests', async () => {
    const account = newAccount();
    await engine.records();
    const { batchSize } = streamWorkers['event-queue'].stream;
    await Promise.all(
      Array.from({ length: batchSize }, (_, index) => putContact(openTable(), account, someContact(index + 1))),
    );
    const Records = await engine.records();
    const commands: string[] = [];
    documentClient().middlewareStack.add(
      (next, { commandName }) =>
        (input) => (commands.push(commandName ?? ''), next(input)),
      { step: 'initialize', name: 'counter' },
    );
    await handler({ Records });
    documentClient().middlewareStack.remove('counter');
    const writes = commands.filter((name) => name.startsWith('Transact'));
    expect([Records.length, writes.length, (await queueOf(account)).length]).toEqual([batchSize, 1, batchSize]);
    // The backlog, the mark of the configuration, the webhooks, two lists of settings, the secret of links, how clients
    // pay, a number in the line, the transaction.
    expect(commands.length).toBeLessThanOrEqual(9);
  });
});
