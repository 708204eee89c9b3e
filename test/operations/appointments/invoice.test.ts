import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import { InvoiceStatus, InvoiceType, type Invoice } from '../../../lib/entities/invoices.ts';
import { serviceEntity } from '../../../lib/entities/services.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import type { AppointmentRecord } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status, blankAppointment } from '../../../lib/domain/appointments/record.ts';
import { blankProposal, compactBook } from '../../../lib/domain/proposals/record.ts';
import { findAppointment, appointmentChanges } from '../../../lib/store/appointments.ts';
import { findContact } from '../../../lib/store/contacts/contacts.ts';
import { findLastId } from '../../../lib/store/dynamodb/records.ts';
import { layout } from '../../../lib/store/keys.ts';
import { findInvoice } from '../../../lib/store/sales/invoices.ts';
import { findProposal, proposalChanges } from '../../../lib/store/sales/proposals.ts';
import { expectFailure } from '../../support/failed.ts';
import { putInvoice, readInvoice } from '../../support/invoices.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';
import { storeOf } from '../../../lib/store/store.ts';

let company: Bookable;
let admin: string;
let parts: Record<string, number>;
/** Of the same company. */
let stranger: number;

const scope = () => ({ account: company.accountId, organizationId: null });

beforeAll(async () => {
  company = await bookable({
    taxRate: { Name: 'Springfield', TaxRate: 8.875 },
    services: [
      { Name: 'Windows', BasePrice: 40, UnitPrice: 5, BaseDuration: 30, IsMigrateInvoice: true, Taxable: true },
      { Name: 'Advice', BasePrice: 0, BaseDuration: 30, IsMigrateInvoice: true },
      { Name: 'Estimate', BasePrice: 25, BaseDuration: 30 },
    ],
  });
  admin = await company.newKey({ role: 'Admin' });
  const { book } = await writeBook(company.accountId, {
    parts: [
      { Name: 'Sealing', UnitPrice: 22.5, UnitPriceMax: 30, RangePricing: true },
      { Name: 'Guard', UnitPrice: 7.335, Taxable: true, UnitOfMeasure: 'ft' },
      { Name: 'Van', UnitPrice: 10, IsInternal: true },
    ],
  });
  parts = Object.fromEntries([...book.parts.values()].map(({ Name, Id }) => [Name, Id]));
  const other = await company.call('contacts/addupdate', { Name: 'Bo', Email: 'bo@example.com', Zip: '62701' });
  stranger = (other.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
});

/** Starts nobody has taken, one after the other. */
let starts = 0;
function start(): string {
  const place = starts++;
  const date = new Date(Date.UTC(2027, 2, 1 + Math.floor(place / 40) * 7 + (Math.floor(place / 8) % 5)));
  return `${date.toISOString().slice(0, 10)}T${String(8 + (place % 8)).padStart(2, '0')}:00`;
}

async function booked(more: object = {}): Promise<number> {
  const answer = await company.book('Ann', start(), { Duration: '30', ...more });
  return slotIn(answer).AppointmentId;
}

const update = (AppointmentId: number, more: object, key = company.key) =>
  company.call('appointments/update', { AppointmentId, ...more }, { key });
const complete = (id: number, more: object = {}) =>
  update(id, { UpdateActuals: true, ActualStart: '2027-03-01T09:00', ActualFinish: '2027-03-01T10:00', ...more });

function invoiceIn(answer: TestAnswer): number {
  expect(answer.status, answer.text).toBe(200);
  return answer.body['InvoiceId'] as number;
}

const invoice = (id: number) => readInvoice(testTable(), company.accountId, id);

async function appointment(id: number): Promise<AppointmentRecord> {
  const found = await findAppointment(storeOf(testTable(), scope()), id);
  if (!found) throw new Error(`no appointment ${id}`);
  return found;
}

/** The invoices there are, by invoice/query. */
async function invoices(): Promise<Invoice[]> {
  const answer = await company.call('invoice/query', { ContactId: company.contact, Take: 500 });
  expect(answer.status, answer.text).toBe(200);
  return answer.body['Invoices'] as Invoice[];
}

/** Of a subscription: each of its visits is invoiced by itself. */
const Book = compactBook({
  service: { ...serviceEntity.blank({ Id: 0, OrganizationId: null }), IsSubscription: true },
  parts: new Map(),
  templates: new Map(),
  fields: [],
});

let proposals = 500;
async function proposal(more: Partial<ProposalRecord> = {}): Promise<number> {
  const Id = ++proposals;
  const now = new Date();
  const input = {
    Id,
    OrganizationId: 1,
    ContactId: company.contact,
    Zone: 'America/Chicago',
    Date: '2027-01-05',
    Created: now.getTime(),
  };
  const after = blankProposal({
    ...input,
    Status: ProposalStatus.Accepted,
    ServiceId: company.services['Windows'] ?? 0,
    ServiceName: 'Windows',
    Book,
    ...more,
  });
  await testTable().commit([proposalChanges({ account: company.accountId }, { before: undefined, after, now }).change]);
  return Id;
}

async function proposalAt(id: number): Promise<ProposalRecord> {
  const found = await findProposal(storeOf(testTable(), scope()), id);
  if (!found) throw new Error(`no proposal ${id}`);
  return found;
}

let visits = 9_000;
/** A visit of an accepted subscription, as acceptance queues it: a third of the year's price and tax. */
async function visit(ProposalId: number, more: Partial<AppointmentRecord> = {}): Promise<number> {
  const Id = ++visits;
  const now = new Date();
  const input = {
    Id,
    OrganizationId: 1,
    ContactId: company.contact,
    HashKey: `visit${Id}`.padEnd(22, 'x'),
    Zone: 'America/Chicago',
    Created: now.getTime(),
  };
  const after = blankAppointment({
    ...input,
    QueueDate: '2027-03-01',
    Duration: 30,
    ServiceId: company.services['Windows'] ?? 0,
    ServiceName: 'Windows',
    Quantity: 12,
    ProposalId,
    Total: 36.34,
    BilledLines: [
      {
        ServiceId: company.services['Windows'] ?? 0,
        PartId: null,
        Description: 'Windows',
        Rate: 33.34,
        Qty: 1,
        Extended: 33.34,
        Taxable: true,
        Tax: 3,
      },
    ],
    BilledTaxRate: 8.875,
    BilledRateName: 'Springfield',
    Sold: { ProposalId, AddOnParts: 0, BilledLines: 1, Total: 36.34, Duration: 30 },
    ...more,
  });
  await testTable().commit(
    appointmentChanges({ account: company.accountId }, { before: undefined, after, now }).changes,
  );
  return Id;
}

const bookVisit = (AppointmentId: number, slot: object = {}, more: object = {}) =>
  company.call('appointments/book', {
    AppointmentId,
    Slots: [{ DateTime: start(), ServiceAgentId: company.agents['Ann'], ...slot }],
    ...more,
  });

describe('completing an appointment of a service with IsMigrateInvoice', () => {
  test('invoices the booked lines, to the cent, and makes the contact a customer', async () => {
    const AddOnParts = [
      { PartId: parts['Sealing'], Quantity: 2, UnitPrice: 25, Discount: 4 },
      { PartId: parts['Guard'], Quantity: 3 },
      { PartId: parts['Van'] },
    ];
    const id = await booked({ Quantity: 12, Discount: 10, AddOnParts });
    const { Total } = await appointment(id);
    const made = await invoice(invoiceIn(await complete(id)));
    // 40.00 + 12 × 5.00 = 100.00; 2 × 25.00 − 4.00 = 46.00; 3 × 7.335 = 22.005 → 22.01. Of 168.01 are taken 10.00:
    // 5.952 → 5.95, 2.738 → 2.74 and 1.310 → 1.31. Tax 8.875 % of 94.05 = 8.35 and of 20.70 = 1.84.
    expect(made).toMatchObject({
      Number: String(made.Id),
      Status: InvoiceStatus.Open,
      InvoiceType: InvoiceType.Standard,
      ContactId: company.contact,
      AppointmentId: id,
      AssociatedAppointmentIds: [],
      ProposalId: null,
      TaxRate: 8.875,
      RateName: 'Springfield',
      Subtotal: 158.01,
      Tax: 10.19,
      Total: 168.2,
      BalanceDue: 168.2,
    });
    expect(made.Total).toBe(Total);
    expect(
      made.Lines.map(({ Description, Rate, Qty, Extended, Taxable }) => [Description, Rate, Qty, Extended, Taxable]),
    ).toEqual([
      ['Windows (12)', 94.05, 1, 94.05, true],
      ['Sealing', 21.63, 2, 43.26, false],
      ['Guard', 6.9, 3, 20.7, true],
    ]);
    const contact = await findContact(storeOf(testTable(), scope()), company.contact);
    expect(contact).toMatchObject({ IsCustomer: true, OpenInvoices: { [made.Id]: { Service: 'Windows (12)' } } });
  });

  test('also invoices it by a change of status, at the price of the booking even if the price book has changed', async () => {
    const id = await booked({ Quantity: 2 });
    await writeBook(company.accountId, { services: [{ Name: 'Windows', BasePrice: 60 }] });
    const made = await invoice(invoiceIn(await update(id, { Slots: [{ Status: Status.Completed }] })));
    await writeBook(company.accountId, { services: [{ Name: 'Windows', BasePrice: 40 }] });
    expect(made).toMatchObject({ Subtotal: 50, Tax: 4.44, Total: 54.44 });
  });

  test('leaves tips out of the invoice, and includes what the same update changes', async () => {
    const id = await booked();
    await update(id, { UpdateActuals: true, ActualStart: '2027-03-01T09:00' });
    await company.call('appointments/addtip', { AppointmentId: id, Amount: 9 });
    const made = await invoice(invoiceIn(await complete(id, { Quantity: 3, UpdateNote: 'One more window.' })));
    expect(made).toMatchObject({ Subtotal: 55, Total: 59.88 });
    expect(await appointment(id)).toMatchObject({
      InvoiceId: made.Id,
      Total: 59.88,
      Notes: expect.stringContaining('One more window.') as string,
    });
  });

  test('creates one invoice if it is completed twice, at the same time or after reopening', async () => {
    const id = await booked();
    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(id)));
    const [first = 0, ...others] = new Set(answers.map(invoiceIn));
    expect(others).toEqual([]);
    expect(invoiceIn(await complete(id))).toBe(first);
    expect((await update(id, { UpdateActuals: true, ActualStart: '2027-03-01T09:30' }, admin)).status).toBe(200);
    expect(invoiceIn(await complete(id))).toBe(first);
    expect((await invoices()).filter(({ AppointmentId }) => AppointmentId === id).map(({ Id }) => Id)).toEqual([first]);
  });

  test('creates no second invoice, and none for a service without IsMigrateInvoice', async () => {
    const { Id: InvoiceId } = await putInvoice(testTable(), company.accountId, 40, { ContactId: company.contact });
    const id = await booked();
    expect(invoiceIn(await complete(id, { InvoiceId }))).toBe(InvoiceId);
    const free = await booked({ ServiceId: company.services['Estimate'] });
    expect(invoiceIn(await complete(free))).toBe(0);
    expect((await invoices()).filter(({ AppointmentId }) => AppointmentId === id || AppointmentId === free)).toEqual(
      [],
    );
  });

  test('an invoice of 0 is Paid at once; a number in use is skipped', async () => {
    const made = await invoice(invoiceIn(await complete(await booked({ ServiceId: company.services['Advice'] }))));
    expect(made).toMatchObject({ Total: 0, Status: InvoiceStatus.Paid, BalanceDue: 0 });
    // The next one has an id of the block of whichever container makes it, or the first of a new block of 20.
    const store = storeOf(testTable(), scope());
    const last = (await findLastId(store, 'Invoice')) + 20;
    for (let id = 1; id <= last; id++)
      if (!(await findInvoice(store, id)))
        await putInvoice(testTable(), company.accountId, 1, {
          Id: 100_000 + id,
          Number: String(id),
          ContactId: stranger,
        });
    const next = await invoice(invoiceIn(await complete(await booked())));
    expect(next.Number).toBe(`${next.Id}-2`);
  });

  test('without stored lines it bills the lines of today, or one line of its total if the price has changed', async () => {
    const forget = async (id: number, input: Partial<AppointmentRecord>): Promise<number> => {
      const before = await appointment(id);
      const after = { ...before, BilledLines: [], BilledTaxRate: 0, BilledRateName: '', ...input };
      await testTable().commit(
        appointmentChanges({ account: company.accountId }, { before, after, now: new Date() }).changes,
      );
      return id;
    };
    const request = { Quantity: 2, AddOnParts: [{ PartId: parts['Guard'], Quantity: 2 }] };
    const [same, other] = [await forget(await booked(request), {}), await forget(await booked(request), { Total: 77 })];
    expect(await invoice(invoiceIn(await complete(same)))).toMatchObject({
      Subtotal: 64.67,
      Tax: 5.74,
      Total: 70.41,
      TaxRate: 8.875,
    });
    const whole = await invoice(invoiceIn(await complete(other)));
    expect(whole).toMatchObject({
      Subtotal: 77,
      Tax: 0,
      Total: 77,
      Lines: [{ Description: 'Windows', Rate: 77, Qty: 1, Taxable: false }],
    });
  });
});

