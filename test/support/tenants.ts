import { newOrganizationChanges } from '../../lib/store/organizations.ts';
import { putProposal } from './evidence.ts';
import { putInvoice } from './invoices.ts';
import { tellBook } from './price-book.ts';
import { type TestAccount, testAccount, testTable } from './stack.ts';

/** Stands in every text of the company's data, and nowhere else. */
export const MARK = 'Xyzzyplugh';

/** A company with data of its own, as its neighbours must never see it. */
export interface Company extends TestAccount {
  /** An Owner key bound to its second organization, to which none of its data belongs. */
  readonly elsewhere: string;
  /** The id of a thing of the company, so high that no thing of a small neighbour has it too. */
  readonly id: number;
  /** All of its data that operations return, as text. */
  all(): Promise<string>;
}

/** Most things one call may make; ids count from 1, so the last has this one. */
const THINGS = 25;

/**
 * Makes the company: contacts with notes, tags, tasks, invoices and payments, and services, in its first organization, and an empty second
 * one.
 */
export async function company(): Promise<Company> {
  const account = await testAccount({ name: MARK });
  await testTable().commit(newOrganizationChanges(account.accountId, { Id: 2, PublicName: 'Shelbyville' }));
  const elsewhere = await account.newKey({ role: 'Owner', organizationId: 2 });
  const Matches = Array.from({ length: THINGS }, (_, index) => ({
    Name: `${MARK} ${index}`,
    Email: `${MARK}${index}@example.com`,
    Phone: `(217) 555-${1000 + index}`,
    Address1: `${index} ${MARK} Street`,
    City: MARK,
    Tags: [MARK],
    Notes: [{ Title: MARK, Body: MARK }],
  }));
  const made = await account.call('contacts/addupdate', { Matches });
  const id = Math.max(...(made.body['Matches'] as { Id: number }[]).map(({ Id }) => Id));
  for (let contact = 1; contact <= THINGS; contact++)
    await account.call('task/create', { ContactId: contact, Description: MARK, Category: MARK });
  const services = Array.from({ length: THINGS }, (_, index) => ({
    Name: `${MARK} ${index}`,
    Description: MARK,
    Category: MARK,
  }));
  await tellBook(account.accountId, { services }, 1);
  const texts = { Title: MARK, Description: MARK, ServiceName: MARK, CustomerNotes: MARK };
  for (let proposal = 1; proposal <= THINGS; proposal++)
    await putProposal(testTable(), account.accountId, { Id: proposal, ContactId: proposal, ...texts });
  for (let contact = 1; contact <= THINGS; contact++) {
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
  return { ...account, elsewhere, id, all };
}
