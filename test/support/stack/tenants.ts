import { expect } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { putProposal } from '../evidence.ts';
import { putInvoice } from '../invoices.ts';
import { writeBook } from '../price-book.ts';
import { putSettings } from '../settings.ts';
import { type TestAccount, testAccount, testTable } from './stack.ts';

/** Part of every text of the company's data, and of no other text. */
export const MARK = 'Xyzzyplugh';

/** A company whose data its neighbours must never see. */
export interface Company extends TestAccount {
  /** An Owner key bound to its second organization, to which none of its data belongs. */
  readonly elsewhere: string;
  /** All of its data that operations return, as text. */
  all(): Promise<string>;
}

/** Records of each kind; ids count from 1, and the neighbour has no record with the last id. */
export const OWNER_ID = 25;

/** A company of one contact. Where each container takes ids from a block of its own, later ones are far above. */
export async function neighbourCompany(): Promise<TestAccount> {
  const account = await testAccount();
  await account.call('contacts/addupdate', { Name: 'Neighbour' });
  const lease = layout.lease.key({ account: account.accountId, kind: 'Contact' });
  await testTable().update({ update: lease, add: { Last: 1_000 } });
  return account;
}

/**
 * Contacts with notes, tags, tasks, invoices and payments, and services in organization 1; nothing in organization 2.
 */
export async function company(): Promise<Company> {
  const account = await testAccount({ name: MARK });
  await testTable().commit(
    newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Shelbyville' }),
  );
  const elsewhere = await account.newKey({ role: 'Owner', organizationId: 2 });
  const Matches = Array.from({ length: OWNER_ID }, (_, index) => ({
    Name: `${MARK} ${index}`,
    Email: `${MARK}${index}@example.com`,
    Phone: `(217) 555-${1000 + index}`,
    Address1: `${index} ${MARK} Street`,
    City: MARK,
    Tags: [MARK],
    Notes: [{ Title: MARK, Body: MARK }],
  }));
  const made = await account.call('contacts/addupdate', { Matches });
  expect(Math.max(...(made.body['Matches'] as { Id: number }[]).map(({ Id }) => Id))).toBe(OWNER_ID);
  for (let contact = 1; contact <= OWNER_ID; contact++)
    await account.call('task/create', { ContactId: contact, Description: MARK, Category: MARK });
  const services = Array.from({ length: OWNER_ID }, (_, index) => ({
    Name: `${MARK} ${index}`,
    Description: MARK,
    Category: MARK,
    BaseDuration: 60,
  }));
  const parts = services.map(({ Name, Description }) => ({ Name, Description }));
  await writeBook(account.accountId, { services, parts }, 1);
  await putSettings(
    account.accountId,
    'CancelReason',
    services.map(({ Name }) => ({ Reason: Name })),
  );
  await putSettings(
    account.accountId,
    'CustomField',
    services.map(({ Name }, index) => ({ Name, Shortcode: `shortcode${index}` })),
  );
  const texts = { Title: MARK, Description: MARK, ServiceName: MARK, CustomerNotes: MARK };
  for (let proposal = 1; proposal <= OWNER_ID; proposal++)
    await putProposal(testTable(), account.accountId, { Id: proposal, ContactId: proposal, ...texts });
  for (let contact = 1; contact <= OWNER_ID; contact++) {
    const Number = `${MARK}-${contact}`;
    const { Id } = await putInvoice(testTable(), account.accountId, 50, {
      ContactId: contact,
      Number,
      CustomerNotes: MARK,
    });
    await account.call('payment/import', {
      Payment: { InvoiceId: Id, Amount: 10, Reference: MARK, TransactionId: Number },
    });
  }
  const all = async () =>
    (await account.call('payment/query')).text +
    (await account.call('invoice/query')).text +
    (await account.call('services/all')).text +
    (await account.call('contacts/locate', { NameSearch: MARK })).text +
    (await account.call('proposal/query', { Take: 500 })).text +
    (await account.call('task/query', { IncludeCompleted: true })).text;
  return { ...account, elsewhere, all };
}
