import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/workers/event-queue.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { documentClient, openTable } from '../../lib/store/dynamodb/client.ts';
import { findQueue, listEvents } from '../../lib/store/events.ts';
import { layout } from '../../lib/store/keys.ts';
import { contactItem, putContact, someContact } from '../support/contacts.ts';
import { type TestTable, startTable } from '../support/engine.ts';
import { deliverAll, seeded, shuffledAcrossItems, withDuplicates } from '../support/stream.ts';

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
  const { last } = await findQueue(table, { account, subscriber: 'test' }, new Date());
  const { events } = await listEvents(table, account, 1, last);
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
    const { records, history } = await someHistory(account, 26, seeded(1));
    expect(await deliverAll(records)).toEqual([]);
    await expectQueue(account, history);
  });

  test('with a fifth of the records twice, shuffled across items, in small batches', async () => {
    const account = newAccount();
    const random = seeded(2);
    const { records, history } = await someHistory(account, 40, random);
    await deliverAll(withDuplicates(shuffledAcrossItems(records, random), 0.2, random), { size: 17 });
    await expectQueue(account, history);
  });

  test('with the worker killed after its work and before anybody heard', async () => {
    const account = newAccount();
    const random = seeded(3);
    const { records, history } = await someHistory(account, 26, random);
    await deliverAll(records, { size: 23, killed: () => random() < 0.4 });
    await expectQueue(account, history);
  });

  test('with batches that overlap by any number of records', async () => {
    const account = newAccount();
    const random = seeded(4);
    const { records, history } = await someHistory(account, 26, random);
    for (let start = 0; start < records.length; start += 1 + Math.floor(random() * 20))
      await deliverAll(records.slice(start, start + 50));
    await expectQueue(account, history);
  });

  test('with four workers at once, each with its own shard, while one shard is delivered twice side by side', async () => {
    const account = newAccount();
    const random = seeded(5);
    const { records, history } = await someHistory(account, 40, random);
    const shards = Map.groupBy(records, ({ dynamodb }) => Number(dynamodb?.Keys?.['PK']?.S?.replaceAll(/\D/g, '')) % 4);
    await Promise.all([...shards.values(), shards.get(0) ?? []].map((shard) => deliverAll(shard, { size: 10 })));
    await expectQueue(account, history);
  });

  test('with a tenth of the replies lost after the commit, and a tenth of the requests before it', async () => {
    const account = newAccount();
    const random = seeded(6);
    const { records, history } = await someHistory(account, 26, random);
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
    const first = await someHistory(one, 20, seeded(7));
    const second = await someHistory(other, 20, seeded(8));
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

  test('alone ends in the dead-letter queue; all others become events', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const random = seeded(10);
    const { records, history } = await someHistory(account, 26, random);
    const beside = await someHistory(other, 20, random);
    await engine.records();
    await openTable().commit([{ put: poison(account, 900) }]);
    const [broken] = await engine.records();
    const all = shuffledAcrossItems([...records, ...beside.records, ...(broken ? [broken] : [])], random);
    expect(
      await deliverAll(
        withDuplicates(all, 0.2, random).filter(
          (record, index, list) => record !== broken || list.indexOf(record) === index,
        ),
      ),
    ).toEqual([broken]);
    await expectQueue(account, history);
    await expectQueue(other, beside.history);
  });

  test('is reported as the failure of the batch: all before it is done and nothing after it', async () => {
    const account = newAccount();
    const table = openTable();
    await engine.records();
    await table.commit([{ put: contactItem(account, someContact(1)) }]);
    await table.commit([{ put: poison(account, 2) }]);
    await table.commit([{ put: contactItem(account, someContact(3)) }]);
    const Records = await engine.records();
    const itemIdentifier = Records[1]?.dynamodb?.SequenceNumber;
    expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
    expect((await queueOf(account)).map(({ payload }) => payload.Id)).toEqual([1]);
    await expect(
      handler({ Records: Records.slice(1) }),
      'first of several: Lambda must halve the batch',
    ).rejects.toThrow();
    expect(await handler({ Records: Records.slice(1, 2) })).toEqual({ batchItemFailures: [{ itemIdentifier }] });
    expect(await handler({ Records: Records.slice(2) })).toEqual({ batchItemFailures: [] });
    expect((await queueOf(account)).map(({ payload }) => payload.Id)).toEqual([1, 3]);
  });
});

describe('what costs nothing', () => {
  test('stream records without entity make no request', async () => {
    const account = newAccount();
    await engine.records();
    await openTable().putMany([{ ...layout.contactHash.key({ account, hash: 'x' }), Id: 1 }]);
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

  test('100 changes of an account are two transactions, a read before each', async () => {
    const account = newAccount();
    await engine.records();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => putContact(openTable(), account, someContact(index + 1))),
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
    const reads = commands.filter((name) => name.startsWith('Get'));
    expect([Records.length, writes.length, reads.length]).toEqual([100, 2, 2]);
  });
});
