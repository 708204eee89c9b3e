import type { Contact } from '../../../lib/entities/contacts.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TestAccount, testAccount } from '../../support/stack/stack.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);

/** What the model knows of an invoice, in whole cents. */
interface Billed {
  readonly id: number;
  /** What made it. */
  readonly content: object;
  number: string;
  status: 'Unapproved' | 'Open' | 'Paid' | 'Voided';
  total: number;
  paid: number;
}

interface Act {
  readonly kind: 'make' | 'makeNumbered' | 'repeat' | 'double' | 'change' | 'renumber' | 'approve' | 'void' | 'pay';
  readonly place: number;
  /** Whole cents; three lines share them. */
  readonly amount: number;
  readonly name: string;
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    'make',
    'makeNumbered',
    'makeNumbered',
    'repeat',
    'double',
    'change',
    'change',
    'renumber',
    'approve',
    'void',
    'pay',
    'pay',
  ),
  place: fc.nat(30),
  amount: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 1, 1000)),
  name: fc.constantFrom('A-1', 'a-1', 'B-2', 'ß 3', 'C#4'),
});

/** Taxed at 10 % on the last line: of 1000 cents 333 + 333 + 334, and 33 of tax. */
const linesOf = (amount: number) => {
  const third = Math.floor(amount / 3);
  return [third, third, amount - 2 * third].map((cents, index) => ({ Rate: cents / 100, Taxable: index === 2 }));
};
const totalOf = (amount: number): number => amount + Math.round((amount - 2 * Math.floor(amount / 3)) / 10);
const keyOf = (number: string): string => number.toLowerCase().replace('ß', 'ss');

async function perform(
  { kind, place, amount, name }: Act,
  { call }: TestAccount,
  contact: number,
  invoices: Billed[],
): Promise<void> {
  const of = invoices[place % invoices.length];
  const put = async (Invoice: object, fine: boolean) => {
    const answer = await call('invoice/import', { Invoice });
    expect([kind, answer.status], answer.text).toEqual([kind, fine ? 200 : 409]);
    return answer.body['Invoice'] as Invoice & { Id: number };
  };
  const make = async (more: object, fine: boolean) => {
    const content = { ContactId: contact, TaxRate: 10, Lines: linesOf(amount), ...more };
    const made = await put(content, fine);
    if (!fine) return;
    const isUnapproved = 'Status' in more;
    const total = totalOf(amount);
    invoices.push({
      id: made.Id,
      content,
      number: made.Number,
      status: isUnapproved ? 'Unapproved' : total ? 'Open' : 'Paid',
      total,
      paid: 0,
    });
  };
  const isFree = !invoices.some(({ number }) => keyOf(number) === keyOf(name));
  if (kind === 'makeNumbered' && isFree) return make({ Number: name }, true);
  if (kind === 'make' || kind === 'makeNumbered' || !of) return make(place % 3 ? {} : { Status: 'Unapproved' }, true);

  const isOver = of.status === 'Paid' || of.status === 'Voided';
  if (kind === 'repeat') {
    // As it was made, with the number it was made with: the same invoice, unless that number is no longer its own.
    if (!('Number' in of.content) || of.content.Number !== of.number) return;
    expect((await put(of.content, true)).Id).toBe(of.id);
  }
  if (kind === 'double') {
    await put({ ...of.content, Number: of.number, Terms: `other ${place}` }, false);
  }
  if (kind === 'change') {
    const total = totalOf(amount);
    const fine = !isOver && total >= of.paid;
    await put({ Id: of.id, Lines: linesOf(amount), TaxRate: 10 }, fine);
    if (!fine) return;
    of.total = total;
    if (of.status !== 'Unapproved') of.status = total === of.paid ? 'Paid' : 'Open';
  }
  if (kind === 'renumber') {
    const isOwn = keyOf(of.number) === keyOf(name);
    const fine = of.number === name || (!isOver && (isOwn || isFree));
    await put({ Id: of.id, Number: name }, fine);
    if (fine) of.number = name;
  }
  if (kind === 'approve') {
    await put({ Id: of.id, Status: 'Open' }, !isOver);
    if (!isOver) of.status = of.total === of.paid ? 'Paid' : 'Open';
  }
  if (kind === 'void') {
    await put({ Id: of.id, Status: 'Voided' }, true);
    of.status = 'Voided';
  }
  if (kind === 'pay' && amount > 0) {
    const fine = of.status === 'Open';
    const rest = of.total - of.paid;
    const paid = fine && place % 2 === 0 ? rest : amount;
    const answer = await call('payment/import', { Payment: { InvoiceId: of.id, Amount: paid / 100 } });
    expect([kind, answer.status], answer.text).toEqual([kind, fine ? 200 : 409]);
    if (!fine) return;
    // What exceeds the rest is the contact's credit.
    of.paid += Math.min(paid, rest);
    if (of.paid === of.total) of.status = 'Paid';
  }
}

test(
  'whatever is imported, changed, numbered, voided and paid in whatever order, invoices and contact are what the model says',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 15, maxLength: 35, size: 'max' }), async (acts) => {
        const account = await testAccount();
        const made = await account.call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' });
        const contact = (made.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
        const invoices: Billed[] = [];
        for (const each of acts) await perform(each, account, contact, invoices);

        const { body } = await account.call('invoice/query', { ContactId: contact, Take: 500 });
        const found = body['Invoices'] as Invoice[];
        invoices.sort((one, other) => one.id - other.id);
        const listed = found
          .map(({ Id, Number, Status, Total, BalanceDue }) => [Id, Number, Status, Total, BalanceDue])
          .sort(([one], [other]) => Number(one) - Number(other));
        expect(listed).toEqual(
          invoices.map(({ id, number, status, total, paid }) => [
            id,
            number,
            status,
            total / 100,
            (status === 'Voided' ? 0 : total - paid) / 100,
          ]),
        );
        expect(new Set(found.map(({ Number }) => keyOf(Number))).size).toBe(found.length);
        for (const { Subtotal, Tax, Total, Lines, DatePaid, Status } of found) {
          expect(Math.round(Lines.reduce((sum, { Extended }) => sum + Extended, 0) * 100)).toBe(
            Math.round(Subtotal * 100),
          );
          expect(Math.round((Subtotal + Tax) * 100)).toBe(Math.round(Total * 100));
          if (Status !== 'Voided') expect(DatePaid !== null).toBe(Status === 'Paid');
        }
        const [ana] = (await account.call('contacts/locate', { IdSearch: contact })).body['Matches'] as Contact[];
        expect(ana?.OpenInvoices.map(({ Id }) => Id).sort((one, other) => one - other)).toEqual(
          invoices.filter(({ status }) => status === 'Open').map(({ id }) => id),
        );
        expect(ana?.IsCustomer).toBe(invoices.length > 0);
      }),
      { numRuns: RUNS },
    );
  },
);
