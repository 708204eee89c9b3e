import { expect, test } from 'vitest';
import { groups } from '../../../functions/index.ts';
import { createDemo } from '../../../infra/cli/demo/create-demo.ts';
import { StagedTable } from '../../../infra/cli/staged-table.ts';
import { nounNames } from '../../../lib/entities/nouns.ts';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { attributes } from '../../../lib/store/keys.ts';
import { countOne, exampleAccount, renewing } from '../../support/documents/examples.ts';
import { putExampleDownload } from '../../support/downloads.ts';
import { putExampleMessage } from '../../support/messages.ts';
import { type TestAccount, drainEvents, openAccount, testStack, testTable } from '../../support/stack/stack.ts';
import {
  callMakers,
  itemsOf,
  kindOf,
  nameOf,
  rewritten,
  withoutDefaults,
  withoutInnerDefaults,
} from '../../support/stored-records.ts';

const examples = groups.flatMap(({ operations }) => operations.map(({ name, example }) => [name, example] as const));

/** Contacts of the demo by whose words and dates nothing is searched. */
const FOUND_BY_ID = 20;

/** The small demo, stored as an earlier version would have: half of its items without the defaults of their parts. */
async function strippedDemo(): Promise<TestAccount> {
  const memory = new StagedTable();
  const { account: accountId, organizationId } = await createDemo(memory, { now: new Date(), size: 'small' });
  const items = memory
    .items()
    .filter((item) => kindOf(item) !== 'SearchEntry' || Number(item['Id']) <= FOUND_BY_ID)
    .map((item, index) => rewritten(item, index % 2 ? withoutDefaults : withoutInnerDefaults));
  testTable();
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  await openTable({ tableName, endpoint, deadline: Date.now() + MINUTE }).putMany(items);
  const account = await openAccount(accountId, organizationId);
  await countOne(account);
  return renewing(account);
}

/** Calls every operation with its example; returns the codes of those that are refused. */
async function callAll(account: TestAccount): Promise<Record<string, unknown>> {
  const refused: Record<string, unknown> = {};
  for (const [name, example] of examples) {
    const { status, body, text } = await account.call(name, example);
    if (status !== 200) refused[name] = status < 500 ? body['Code'] : text;
  }
  return refused;
}

/** The kinds of records that were changed; each still has the attribute of the future. */
async function changedKinds(account: TestAccount, before: readonly Item[]): Promise<Set<string>> {
  const old = before.filter(({ FromTheFuture }) => FromTheFuture !== undefined);
  const versions = new Map(old.map((item) => [nameOf(item), item[attributes.version]]));
  const changed = (await itemsOf(account)).filter((item) => {
    const version = versions.get(nameOf(item));
    return version !== undefined && item[attributes.version] !== version;
  });
  const lost = changed.filter(({ FromTheFuture }) => FromTheFuture === undefined);
  expect(lost.filter((item) => nounNames.has(kindOf(item)))).toEqual([]);
  return new Set(changed.map(kindOf));
}

const kindsChanged = ['Appointment', 'Contact', 'Organization', 'Proposal', 'Task', 'User'];

/** What these need, records lack as they are declared: a description, a duration, a place to start from, a phone. */
const unmet: Readonly<Record<string, string>> = {
  'task/update': 'invalid_request',
  'settings/radiuscities': 'requirement_missing',
  'settings/radiuspostalcodes': 'requirement_missing',
  'user/create': 'invalid_request',
  'appointments/book': 'invalid_request',
  'appointments/update': 'invalid_request',
  'appointments/queue': 'invalid_request',
  'appointments/quickbook': 'invalid_request',
  'messages/send': 'wrong_state',
};

/** The contact of its first visit has no address, and its first proposal is not open. */
const unmetInDemo: Readonly<Record<string, string>> = {
  'appointments/slotsearch': 'invalid_request',
  'appointments/cancel': 'wrong_state',
  'proposal/accept': 'wrong_state',
};

test('every operation reads and changes records without fields that have a default, and keeps one of the future', async () => {
  const account = await exampleAccount();
  await callMakers(account);
  const before = await itemsOf(account);
  const kinds = new Set(before.map(kindOf));
  expect([...nounNames].filter((kind) => !kinds.has(kind))).toEqual([]);
  await testTable().putMany(before.map((item) => rewritten(item, withoutDefaults)));
  const old = await itemsOf(account);
  // A search needs the duration too, where the container does not remember the service as it was.
  const searched = { 'appointments/slotsearch': 'invalid_request' };
  expect({ ...searched, ...(await callAll(account)) }).toEqual({ ...unmet, ...searched });
  expect([...(await changedKinds(account, old))]).toEqual(expect.arrayContaining(kindsChanged));
});

// In `npm run prove -- random`.
test.runIf(process.env['EVERY_OPERATION'])(
  'so they do with the records of the demo company and all that leads to them',
  async () => {
    const account = await strippedDemo();
    await callMakers(account);
    await putExampleDownload(account.accountId);
    await putExampleMessage(account);
    await drainEvents();
    const before = await itemsOf(account);
    const countsAndLists = 'Account AccountingClass BookRevision Calendar IdLease PostalShare Sequence'.split(' ');
    expect(before.map(kindOf)).toEqual(expect.arrayContaining([...countsAndLists, ...nounNames]));
    expect(await callAll(account)).toEqual({ ...unmet, ...unmetInDemo });
    expect([...(await changedKinds(account, before))]).toEqual(expect.arrayContaining(kindsChanged));
  },
);
