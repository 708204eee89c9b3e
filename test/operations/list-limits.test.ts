import { serviceAgentEntity } from '../../lib/entities/service-agents.ts';
import { userEntity } from '../../lib/entities/users.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIST_LIMITS } from '../../lib/domain/list-limits.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { chunks, openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { listDisplayedAgents } from '../../lib/store/organizations/service-agents.ts';
import { listUsers } from '../../lib/store/organizations/users.ts';
import { findOrganization, organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { contactIn } from '../support/stack/branches.ts';
import { putInvoice } from '../support/invoices.ts';
import { type TestAccount, type TestAnswer, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const table = testTable();
/** The same for many items at once, which take long on a busy machine. */
const patient = () => table.until(Date.now() + 60_000);
const now = new Date();
const upTo = (length: number) => Array.from({ length }, (_, index) => index + 1_001);
const outcome = ({ status, body: { Errors = [], Message } }: TestAnswer) => {
  const [first] = Errors as { Field: string }[];
  return status === 200 ? status : [status, ...(first ? [first.Field] : []), Message].join(' ');
};

describe('a list that calls read as a whole takes no more than its limit', () => {
  let account: TestAccount;
  let contact: number;
  beforeAll(async () => {
    account = await testAccount();
    const { accountId, organizationId: organization } = account;
    const identity = { OrganizationId: organization, Created: 0 };
    const { users, serviceAgents, accountingClasses } = LIST_LIMITS;
    const items: Item[] = [
      ...upTo(users.entries).map((id) => ({
        ...layout.user.key({ account: accountId, id }),
        ...userEntity.blank({ Id: id, ...identity }),
        Email: `${id}@users.example`,
        V: 1,
      })),
      ...upTo(serviceAgents.entries).map((id) => ({
        ...layout.serviceAgent.key({ account: accountId, organization, id }),
        ...serviceAgentEntity.blank({ Id: id, ...identity, Name: `Agent ${id}`, V: 1 }),
      })),
      ...upTo(accountingClasses.entries).map((id) => ({
        ...layout.accountingClass.key({ account: accountId, organization, id }),
        Id: id,
        OrganizationId: organization,
        AccountingClass: `Class ${id}`,
        TerritoryID: '',
        PostalCodes: [],
        V: 1,
      })),
    ];
    const before = await findOrganization(accountStore(table, accountId), organization);
    if (!before) throw new Error('no organization');
    const after = { ...before, UserIds: upTo(users.entries) };
    await patient().putMany(items);
    const [made] = await Promise.all([
      account.call('contacts/addupdate', { Name: 'Ada Reed', Email: 'ada@example.com' }),
      table.commit(organizationChanges({ account: accountId }, before, after).changes),
    ]);
    contact = contactIn(made).Id;
  });

  test.each<[string, object, string]>([
    [
      'user/create',
      { Name: 'One More', Email: 'more@users.example' },
      '409 The organization has as many users as it may have: at most 500.',
    ],
    [
      'organizations/update',
      { Users: [{ Name: 'One More', Email: 'more@users.example' }] },
      '400 Users Users exceeds the limit of an organization: at most 500.',
    ],
    [
      'organizations/update',
      { ServiceAgents: [{ Name: 'One More' }] },
      '400 ServiceAgents ServiceAgents exceeds the limit of an organization: at most 500 and 960,000 bytes in all.',
    ],
    [
      'accountingclasses/create',
      { Name: 'One More' },
      '400 Name Name exceeds the limit of classes in an organization: at most 500 and 480,000 bytes in all.',
    ],
  ])('%s refuses one more', async (operation, body, expected) => {
    expect(outcome(await account.call(operation, body))).toBe(expected);
  });

  test('the users and agents of a full organization are read in a round each, for half a unit each at most', async () => {
    const { accountId, organizationId } = account;
    const reader = openTable();
    expect(await listUsers(accountStore(reader, accountId), [...upTo(500)].reverse())).toHaveLength(500);
    expect(await listDisplayedAgents(accountStore(reader, accountId), organizationId)).toHaveLength(500);
    expect(reader.meter.usage.readUnits).toBeLessThanOrEqual(300);
    expect(reader.meter.usage.rounds).toBeLessThanOrEqual(3);
  });

  test('what is in a full list may change', async () => {
    const agent = { Id: 1_001, MobilePhone: '(303) 555-0101' };
    expect(outcome(await account.call('organizations/update', { ServiceAgents: [agent] }))).toBe(200);
    const changed = { AccountingClassId: 1_001, TerritoryID: 'T' };
    expect(outcome(await account.call('accountingclasses/update', changed))).toBe(200);
  });

  test('tags with new names stop at the limit, in addtags and addupdate; existing ones are added as before', async () => {
    const add = (...TagList: object[]) => account.call('contacts/addtags', { ContactId: contact, TagList });
    const added = await add({ Name: 'New A' });
    const [tag] = added.body['TagList'] as { Id: number }[];
    const { accountId } = account;
    // As many bytes as 5,000 tags may have: a page.
    const large = ['x', 'y', 'z'].map((name, index) => ({
      ...layout.tagName.key({ account: accountId, name }),
      Id: index + 1_001,
      Name: name.repeat(370_000),
    }));
    await table.putMany(large);
    const full =
      'would make new tags, but an account has at most 5,000 and 1,000,000 bytes in all. Use one of its tags.';
    expect(outcome(await add({ Name: 'New A' }, { Name: 'New B' }))).toBe(`400 TagList TagList ${full}`);
    expect(outcome(await add({ Name: 'new a' }))).toBe(200);
    const other = { Name: 'Cy Lane', Email: 'cy@example.com' };
    const made = await account.call('contacts/addupdate', { ...other, Tags: ['New A', 'New B'] });
    expect(outcome(made)).toBe(`400 Tags Tags ${full}`);
    expect(outcome(await account.call('contacts/addupdate', { ...other, Tags: ['New A'] }))).toBe(200);
    expect(outcome(await add({ Id: tag?.Id }))).toBe(200);
  });

  test('an invoice takes 500 payments and refunds', async () => {
    const { accountId, organizationId: OrganizationId } = account;
    const before = await putInvoice(table, accountId, 1_000, { OrganizationId, ContactId: contact });
    const after = { ...before, PaymentCount: LIST_LIMITS.payments.entries - 1 };
    await table.commit(invoiceChanges({ account: accountId }, { before, after, now }).changes);
    const pay = (Amount: number) => account.call('payment/import', { Payment: { InvoiceId: before.Id, Amount } });
    expect(outcome(await pay(10))).toBe(200);
    const full = `409 Invoice ${before.Id} has as many payments and refunds as it may have: at most 500.`;
    expect(outcome(await pay(10))).toBe(full);
    expect(outcome(await pay(-10))).toBe(full);
  });

  test('the notes of a contact stop at 80 pages, in addnote and addupdate', async () => {
    const { Id } = contactIn(await account.call('contacts/addupdate', { Name: 'Bo', Email: 'bo@example.com' }));
    const key = layout.contact.key({ account: account.accountId, id: Id });
    const item = await table.get(key);
    await table.commit([{ put: { ...item, ...key, NotePages: 80, V: Number(item?.['V']) + 1 } }]);
    const full = 'are too many: the notes of a contact have about 3,840,000 characters at most.';
    const added = await account.call('contacts/addnote', { ContactId: Id, Note: { Body: 'One more' } });
    expect(outcome(added)).toBe(`400 Note Note ${full}`);
    const updated = await account.call('contacts/addupdate', { Id, Notes: [{ Body: 'One more' }] });
    expect(outcome(updated)).toBe(`400 Notes Notes ${full}`);
  });

  test('an appointment has at most 20 additional agents', async () => {
    const AdditionalServiceAgents = upTo(21).map((Id) => ({ ServiceAgent: { Id } }));
    const booked = await account.call('appointments/book', {
      ContactId: contact,
      Slots: [{ AdditionalServiceAgents }],
    });
    expect(outcome(booked)).toBe(
      '400 Slots[0].AdditionalServiceAgents Slots[0].AdditionalServiceAgents must have at most 20 elements.',
    );
  });

  test('the users of many organizations are complete, and read together', async () => {
    const more = { Name: 'Second', Users: [{ Name: 'Zoe', Email: 'zoe@users.example' }] };
    expect(outcome(await account.call('organizations/create', more))).toBe(200);
    const { body } = await account.call('organizations/query', {});
    const details = body['Organizations'] as { Users: { Email: string }[] }[];
    expect(details.map(({ Users }) => Users.length).sort()).toEqual([1, 500]);
    expect(details.flatMap(({ Users }) => Users.map(({ Email }) => Email))).toContain('zoe@users.example');
  });
});

describe('all services, agents and users of an account', () => {
  const Name = 'x'.repeat(60_000);
  const entries = (account: string, id: number): Item[] => [
    {
      ...layout.serviceEntry.key({ account, shard: id % 4, organization: id, id }),
      Service: { Id: id, Name, OrganizationId: id },
    },
    {
      ...layout.serviceAgent.key({ account, organization: id, id }),
      ...serviceAgentEntity.blank({ Id: id, OrganizationId: id, Created: 0, Name }),
    },
    { ...layout.user.key({ account, id }), ...userEntity.blank({ Id: id, OrganizationId: id, Created: 0 }), Name },
  ];
  const put = async (items: readonly Item[]) => {
    for (const some of chunks(items, 25)) await patient().putMany(some);
  };

  test('are read as a whole up to 6 MB, and beyond say how to go on', async () => {
    const account = await testAccount();
    const { accountId, organizationId } = account;
    const operations = ['user/all', 'serviceagents/all', 'services/all'];
    await put(upTo(40).flatMap((id) => entries(accountId, id)));
    for (const operation of operations) {
      const { status, body } = await account.call(operation, {});
      const found = (body['Matches'] as { Id: number }[]).map(({ Id }) => Id).filter((id) => id > 1_000);
      expect([operation, status, found]).toEqual([operation, 200, upTo(40)]);
    }
    const made = { Services: [{ Name: 'Mowing', BasePrice: 40 }] };
    expect(outcome(await account.call('organizations/update', made))).toBe(200);
    const tooLarge = [
      '413 The answer would exceed 6 MB. organizations/query lists users page by page.',
      '413 The answer would exceed 6 MB. Call with a key of each organization.',
      '413 The response would have 6.7 MB; the limit is 6.2 MB. Give the Id of one service.',
    ];
    await put(upTo(110).flatMap((id) => entries(accountId, id)));
    expect(await Promise.all(operations.map(async (each) => outcome(await account.call(each, {}))))).toEqual(tooLarge);
    // More than one call holds.
    await put(upTo(300).flatMap((id) => entries(accountId, id).slice(-1)));
    expect(outcome(await account.call('user/all', {}))).toBe(tooLarge[0]);
    const { body } = await account.call('services/all', {}, { key: await account.newKey({ organizationId }) });
    expect((body['Matches'] as { Name: string }[]).map((service) => service.Name)).toEqual(['Mowing']);
  });
});
