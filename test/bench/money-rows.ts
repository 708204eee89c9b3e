import { runCreditTasks } from '../../lib/workflows/payments/spend-credits.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { written } from '../support/images.ts';
import type { CostRow } from './cost-rows.ts';

type Call = Parameters<CostRow['body']>[1];

let names = 0;
export const newContact = async (call: Call): Promise<number> => {
  const made = await call('contacts/addupdate', { Name: 'Ann Lee', Email: `ann${Date.now()}${names++}@example.net` });
  return (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
};
export const newInvoice = async (call: Call, ContactId: number, Rate = 100): Promise<number> => {
  const { body } = await call('invoice/import', { Invoice: { ContactId, Lines: [{ Description: 'Work', Rate }] } });
  return Number(body['InvoiceId']);
};
const pay = (call: Call, Payment: object) => call('payment/import', { Payment });

/**
 * A payment and its copy, two units each in a transaction and one for each index; an invoice with two and those of its
 * indexes.
 */
const perInvoice = 18;

/** Payments that are divided, and credit. */
export const moneyRows: readonly CostRow[] = [
  {
    name: 'payment/import above what is due',
    operation: 'payment/import',
    body: async (_, call) => ({ Payment: { InvoiceId: await newInvoice(call, await newContact(call)), Amount: 120 } }),
    budget: { rounds: 2, readUnits: 3, writeUnits: perInvoice + 10 },
  },
  {
    name: 'payment/import, 10 Allocations',
    operation: 'payment/import',
    body: async (_, call) => {
      const contact = await newContact(call);
      const Allocations: object[] = [];
      for (let each = 0; each < 10; each++)
        Allocations.push({ InvoiceId: await newInvoice(call, contact), Amount: 100 });
      return { Payment: { Amount: 1_050 }, Allocations };
    },
    // The ids of the parts are a round.
    budget: { rounds: 3, readUnits: 12, writeUnits: 10 * perInvoice + 10 },
  },
  {
    name: 'payment/import by credit',
    operation: 'payment/import',
    body: async (_, call) => {
      const ContactId = await newContact(call);
      await pay(call, { ContactId, Amount: 50 });
      return { Payment: { InvoiceId: await newInvoice(call, ContactId), Amount: 40, Method: 'Credit' } };
    },
    budget: { rounds: 3, readUnits: 4, writeUnits: perInvoice + 10 },
  },
  {
    name: 'payment/import, changed to above what is due',
    operation: 'payment/import',
    body: async (_, call) => {
      const { body } = await pay(call, { InvoiceId: await newInvoice(call, await newContact(call)), Amount: 90 });
      return { Payment: { Amount: 120 }, PaymentId: body['PaymentId'] };
    },
    budget: { rounds: 3, readUnits: 3, writeUnits: perInvoice + 10 },
  },
  {
    name: 'background work, credit pays 5 invoices',
    operation: 'workers/background-work',
    body: async (_, call) => {
      const id = await newContact(call);
      for (let each = 0; each < 5; each++) await newInvoice(call, id);
      await pay(call, { ContactId: id, Amount: 450 });
      const account = String((await call('test/whoami', {})).body['AccountId']);
      const organization = layout.organization.key({ account, id: 1 });
      await openTable().commit([{ update: organization, set: { ApplyCredit: true }, if: 'present' }]);
      const Keys = layout.contact.key({ account, id });
      return { Keys: written(Keys), NewImage: written((await openTable().get(Keys)) ?? {}) };
    },
    send: async (dynamodb) => {
      const { queued } = await runCreditTasks(openTable(), [{ dynamodb }], {
        now: new Date(),
        deadline: Date.now() + 60_000,
      });
      return { status: queued === 5 ? 200 : 500, body: {} };
    },
    budget: { rounds: 6, readUnits: 12, writeUnits: 5 * perInvoice + 10 },
  },
];
