import { beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '../../../lib/entities/contacts.ts';
import { layout, sortable, toKey } from '../../../lib/store/keys.ts';
import { mergesOf, problemsOf } from '../../support/merges.ts';
import { eraseNow } from '../../support/erasures.ts';
import { contactIn } from '../../support/stack/branches.ts';
import { type TestAccount, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
let names = 0;

beforeEach(async () => {
  account = await testAccount();
});

const add = async (fields: object = {}): Promise<Contact> =>
  contactIn(
    await account.call('contacts/addupdate', { Name: `Ann ${++names}`, Email: `a${names}@example.com`, ...fields }),
  );
async function pay(Payment: object): Promise<void> {
  const answer = await account.call('payment/import', { Payment });
  expect(answer.status, answer.text).toBe(200);
}
const bill = async (ContactId: number, Rate: number): Promise<number> => {
  const Invoice = { ContactId, Lines: [{ Description: 'Mowing', Rate, Qty: 1 }] };
  return ((await account.call('invoice/import', { Invoice })).body['Invoice'] as { Id: number }).Id;
};

/** The ids of contacts with credit, newest first. */
async function listed(request: object = {}): Promise<number[]> {
  await drainEvents();
  const { body } = await account.call('contacts/locate', { HasCredit: true, ...request });
  return (body['Matches'] as Contact[]).map(({ Id }) => Id);
}

/** The entries of a contact in the lists of the account and of its organization. */
async function entriesOf({ Id: id, OrganizationId }: Contact) {
  const { accountId } = account;
  const item = await testTable().get(layout.contact.key({ account: accountId, id }));
  const At = Number(item?.['Created']);
  return (['ALL', OrganizationId ?? 0] as const).map((scope) => ({
    ...layout.contactCredit.key({ account: accountId, scope, created: sortable(At), id }),
    Id: id,
    At,
    O: OrganizationId ?? 0,
  }));
}

/** How many of them are stored. */
const entries = async (contact: Contact): Promise<number> =>
  (await testTable().getMany((await entriesOf(contact)).map(toKey))).length;

describe('contacts/locate with HasCredit', () => {
  test('lists a contact from its first credit until the last of it is used, also where it has used too much', async () => {
    const [first, second] = [await add(), await add({ Name: 'Bo Ray', Category: 'Lead' })];
    await pay({ ContactId: first.Id, Amount: 50 });
    expect(await listed()).toEqual([first.Id]);
    const invoice = await bill(second.Id, 20);
    await pay({ InvoiceId: invoice, Amount: 35 });
    expect(await listed()).toEqual([second.Id, first.Id]);
    expect(await listed({ NameSearch: 'bo' })).toEqual([second.Id]);
    expect(await listed({ CategorySearch: 'lead' })).toEqual([second.Id]);
    expect(await listed({ CategorySearch: 'lead', NameSearch: 'ann' })).toEqual([]);
    await pay({ InvoiceId: await bill(first.Id, 60), Amount: 20, Method: 'Credit' });
    expect(await listed()).toEqual([second.Id, first.Id]);
    await pay({ ContactId: first.Id, Amount: -30 });
    expect(await listed()).toEqual([second.Id]);
    await testTable().update({
      update: layout.contact.key({ account: account.accountId, id: first.Id }),
      add: { CreditBalance: -5, V: 1 },
    });
    expect(await listed()).toEqual([second.Id, first.Id]);
    await pay({ ContactId: first.Id, Amount: 5 });
    await pay({ ContactId: second.Id, Amount: -15 });
    expect(await listed()).toEqual([]);
    expect([await entries(first), await entries(second)]).toEqual([0, 0]);
  });

  test('pages through many', async () => {
    const contacts = [];
    for (let count = 0; count < 5; count++) contacts.push(await add());
    for (const { Id } of contacts) await pay({ ContactId: Id, Amount: 1 });
    const newest = contacts.map(({ Id }) => Id).toReversed();
    expect(await listed({ Limit: 2 })).toEqual(newest.slice(0, 2));
    expect(await listed({ Limit: 2, Skip: 2 })).toEqual(newest.slice(2, 4));
    for (const { Id } of contacts) await pay({ ContactId: Id, Amount: -1 });
    expect(await listed()).toEqual([]);
  });

  test('follows a merge and its undo, and forgets whoever is erased', async () => {
    const merges = mergesOf(account);
    const [kept, merged] = [await add(), await add()];
    await pay({ ContactId: merged.Id, Amount: 40 });
    expect(await listed()).toEqual([merged.Id]);
    await merges.send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
    // It lists neither until the credit has moved.
    expect(await listed()).not.toContain(merged.Id);
    await merges.finish(kept.Id, merged.Id, 3);
    expect(await listed()).toEqual([kept.Id]);
    expect([await entries(kept), await entries(merged)]).toEqual([2, 0]);
    await merges.send('contacts/unmerge', { MergeId: merged.Id });
    await merges.finish(kept.Id, merged.Id, 3);
    expect(await listed()).toEqual([merged.Id]);
    expect([await entries(kept), await entries(merged)]).toEqual([0, 2]);
    expect(await problemsOf(account.accountId)).toEqual([]);
    await eraseNow(account.accountId, merged.Id);
    expect([await listed(), await entries(merged)]).toEqual([[], 0]);
    await pay({ ContactId: merged.Id, Amount: -40 });
    await pay({ ContactId: merged.Id, Amount: 3 });
    expect([await listed(), await entries(merged)]).toEqual([[], 0]);
  });

  test('ignores an entry that is outdated, which fs check removes', async () => {
    const stale = await entriesOf(await add());
    await testTable().putMany(stale);
    expect(await listed()).toEqual([]);
    expect(await problemsOf(account.accountId)).toEqual(
      expect.arrayContaining(
        stale.map(({ PK, SK }) => expect.stringContaining(`entry ${PK} ${SK}: is not of`) as string),
      ),
    );
    await testTable().putMany([], stale.map(toKey));
  });

  test('alone and false is no criterion', async () => {
    expect((await account.call('contacts/locate', { HasCredit: false })).status).toBe(400);
  });
});