describe('the deposit of its proposal', () => {
  async function deposited(total: number): Promise<{ invoiceId: number; proposalId: number }> {
    const { Id } = await putInvoice(testTable(), company.accountId, total, {
      ContactId: company.contact,
      InvoiceType: InvoiceType.Deposit,
    });
    return { invoiceId: Id, proposalId: await proposal({ DepositInvoiceId: Id }) };
  }

  test('is credited once: as much as a visit costs, the rest at the next', async () => {
    const { invoiceId, proposalId } = await deposited(50);
    const [one, two, three] = [await visit(proposalId), await visit(proposalId), await visit(proposalId)];
    const billed = [];
    for (const id of [one, two, three]) {
      expect((await bookVisit(id)).status).toBe(200);
      billed.push(await invoice(invoiceIn(await complete(id))));
    }
    expect(billed.map(({ Subtotal, Tax, Total, Status: status }) => [Subtotal, Tax, Total, status])).toEqual([
      [-3, 3, 0, InvoiceStatus.Paid],
      [19.68, 3, 22.68, InvoiceStatus.Open],
      [33.34, 3, 36.34, InvoiceStatus.Open],
    ]);
    expect(billed[0]?.Lines[1]).toMatchObject({
      Description: `Deposit, invoice N-${invoiceId}`,
      Rate: -36.34,
      Qty: 1,
      Extended: -36.34,
      Taxable: false,
    });
    expect(billed[1]?.Lines[1]).toMatchObject({ Extended: -13.66 });
    expect(await proposalAt(proposalId)).toMatchObject({
      Status: ProposalStatus.Invoiced,
      DepositCredits: [{ Amount: 36.34 }, { Amount: 13.66 }],
    });
  });

  test('is not credited twice by two visits completed at the same time, nor after it is voided', async () => {
    const { proposalId } = await deposited(20);
    const [one, two] = [await visit(proposalId), await visit(proposalId)];
    for (const id of [one, two]) await bookVisit(id);
    const made = await Promise.all(
      (await Promise.all([complete(one), complete(two)])).map((answer) => invoice(invoiceIn(answer))),
    );
    expect(made.map(({ Total }) => Total).sort()).toEqual([16.34, 36.34]);
    const { invoiceId, proposalId: other } = await deposited(20);
    await testTable().update({
      update: layout.invoice.key({ account: company.accountId, id: invoiceId }),
      set: { Status: InvoiceStatus.Voided },
      add: { V: 1 },
    });
    const third = await visit(other);
    await bookVisit(third);
    expect(await invoice(invoiceIn(await complete(third)))).toMatchObject({ Total: 36.34 });
  });
});

