import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invoke } from '../support/stack/invoke.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { putSettings } from '../support/settings.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { type TestAccount, testAccount, testStack } from '../support/stack/stack.ts';

/*
 * This process is one container, the stack is another one: what the stack changes, this one does not notice by itself.
 */
beforeAll(() => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  Object.assign(process.env, {
    TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    LOG_LEVEL: 'silent',
  });
});

let account: TestAccount;
let serviceId: number;

/** Calls the container that remembers. */
const here = (operation: string, body: object, key = account.key) => invoke(operation, body, { key });

/** Changes something in the other container. */
async function there(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await account.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const matches = (body: Record<string, unknown>) => body['Matches'] as Record<string, unknown>[];
const addContact = (more: object = {}, key?: string) => here('contacts/addupdate', { Name: 'Ana', ...more }, key);
const addTask = (key?: string) => here('task/create', { Description: 'Call', TaskType: 1 }, key);
const propose = (more: object = {}) =>
  here('proposal/create', { ContactId: 1, ServiceId: serviceId, Quantity: 1, ...more });

beforeEach(async () => {
  account = await testAccount();
  const services = [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, Taxable: true }];
  const { book } = await writeBook(account.accountId, { services });
  serviceId = findId(book, 'services', 'Lawn care');
  await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'City', TaxRate: 10 }]);
  await putSettings(account.accountId, 'CustomField', [{ Name: 'Gate code', TableType: 0, FieldType: 0 }]);
  await putSettings(account.accountId, 'Channel', [{ Name: 'Radio' }]);
  // Everything has been read here a moment ago.
  const known = { NamedTaxRate: { Name: 'City' }, CustomFields: [{ Name: 'Gate code', Value: '1' }], Channel: 'Radio' };
  for (const answer of [await addContact({ Email: 'ana@example.com', ...known }), await propose(), await addTask()])
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
});

describe('a write decides by what is stored now, whatever its container remembers', () => {
  test('a key of an organization that was canceled writes nothing more, and writes again once it is reopened', async () => {
    const key = await account.newKey({ organizationId: 1 });
    expect((await addTask(key)).status).toBe(200);
    await there('organizations/cancel', { OrganizationId: 1 });
    const writes = [await addTask(key), await addContact({ Email: 'b@example.com' }, key)];
    expect(writes.map(({ status }) => status)).toEqual([403, 403]);
    expect(matches((await account.call('contacts/locate', { EmailSearch: 'b@example.com' })).body)).toEqual([]);
    await there('organizations/update', { OrganizationId: 1, OpenSince: '2026-01-01' });
    expect((await addTask(key)).status).toBe(200);
  });

  test('a reopened organization writes at once where the container remembers that it was canceled', async () => {
    const key = await account.newKey({ organizationId: 1 });
    await there('organizations/cancel', { OrganizationId: 1 });
    expect([(await addTask(key)).status, (await here('contacts/locate', { IdSearch: 1 }, key)).status]).toEqual([
      403, 403,
    ]);
    await there('organizations/update', { OrganizationId: 1, OpenSince: '2026-01-01' });
    expect((await addTask(key)).status).toBe(200);
  });

  test('with a second organization, the only one is not the default any more', async () => {
    await there('organizations/create', { Name: 'Second', Timezone: 'America/Denver' });
    const added = await addContact({ Email: 'b@example.com' });
    expect([added.status, JSON.stringify(added.body)]).toEqual([
      400,
      expect.stringContaining('the account has several organizations'),
    ]);
    expect((await addTask()).status).toBe(400);
  });

  test('a proposal has the price, the tax rate and the expiry of now', async () => {
    const first = await propose();
    await writeBook(account.accountId, { services: [{ Name: 'Lawn care', BasePrice: 80 }] });
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'City', TaxRate: 20 }]);
    const second = await propose();
    expect([first.body['Subtotal'], first.body['Tax']]).toEqual([50, 5]);
    expect([second.body['Subtotal'], second.body['Tax']]).toEqual([80, 16]);
  });

  test('after many writes that read only the revisions of the lists, each decides by the lists of now', async () => {
    const agentsOf = async (...names: string[]) => {
      const ServiceAgents = names.map((Name, index) => ({ Name, Email: `agent${index}@example.com` }));
      await there('organizations/update', { OrganizationId: 1, ServiceAgents });
      const all = matches(await there('serviceagents/all', {}));
      return all.find(({ Name }) => Name === names.at(-1))?.['Id'];
    };
    const ServiceAgentId = await agentsOf('Ben');
    for (let count = 0; count < 4; count++) expect((await propose({ ServiceAgentId })).body['Tax']).toBe(5);
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'City', TaxRate: 20 }]);
    const newAgentId = await agentsOf('Ben', 'Ada');
    for (let count = 0; count < 4; count++)
      expect((await propose({ ServiceAgentId: newAgentId })).body['Tax']).toBe(10);
  });

  test('a quote has the price and the tax rate of now, though it only reads', async () => {
    const quote = async () => {
      const { body } = await here('proposal/quote', { ContactId: 1, ServiceId: serviceId });
      const { Subtotal, Tax } = body['Proposal'] as { Subtotal: number; Tax: number };
      return [Subtotal, Tax];
    };
    const first = await quote();
    await writeBook(account.accountId, { services: [{ Name: 'Lawn care', BasePrice: 80 }] });
    expect([first[0], await quote(), await quote()]).toEqual([50, [80, 8], [80, 8]]);
  });

  test('a contact has the custom fields, channels and tax rates of now', async () => {
    await putSettings(account.accountId, 'CustomField', [{ Name: 'Pets', TableType: 0, FieldType: 0 }]);
    await putSettings(account.accountId, 'Channel', [{ Name: 'Web' }]);
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'County', TaxRate: 3 }]);
    const CustomFields = [{ Name: 'Pets', Value: 'dog' }];
    const added = await addContact({ Email: 'c@example.com', CustomFields, NamedTaxRate: { Name: 'County' } });
    expect([added.status, matches(added.body)[0]?.['CustomFields']]).toEqual([
      200,
      [expect.objectContaining({ Name: 'Pets', Value: 'dog' })],
    ]);
    expect((await addContact({ Email: 'd@example.com', Channel: 'Web' })).status).toBe(200);
  });

  test('a local time is one of the zone of now', async () => {
    const dueOf = async () => {
      const { body } = await here('task/create', { ContactId: 1, Description: 'Call', Due: '2027-03-09T09:00' });
      const { Tasks } = await there('task/query', { TaskId: body['TaskId'] });
      return (Tasks as { Due: string }[])[0]?.Due;
    };
    await there('organizations/update', { OrganizationId: 1, Timezone: 'America/Denver' });
    const first = await dueOf();
    await there('organizations/update', { OrganizationId: 1, Timezone: 'America/New_York' });
    expect([first, await dueOf()]).toEqual(['2027-03-09T16:00:00Z', '2027-03-09T14:00:00Z']);
  });

  test('an agent added a moment ago can have a proposal', async () => {
    const ServiceAgents = [{ Name: 'Ben Ortiz', Email: 'ben@example.com' }];
    await there('organizations/update', { OrganizationId: 1, ServiceAgents });
    const [agent] = matches(await there('serviceagents/all', {}));
    const made = await propose({ ServiceAgentId: agent?.['Id'] });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  });
});

