import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { createDemo } from '../../infra/cli/demo/create-demo.ts';
import { collectionFiles } from '../../infra/collections/files.ts';
import { whyByChoice } from '../../infra/collections/run.ts';
import { type PostmanCollection, type Sent, runCollection } from '../support/collections.ts';
import { type TestAccount, openAccount, testTable } from '../support/stack/stack.ts';
import { changedSince, storedContent } from '../support/stored-content.ts';

const collection = JSON.parse(collectionFiles().get('postman.json') ?? '') as PostmanCollection;
const operations = groups.flatMap((group) => group.operations);
const writes = new Set(operations.filter(({ access }) => access !== 'read').map(({ name }) => name));

let account: TestAccount;

beforeAll(async () => {
  const { account: accountId, organizationId } = await createDemo(testTable(), { now: new Date(), size: 'small' });
  account = await openAccount(accountId, organizationId);
});

const run = (allowChanges: string): Promise<Sent[]> =>
  runCollection(collection, { values: { allowChanges }, send: (operation, body) => account.call(operation, body) });

/** What a run left of the records of one kind. */
async function countOf(operation: string, list: string, body: object): Promise<number> {
  const answer = await account.call(operation, body);
  return (answer.body[list] as object[]).length;
}

describe('a run of the whole collection at a company at work', () => {
  test.runIf(process.env['EVERY_OPERATION'])(
    'changes no record that was there, and each write succeeds, also in a second run',
    async () => {
      const before = await storedContent(account);
      for (let runs = 0; runs < 2; runs++) {
        const sent = (await run('yes')).filter(({ operation }) => writes.has(operation));
        expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
        const left = [...writes].filter((name) => !sent.some(({ operation }) => operation === name));
        expect(left.filter((name) => whyByChoice(name) === undefined)).toEqual([]);
        expect(sent.filter(({ operation }) => whyByChoice(operation) !== undefined)).toEqual([]);
      }
      expect(changedSince(before, await storedContent(account))).toEqual([]);
    },
  );

  test.runIf(process.env['EVERY_OPERATION'])(
    'leaves nothing booked, offered, due or called, and its two contacts are found again',
    async () => {
      const { body } = await account.call('contacts/locate', { EmailSearch: 'collection-run@example.com' });
      const [contact, ...others] = body['Matches'] as { Id: number }[];
      expect(others).toEqual([]);
      const ContactId = contact?.Id;
      expect(await countOf('appointments/find', 'Slots', { ContactId })).toBe(0);
      expect(await countOf('proposal/query', 'Proposals', { ContactId, Scope: 'open' })).toBe(0);
      expect(await countOf('invoice/query', 'Invoices', { ContactId, Status: 'Open' })).toBe(0);
      expect(await countOf('task/query', 'Tasks', { ContactId })).toBe(0);
      expect(await countOf('webhooks/list', 'Webhooks', {})).toBe(0);
    },
  );

  test('sends no write without allowChanges, and one alone that allowChanges names', async () => {
    const written = async (allowChanges: string) =>
      (await run(allowChanges)).map(({ operation }) => operation).filter((operation) => writes.has(operation));
    expect(await written('no')).toEqual([]);
    expect(await written('webhooks/create')).toEqual(['webhooks/create']);
  });
});