describe('the references of an appointment', () => {
  test('an Accepted proposal becomes Scheduled; any other stays unchanged', async () => {
    const [accepted, open] = [await proposal(), await proposal({ Status: ProposalStatus.Open })];
    const id = await booked({ RootProposalId: accepted });
    expect(await proposalAt(accepted)).toMatchObject({ Status: ProposalStatus.Scheduled });
    expect(await appointment(id)).toMatchObject({ RootProposalId: accepted, BilledTaxRate: 8.875 });
    expect((await appointment(await booked({ RootProposalId: open }))).RootProposalId).toBe(open);
    expect(await proposalAt(open)).toMatchObject({ Status: ProposalStatus.Open });
    const later = await proposal();
    await update(id, { RootProposalId: later });
    expect(await proposalAt(later)).toMatchObject({ Status: ProposalStatus.Scheduled });
    const made = await invoice(invoiceIn(await complete(id)));
    expect([made.ProposalId, (await proposalAt(later)).Status]).toEqual([later, ProposalStatus.Invoiced]);
  });

  test('a change order becomes Scheduled, and its proposal lists it so', async () => {
    const root = await proposal();
    const change = await proposal({ ChangeOrderForProposalId: root });
    const listed = {
      Id: change,
      ServiceId: 1,
      ServiceName: 'Windows',
      Date: '2027-01-05',
      Status: ProposalStatus.Accepted,
      Subtotal: 0,
      Tax: 0,
    };
    const before = await proposalAt(root);
    await testTable().commit([
      proposalChanges(
        { account: company.accountId },
        { before, after: { ...before, ChangeOrders: [listed] }, now: new Date() },
      ).change,
    ]);
    const id = await visit(change, { RootProposalId: root });
    expect(slotIn(await bookVisit(id))).toMatchObject({ ProposalId: change, RootProposalId: root, Total: 36.34 });
    const states = async () => [
      (await proposalAt(change)).Status,
      (await proposalAt(root)).Status,
      (await proposalAt(root)).ChangeOrders.map(({ Id, Status: status }) => [Id, status]),
    ];
    expect(await states()).toEqual([
      ProposalStatus.Scheduled,
      ProposalStatus.Scheduled,
      [[change, ProposalStatus.Scheduled]],
    ]);
    expect(await invoice(invoiceIn(await complete(id)))).toMatchObject({ ProposalId: change });
    expect(await states()).toEqual([
      ProposalStatus.Invoiced,
      ProposalStatus.Scheduled,
      [[change, ProposalStatus.Invoiced]],
    ]);
  });

  test.each(['appointments/book', 'appointments/update'])(
    '%s refuses what there is not, and what is of another contact',
    async (operation) => {
      const theirs = await proposal({ ContactId: stranger });
      const { Id: bill } = await putInvoice(testTable(), company.accountId, 5, { ContactId: stranger });
      const id = await booked();
      const call = (more: object) => {
        const Slots =
          operation === 'appointments/book' ? [{ DateTime: start(), ServiceAgentId: company.agents['Ann'] }] : [];
        return company.call(operation, {
          ContactId: company.contact,
          ServiceId: company.services['Windows'],
          ...(operation === 'appointments/update' ? { AppointmentId: id } : {}),
          Slots,
          ...more,
        });
      };
      const cases = [
        [{ RootProposalId: 12_345 }, 404, 'RootProposalId'],
        [{ RootProposalId: theirs }, 400, 'RootProposalId'],
        [{ InvoiceId: 12_345 }, 404, 'InvoiceId'],
        [{ InvoiceId: bill }, 400, 'InvoiceId'],
      ] as const;
      for (const [request, code, field] of cases) {
        const answer = await call(request);
        expectFailure(answer, code);
        expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual([field]);
      }
    },
  );

  test('a proposal in the slot is checked too; find returns the appointments of a proposal', async () => {
    const theirs = await proposal({ ContactId: stranger });
    const slot = { DateTime: start(), ServiceAgentId: company.agents['Ann'] };
    const answer = await company.book('Ann', '', { Slots: [{ ...slot, ProposalId: theirs }] });
    expectFailure(answer, 400);
    expect(answer.body['Errors']).toMatchObject([{ Field: 'Slots[0].ProposalId' }]);
    const own = await proposal();
    const id = slotIn(await company.book('Ann', '', { Slots: [{ ...slot, ProposalId: own }] })).AppointmentId;
    const find = async (more: object) =>
      slotsIn(await company.call('appointments/find', { ContactId: company.contact, ...more })).map(
        ({ AppointmentId }) => AppointmentId,
      );
    expect([
      await find({ RootProposalId: own }),
      await find({ RootProposalId: theirs }),
      await find({ RootProposalId: own, InvoiceId: 12_345 }),
    ]).toEqual([[id], [], []]);
  });

  test('a sold visit has its sold price when searched, queued again and booked; only added parts cost more', async () => {
    const proposalId = await proposal();
    const id = await visit(proposalId);
    const found = await company.call('appointments/slotsearch', {
      AppointmentId: id,
      TargetDate: '2027-08-02',
      SlotWindowDays: 1,
    });
    const [slot] = slotsIn(found);
    expect(slot).toMatchObject({ Total: 36.34, Quantity: 12, Duration: 30 });
    await company.call('appointments/queue', { AppointmentId: id, QueueDate: '2027-08-02' });
    const made = slotIn(await company.call('appointments/book', { AppointmentId: id, Slots: [slot] }));
    expect(made).toMatchObject({ AppointmentId: id, Total: 36.34, ProposalId: proposalId });
    expect(await proposalAt(proposalId)).toMatchObject({ Status: ProposalStatus.Scheduled });
    expect(await invoice(invoiceIn(await complete(id)))).toMatchObject({
      ProposalId: proposalId,
      Subtotal: 33.34,
      Tax: 3,
      Total: 36.34,
    });
    const more = await visit(proposalId);
    for (const request of [{ Quantity: 2 }, { Discount: 5 }]) expectFailure(await bookVisit(more, {}, request), 409);
    const AddOnParts = [{ PartId: parts['Guard'], Quantity: 2 }];
    // 2 × 7.335 = 14.67 and its tax of 1.30 are added to 36.34.
    expect(slotIn(await bookVisit(more, {}, { AddOnParts }))).toMatchObject({
      Total: 52.31,
      Quantity: 12,
      AddOnParts: [{ PartId: parts['Guard'], Quantity: 2 }],
    });
    await update(more, { AddOnParts: [{ PartId: parts['Guard'], Quantity: 1 }], UpdateLines: true });
    expect(await appointment(more)).toMatchObject({
      Total: 44.33,
      BilledLines: [{ Extended: 33.34, Tax: 3 }, { Extended: 7.34 }],
    });
    expectFailure(await update(more, { Quantity: 2 }), 409);
    expect(await invoice(invoiceIn(await complete(more)))).toMatchObject({ Subtotal: 40.68, Tax: 3.65, Total: 44.33 });
  });
});