describe('a read shows what was configured a moment ago in another container', () => {
  test('a custom field and a tax rate of a contact', async () => {
    const { Id } = matches((await addContact({ Email: 'ana@example.com' })).body)[0] as { Id: number };
    const located = async () => matches((await here('contacts/locate', { IdSearch: Id })).body)[0] ?? {};
    expect((await located())['CustomFields']).toEqual([expect.objectContaining({ Name: 'Gate code' })]);
    await putSettings(account.accountId, 'CustomField', [{ Name: 'Pets', TableType: 0, FieldType: 0 }]);
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'County', TaxRate: 3 }]);
    const CustomFields = [{ Name: 'Pets', Value: 'dog' }];
    await there('contacts/addupdate', { IdSearch: Id, CustomFields, NamedTaxRate: { Name: 'County' } });
    expect(await located()).toMatchObject({
      CustomFields: [{ Name: 'Gate code' }, { Name: 'Pets', Value: 'dog' }],
      NamedTaxRate: { Name: 'County' },
    });
  });

  test('the suspension of an organization for its own key, and its end', async () => {
    const key = await account.newKey({ organizationId: 1 });
    const status = async () => (await here('contacts/locate', { IdSearch: 1 }, key)).status;
    const statuses = [await status()];
    await there('organizations/cancel', { OrganizationId: 1 });
    statuses.push(await status());
    await there('organizations/update', { OrganizationId: 1, OpenSince: '2026-01-01' });
    expect([...statuses, await status()]).toEqual([200, 403, 200]);
  });

  test('the zone of a search for dates, and the name of an agent', async () => {
    await there('organizations/update', {
      OrganizationId: 1,
      Timezone: 'America/New_York',
      ServiceAgents: [{ Name: 'Ben Ortiz', Email: 'ben@example.com' }],
    });
    const [agent] = matches(await there('serviceagents/all', {}));
    const key = await account.newKey({ organizationId: 1, agentId: Number(agent?.['Id']) });
    const shown = async () => (await here('test/whoami', {}, key)).body;
    const first = await shown();
    await there('organizations/update', {
      OrganizationId: 1,
      Timezone: 'America/Denver',
      ServiceAgents: [{ Id: agent?.['Id'], Name: 'Ben Cruz' }],
    });
    expect([JSON.stringify(first), JSON.stringify(await shown())]).toEqual([
      expect.stringContaining('Ben Ortiz'),
      expect.stringContaining('Ben Cruz'),
    ]);
  });
});
