import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { type AppointmentSlot, appointmentEntity } from '../../../lib/entities/appointments.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Status } from '../../../lib/domain/appointments/record.ts';
import { verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import { findEvidence, sha256 } from '../../../lib/store/sales/evidence.ts';
import { findByIds } from '../../../lib/store/dynamodb/records.ts';
import { layout } from '../../../lib/store/keys.ts';
import { type Bookable, bookable } from '../../support/scheduling.ts';
import { svgUri } from '../../support/signatures.ts';
import { testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1);

/** A signed proposal: the first of the family, or a change order of it. Amounts are whole cents. */
interface Sale {
  readonly id: number;
  readonly total: number;
  readonly deposit: Bill | undefined;
  status: 'Accepted' | 'Scheduled' | 'Invoiced' | 'Complete';
  /** The status to which voiding its invoice returns. */
  unbilledStatus: Sale['status'];
  billedBy: Bill | undefined;
}

interface Bill {
  readonly id: number;
  readonly type: 'Deposit' | 'Standard' | 'Credit';
  readonly total: number;
  readonly sales: readonly Sale[];
  /** The deposits that it takes off, each whole. */
  readonly credits: readonly Bill[];
  status: 'Open' | 'Paid' | 'Voided';
  paid: number;
}

interface Visit {
  readonly id: number;
  completed: boolean;
  bill: Bill | undefined;
}

interface Act {
  readonly kind: 'order' | 'book' | 'complete' | 'reopen' | 'void' | 'pay' | 'close';
  readonly place: number;
  /** Whole cents. */
  readonly amount: number;
  readonly depositPercent: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('order', 'book', 'complete', 'complete', 'complete', 'reopen', 'void', 'void', 'pay', 'close'),
  place: fc.nat(30),
  amount: fc.oneof(fc.integer({ min: -6_000, max: 9_999 }), fc.constantFrom(1, 333, 10_000)),
  depositPercent: fc.constantFrom(0, 33, 50, 100),
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const pick = <T>(all: readonly T[], place: number): T | undefined => all[place % all.length];
const toAmount = (cents: number): number => cents / 100;

const byId = ([one]: readonly unknown[], [other]: readonly unknown[]): number => Number(one) - Number(other);

function expectEqual(found: unknown, expected: unknown, message: string): void {
  expect(found, message).toEqual(expected);
}

/** Expects the same rows, each beginning with an id, in any order. */
function expectSameRows(found: readonly (readonly unknown[])[], expected: readonly (readonly unknown[])[]): void {
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
}

/**
 * A proposal with its change orders, their invoices and appointments, as docs/interface.md describes them: a completed
 * appointment bills what was signed and is not billed, less every deposit that is neither voided nor credited.
 */
class Family {
  readonly sales: Sale[] = [];
  readonly bills: Bill[] = [];
  readonly visits: Visit[] = [];
  private readonly company: Bookable;
  private readonly admin: string;

  constructor(company: Bookable, admin: string) {
    this.company = company;
    this.admin = admin;
  }

  async perform({ kind, place, amount, depositPercent }: Act): Promise<void> {
    const visit = pick(this.visits, place);
    const bill = pick(this.bills, place);
    const sale = pick(this.sales, place);
    if (kind === 'order') return this.sign(amount, depositPercent);
    if (kind === 'book') return this.book();
    if (kind === 'complete' && visit) return this.complete(visit);
    if (kind === 'reopen' && visit) return this.reopen(visit);
    if (kind === 'void' && bill) return this.void(bill);
    if (kind === 'pay' && bill) return this.pay(bill, Math.abs(amount), place);
    if (kind === 'close' && sale) return this.close(sale);
  }

  /** Signs the first proposal, or a change order of it. */
  async sign(total: number, depositPercent: number): Promise<void> {
    const { contact, services } = this.company;
    const [root] = this.sales;
    const { Id } = await this.succeed('proposal/create', {
      ContactId: contact,
      ServiceId: services['Work'],
      ProposalLines: [{ LineDescription: 'Work', Quantity: 1, UnitPrice: toAmount(total) }],
      DepositRate: depositPercent,
      DepositRequired: depositPercent > 0,
      Status: 'Open',
      ...(root ? { ChangeOrderForProposalId: root.id } : {}),
    });
    await this.succeed('proposal/accept', { ProposalId: Id, Name: 'Ana', SignatureData: svgUri });
    const part = total > 0 ? Math.floor((total * depositPercent + 50) / 100) : 0;
    const deposit = part ? await this.addBill({ type: 'Deposit', total: part, sales: [], credits: [] }) : undefined;
    const status = 'Accepted';
    this.sales.push({ id: Id as number, total, deposit, status, unbilledStatus: status, billedBy: undefined });
  }

  async book(): Promise<void> {
    const [root] = this.sales;
    if (!root) return;
    const { agents, contact } = this.company;
    const week = Math.floor(this.visits.length / 9) * 7;
    const date = new Date(Date.UTC(2027, 2, 1 + week)).toISOString().slice(0, 10);
    const DateTime = `${date}T${String(8 + (this.visits.length % 9)).padStart(2, '0')}:00`;
    const body = await this.succeed('appointments/book', {
      ContactId: contact,
      RootProposalId: root.id,
      Slots: [{ DateTime, ServiceAgentId: agents['Ann'] }],
    });
    const [slot] = body['Slots'] as AppointmentSlot[];
    this.visits.push({ id: slot?.AppointmentId ?? 0, completed: false, bill: undefined });
    if (root.status === 'Accepted') root.status = 'Scheduled';
  }

  async complete(visit: Visit): Promise<void> {
    if (visit.completed) return;
    const body = await this.succeed('appointments/update', {
      AppointmentId: visit.id,
      Slots: [{ Status: Status.Completed }],
    });
    visit.completed = true;
    const sales = this.sales.filter(({ billedBy }) => !billedBy);
    if (visit.bill || !sales.length) return expectEqual(body['InvoiceId'], visit.bill?.id ?? 0, 'InvoiceId');
    const credits = this.uncreditedDeposits();
    const total = sum(sales.map((sale) => sale.total)) - sum(credits.map((deposit) => deposit.total));
    visit.bill = await this.addBill({ type: total < 0 ? 'Credit' : 'Standard', total, sales, credits });
    for (const sale of sales) {
      sale.billedBy = visit.bill;
      sale.unbilledStatus = sale.status;
      if (sale.status !== 'Complete') sale.status = 'Invoiced';
    }
  }

  async reopen(visit: Visit): Promise<void> {
    if (!visit.completed) return;
    const request = { AppointmentId: visit.id, Slots: [{ Status: Status.Started }] };
    await this.succeed('appointments/update', request, this.admin);
    visit.completed = false;
  }

  async void(bill: Bill): Promise<void> {
    const crediting = this.bills.find(({ status, credits }) => status !== 'Voided' && credits.includes(bill));
    const request = { InvoiceId: bill.id, Invoice: { Status: 'Voided' } };
    if (crediting) {
      const answer = await this.company.call('invoice/import', request);
      expectEqual(answer.status, 409, answer.text);
      expectEqual(answer.text.includes(`Void invoice ${crediting.id} first.`), true, answer.text);
      return;
    }
    await this.succeed('invoice/import', request);
    if (bill.status === 'Voided') return;
    bill.status = 'Voided';
    for (const visit of this.visits) if (visit.bill === bill) visit.bill = undefined;
    for (const sale of bill.sales) {
      sale.billedBy = undefined;
      if (sale.status === 'Invoiced') sale.status = sale.unbilledStatus;
    }
  }

  async pay(bill: Bill, amount: number, place: number): Promise<void> {
    const due = bill.status === 'Open' && bill.total > 0 ? bill.total - bill.paid : 0;
    const paid = place % 2 && due ? due : amount;
    if (!paid) return;
    const answer = await this.company.call('payment/import', {
      Payment: { InvoiceId: bill.id, Amount: toAmount(paid) },
    });
    // A credit takes back what was refunded, which is nothing here.
    expectEqual(answer.status, due ? 200 : 409, answer.text);
    if (!due) return;
    // What exceeds it is the contact's credit.
    bill.paid += Math.min(paid, due);
    if (bill.paid === bill.total) bill.status = 'Paid';
  }

  /** Marks the work as done by hand; that bills nothing and changes nothing of what is billed. */
  async close(sale: Sale): Promise<void> {
    const fine = sale.status !== 'Accepted';
    const answer = await this.company.call('proposal/update', { Id: sale.id, Status: 'Complete' });
    expectEqual(answer.status, fine ? 200 : 409, answer.text);
    if (fine) sale.status = 'Complete';
  }

  /** The three resources agree with the model, and bill what was signed at most once. */
  async check(): Promise<void> {
    const { contact, accountId } = this.company;
    const [proposals, invoices, appointments] = await Promise.all([
      this.company.call('proposal/query', { ContactId: contact, Take: 500 }),
      this.company.call('invoice/query', { ContactId: contact, Take: 500 }),
      findByIds(
        testTable(),
        appointmentEntity,
        this.visits.map(({ id }) => id),
        (id) => layout.appointment.key({ account: accountId, id }),
      ),
    ]);
    const found = invoices.body['Invoices'] as Invoice[];
    expectSameRows(
      (proposals.body['Proposals'] as Proposal[]).map(({ Id, Status }) => [Id, Status]),
      this.sales.map(({ id, status }) => [id, status]),
    );
    expectSameRows(
      found.map(({ Id, InvoiceType, Status, Total, BalanceDue }) => [Id, InvoiceType, Status, Total, BalanceDue]),
      this.bills.map(({ id, type, status, total, paid }) => {
        const due = status === 'Voided' ? 0 : total - paid;
        return [id, type, status, toAmount(total), toAmount(due)];
      }),
    );
    expectSameRows(
      appointments.map(({ Id, InvoiceId }) => [Id, InvoiceId]),
      this.visits.map(({ id, bill }) => [id, bill?.id ?? 0]),
    );
    const billed = this.sales.filter(({ billedBy }) => billedBy);
    const owed = sum(billed.map(({ total }) => total)) + sum(this.uncreditedDeposits().map(({ total }) => total));
    expectEqual(totalBilled(found), owed, 'what the invoices bill');
  }

  /** Another visit bills whatever is left: then all that was signed is billed, and nothing else. */
  async finish(): Promise<void> {
    await this.book();
    const last = this.visits.at(-1);
    if (last) await this.complete(last);
    await this.check();
    const { body } = await this.company.call('invoice/query', { ContactId: this.company.contact, Take: 500 });
    for (const { id } of this.sales) {
      const evidence = await findEvidence(accountStore(testTable(), this.company.accountId), id);
      const checks = evidence.kind === 'found' ? verifyEvidence(evidence.evidence, sha256) : [];
      expectEqual(
        checks.map(({ Passed }) => Passed),
        [true, true, true, true],
        `evidence of proposal ${id}`,
      );
    }
    const signed = sum(this.sales.map(({ total }) => total));
    expectEqual(totalBilled(body['Invoices'] as Invoice[]), signed, 'what the invoices bill in the end');
  }

  private uncreditedDeposits(): Bill[] {
    const credited = this.bills.flatMap(({ status, credits }) => (status === 'Voided' ? [] : credits));
    return this.sales.flatMap(({ deposit }) =>
      deposit && deposit.status !== 'Voided' && !credited.includes(deposit) ? [deposit] : [],
    );
  }

  /** The newest invoice of the contact, which the last call made. */
  private async addBill(bill: Pick<Bill, 'type' | 'total' | 'sales' | 'credits'>): Promise<Bill> {
    const { body } = await this.company.call('invoice/query', { ContactId: this.company.contact, Take: 500 });
    const known = this.bills.map(({ id }) => id);
    const added = (body['Invoices'] as Invoice[]).filter(({ Id }) => !known.includes(Id ?? 0));
    expectSameRows(
      added.map(({ InvoiceType, Total }) => [InvoiceType, Total]),
      [[bill.type, toAmount(bill.total)]],
    );
    const made: Bill = { ...bill, id: added[0]?.Id ?? 0, paid: 0, status: bill.total ? 'Open' : 'Paid' };
    this.bills.push(made);
    return made;
  }

  private async succeed(operation: string, request: object, key = this.company.key) {
    const answer = await this.company.call(operation, request, { key });
    expectEqual(answer.status, 200, `${operation}: ${answer.text}`);
    return answer.body;
  }
}

const totalBilled = (invoices: readonly Invoice[]): number =>
  sum(invoices.flatMap(({ Status, Total }) => (Status === 'Voided' ? [] : [Math.round((Total ?? 0) * 100)])));

test(
  'over any sequence of accept, change order, book, complete, reopen, void and pay, invoices, credits, payments and ' +
    'statuses agree at every step, and what was signed is billed exactly once in the end',
  { timeout: 60_000 + RUNS * 10_000 },
  async () => {
    const signed = fc.record({
      amount: fc.integer({ min: 1, max: 20_000 }),
      depositPercent: fc.constantFrom(0, 33, 50, 100),
    });
    const acts = fc.array(act, { minLength: 8, maxLength: 18, size: 'max' });
    await fc.assert(
      fc.asyncProperty(signed, acts, async ({ amount, depositPercent }, sequence) => {
        const services = [{ Name: 'Work', BaseDuration: 30, IsMigrateInvoice: true }];
        const company = await bookable({ services });
        const family = new Family(company, await company.newKey({ role: 'Admin' }));
        await family.sign(amount, depositPercent);
        await family.book();
        for (const each of sequence) {
          await family.perform(each);
          await family.check();
        }
        await family.finish();
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 30_000 + RUNS * 5_000, markInterruptAsFailure: true },
    );
  },
);
