import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { type InvoiceRecord, InvoiceStatus, InvoiceType, type Invoice } from '../../../lib/entities/invoices.ts';
import type { AppointmentRecord, AppointmentSlot } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../../lib/domain/appointments/record.ts';
import { findAppointment } from '../../../lib/store/appointments.ts';
import { layout } from '../../../lib/store/keys.ts';
import { findProposal } from '../../../lib/store/sales/proposals.ts';
import { expectFailure } from '../../support/failed.ts';
import { readInvoice } from '../../support/invoices.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../../support/scheduling.ts';
import { svgUri } from '../../support/signatures.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';
import { storeOf } from '../../../lib/store/store.ts';

let company: Bookable;
let admin: string;
let parts: Record<string, number>;

const scope = () => ({ account: company.accountId, organizationId: null });

beforeAll(async () => {
  company = await bookable({
    taxRate: { Name: 'Springfield', TaxRate: 8.875 },
    services: [
      { Name: 'Windows', BasePrice: 40, UnitPrice: 5, BaseDuration: 30, IsMigrateInvoice: true, Taxable: true },
      { Name: 'Gutters', UnitPrice: 25, BaseDuration: 60, IsMigrateInvoice: true },
    ],
  });
  admin = await company.newKey({ role: 'Admin' });
  const { book } = await writeBook(company.accountId, {
    parts: [
      { Name: 'Sealing', UnitPrice: 22.5 },
      { Name: 'Guard', UnitPrice: 7.335, Taxable: true, UnitDuration: 10 },
      { Name: 'Van', UnitPrice: 10, IsInternal: true },
    ],
  });
  parts = Object.fromEntries([...book.parts.values()].map(({ Name, Id }) => [Name, Id]));
});

async function ok(answer: Promise<TestAnswer>): Promise<TestAnswer> {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
  return answer;
}

/** A signed proposal: Windows × 12 and its parts unless input otherwise. */
async function signedProposal(input: object = {}): Promise<number> {
  const ProposalLines = [
    { Part: { Id: parts['Sealing'] }, Quantity: 2, Discount: 4 },
    { Part: { Id: parts['Guard'] }, Quantity: 3 },
    { Part: { Id: parts['Van'] } },
  ];
  const request = {
    ContactId: company.contact,
    ServiceId: company.services['Windows'],
    Quantity: 12,
    ProposalLines,
    Status: 'Open',
    ...input,
  };
  const { body } = await ok(company.call('proposal/create', request));
  await ok(company.call('proposal/accept', { ProposalId: body['Id'], Name: 'José García', SignatureData: svgUri }));
  return body['Id'] as number;
}

/** A signed change order of one untaxed line: Gutters × 2, 50.00. */
const order = (ChangeOrderForProposalId: number, input: object = {}) =>
  signedProposal({
    ServiceId: company.services['Gutters'],
    Quantity: 2,
    ProposalLines: [],
    ChangeOrderForProposalId,
    ...input,
  });

let starts = 0;
const at = () => {
  const place = starts++;
  const date = new Date(Date.UTC(2027, 2, 1 + Math.floor(place / 20) * 7 + (Math.floor(place / 4) % 5)));
  return {
    DateTime: `${date.toISOString().slice(0, 10)}T${String(8 + 2 * (place % 4)).padStart(2, '0')}:00`,
    ServiceAgentId: company.agents['Ann'],
  };
};

const tryBook = (more: object, slot: object = {}) =>
  company.call('appointments/book', { ContactId: company.contact, Slots: [{ ...at(), ...slot }], ...more });
const book = async (more: object, slot: object = {}): Promise<AppointmentSlot> => slotIn(await tryBook(more, slot));
const update = (AppointmentId: number, more: object, key = company.key) =>
  company.call('appointments/update', { AppointmentId, ...more }, { key });
const complete = (id: number) => ok(update(id, { Slots: [{ Status: Status.Completed }] }));
const reopen = (id: number) => ok(update(id, { UpdateActuals: true, ActualStart: '2027-03-01T09:30' }, admin));
const tryVoid = (InvoiceId: number) => company.call('invoice/import', { InvoiceId, Invoice: { Status: 'Voided' } });
const voided = (InvoiceId: number) => ok(tryVoid(InvoiceId));

async function billed(id: number): Promise<InvoiceRecord> {
  const { body } = await complete(id);
  expect(body['InvoiceId']).toBeGreaterThan(0);
  return readInvoice(testTable(), company.accountId, body['InvoiceId'] as number);
}

async function appointment(id: number): Promise<AppointmentRecord> {
  const found = await findAppointment(storeOf(testTable(), scope()), id);
  if (!found) throw new Error(`no appointment ${id}`);
  return found;
}

async function proposal(id: number): Promise<ProposalRecord> {
  const found = await findProposal(storeOf(testTable(), scope()), id);
  if (!found) throw new Error(`no proposal ${id}`);
  return found;
}

function conflictMessage(answer: TestAnswer): string {
  expectFailure(answer, 409);
  return answer.body['Message'] as string;
}

const depositOf = async (id: number): Promise<number> => (await proposal(id)).DepositInvoiceId ?? 0;

const statusOf = async (id: number): Promise<number> => (await proposal(id)).Status;

async function invoicesOf(ids: readonly number[]): Promise<number> {
  const { body } = await ok(company.call('invoice/query', { ContactId: company.contact, Take: 500 }));
  return (body['Invoices'] as Invoice[]).filter(({ AppointmentId }) => ids.includes(AppointmentId ?? 0)).length;
}

// 40.00 + 12 × 5.00 = 100.00, 2 × 22.50 − 4.00 = 41.00 and 3 × 7.335 = 22.01: 163.01; tax 8.875 % of 100.00 and of
// 22.01: 8.88 + 1.95.
const TOTAL = 173.84;

describe('an appointment of a signed proposal', () => {
  test('has the sold price, length and lines even if the price book has changed', async () => {
    const RootProposalId = await signedProposal();
    await writeBook(company.accountId, { services: [{ Name: 'Windows', BasePrice: 90 }] });
    const [found] = slotsIn(
      await ok(
        company.call('appointments/slotsearch', {
          ContactId: company.contact,
          RootProposalId,
          TargetDate: '2027-06-07',
          SlotWindowDays: 1,
        }),
      ),
    );
    expect(found).toMatchObject({ Total: TOTAL, Duration: 60, Quantity: 12, RootProposalId, ServiceName: 'Windows' });
    const made = slotIn(await company.call('appointments/book', { ContactId: company.contact, Slots: [found] }));
    await writeBook(company.accountId, { services: [{ Name: 'Windows', BasePrice: 40 }] });
    expect(made).toMatchObject({
      Total: TOTAL,
      Duration: 60,
      AddOnParts: [
        { PartId: parts['Sealing'], Quantity: 2, Discount: 4 },
        { PartId: parts['Guard'], Quantity: 3 },
      ],
    });
    const invoice = await billed(made.AppointmentId);
    expect(invoice).toMatchObject({
      Subtotal: 163.01,
      Tax: 10.83,
      Total: TOTAL,
      TaxRate: 8.875,
      ProposalId: RootProposalId,
    });
    expect(invoice.Lines.map(({ Description, Rate, Qty, Extended }) => [Description, Rate, Qty, Extended])).toEqual([
      ['Windows (12)', 100, 1, 100],
      ['Sealing', 20.5, 2, 41],
      ['Guard', 7.335, 3, 22.01],
    ]);
    expect(await statusOf(RootProposalId)).toBe(ProposalStatus.Invoiced);
  });

  test('has them too if its proposal is set later, or signed after the booking', async () => {
    const plain = await book({ ServiceId: company.services['Windows'], Quantity: 2 });
    expect(plain.Total).toBe(54.44);
    const RootProposalId = await signedProposal();
    expect(slotIn(await update(plain.AppointmentId, { RootProposalId }))).toMatchObject({
      Total: TOTAL,
      Duration: 60,
      Quantity: 12,
    });
    expect(slotIn(await update(plain.AppointmentId, { RootProposalId: null }))).toMatchObject({
      RootProposalId: null,
      Quantity: 12,
    });
    expect(await appointment(plain.AppointmentId)).toMatchObject({ Sold: null });
    const { body } = await ok(
      company.call('proposal/create', {
        ContactId: company.contact,
        ServiceId: company.services['Windows'],
        Quantity: 3,
        Status: 'Open',
      }),
    );
    const early = await book({ RootProposalId: body['Id'], Quantity: 7, AddOnParts: [{ PartId: parts['Sealing'] }] });
    await ok(company.call('proposal/accept', { ProposalId: body['Id'], Name: 'José García', SignatureData: svgUri }));
    // 55.00 and 4.88 of tax were signed; the sealing for 22.50 was booked besides.
    expect(await billed(early.AppointmentId)).toMatchObject({ Subtotal: 77.5, Tax: 4.88, Total: 82.38 });
  });

  test('keeps a requested Duration, and another service has its own price', async () => {
    const RootProposalId = await signedProposal();
    expect(await book({ RootProposalId, Duration: '2h' })).toMatchObject({ Total: TOTAL, Duration: 120 });
    const other = await book({ RootProposalId, ServiceId: company.services['Gutters'], Quantity: 2 });
    expect(other).toMatchObject({ Total: 50, ServiceName: 'Gutters' });
    expect(await billed(other.AppointmentId)).toMatchObject({ Total: 50 });
    expect(await statusOf(RootProposalId)).toBe(ProposalStatus.Scheduled);
  });

  test('can have parts added; another quantity, a discount or another amount of a sold part is 409', async () => {
    const RootProposalId = await signedProposal();
    const Guard = { PartId: parts['Guard'], Quantity: 3 };
    for (const request of [
      { Quantity: 13 },
      { Discount: 1 },
      { AddOnParts: [{ ...Guard, Quantity: 4 }] },
      { AddOnParts: [{ ...Guard, Discount: 1 }] },
    ]) {
      const answer = await tryBook({ RootProposalId, ...request });
      expectFailure(answer, 409);
      expect(answer.body['Message']).toMatch(
        new RegExp(`sold with proposal ${RootProposalId}\\. Create a change order to change it\\.$`),
      );
    }
    const invalid = await tryBook({ RootProposalId, AddOnParts: [Guard, { PartId: 12_345 }] });
    expectFailure(invalid, 400);
    expect(invalid.body['Errors']).toMatchObject([{ Field: 'AddOnParts[1].PartId' }]);
    const same = await book({ RootProposalId, Quantity: 12, Discount: 0, AddOnParts: [Guard] });
    expect(same).toMatchObject({ Total: TOTAL });
    // One guard more: 7.34 and 0.65 of tax, 10 minutes.
    const more = await book({ RootProposalId, AddOnParts: [Guard, { PartId: parts['Guard'] }] });
    expect(more).toMatchObject({ Total: 181.83, Duration: 70 });
    expect(await billed(more.AppointmentId)).toMatchObject({ Subtotal: 170.35, Tax: 11.48, Total: 181.83 });
  });
});

test('an update that changes nothing of a Scheduled appointment makes its proposal Scheduled once that is accepted', async () => {
  const { body } = await ok(
    company.call('proposal/create', {
      ContactId: company.contact,
      ServiceId: company.services['Windows'],
      Quantity: 3,
      Status: 'Open',
    }),
  );
  const RootProposalId = body['Id'] as number;
  const { AppointmentId } = await book({ RootProposalId });
  await ok(company.call('proposal/accept', { ProposalId: RootProposalId, Name: 'Ann', SignatureData: svgUri }));
  // The first update takes the sold work over; the proposal is then put back, as if accepted again.
  await update(AppointmentId, { RootProposalId });
  const proposal = await findProposal(storeOf(testTable(), scope()), RootProposalId);
  const key = layout.proposal.key({ account: company.accountId, id: RootProposalId });
  await testTable().update({ update: key, set: { Status: ProposalStatus.Accepted }, add: { V: 1 } });
  expect([proposal?.Status, await statusOf(RootProposalId)]).toEqual([
    ProposalStatus.Scheduled,
    ProposalStatus.Accepted,
  ]);
  const before = await appointment(AppointmentId);
  await ok(update(AppointmentId, { RootProposalId }));
  expect(await statusOf(RootProposalId)).toBe(ProposalStatus.Scheduled);
  expect(await appointment(AppointmentId)).toEqual(before);
});

describe('sold work', () => {
  test('is invoiced once, by the first completed appointment; later ones invoice only added parts', async () => {
    const RootProposalId = await signedProposal();
    const ids = [
      await book({ RootProposalId }),
      await book({ RootProposalId }),
      await book({
        RootProposalId,
        AddOnParts: [
          { PartId: parts['Guard'], Quantity: 3 },
          { PartId: parts['Guard'], Quantity: 1 },
        ],
      }),
    ].map(({ AppointmentId }) => AppointmentId);
    const [one = 0, two = 0, three = 0] = ids;
    await billed(one);
    const { body } = await complete(two);
    expect(body).toMatchObject({
      InvoiceId: 0,
      Message: `Completed without an invoice: what was sold has been invoiced, proposal ${RootProposalId} is Invoiced.`,
    });
    expect(await appointment(two)).toMatchObject({ Status: Status.Completed, InvoiceId: 0 });
    expect(await billed(three)).toMatchObject({ Subtotal: 7.34, Total: 7.99, Lines: [{ Description: 'Guard' }] });
    expect(await invoicesOf(ids)).toBe(2);
  });

  test('is invoiced once by two appointments completed at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
      const ids = [(await book({ RootProposalId })).AppointmentId, (await book({ RootProposalId })).AppointmentId];
      const answers = await Promise.all(ids.map(complete));
      expect(answers.map(({ body }) => [body['InvoiceId'] !== 0, body['Message'] === '']).sort()).toEqual([
        [false, false],
        [true, true],
      ]);
      expect(await invoicesOf(ids)).toBe(1);
      expect(await proposal(RootProposalId)).toMatchObject({
        Status: ProposalStatus.Invoiced,
        DepositCredits: [{ Amount: 86.92 }],
      });
    }
  });

  test('is invoiced with its signed change orders and their deposits; those signed later are on the next invoice', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 10, DepositRequired: true });
    const first = await order(RootProposalId, { DepositRate: 20, DepositRequired: true });
    const nested = await order(first, { Quantity: 1 });
    const { body } = await ok(
      company.call('proposal/create', {
        ContactId: company.contact,
        ServiceId: company.services['Gutters'],
        Status: 'Open',
        ChangeOrderForProposalId: RootProposalId,
      }),
    );
    const id = (await book({ RootProposalId })).AppointmentId;
    const ofOrder = (await book({ RootProposalId: first })).AppointmentId;
    const invoice = await billed(id);
    expect(invoice.Lines.map(({ Description, Extended }) => [Description.split(',')[0], Extended])).toEqual([
      ['Windows (12)', 100],
      ['Sealing', 41],
      ['Guard', 22.01],
      ['Gutters', 50],
      ['Gutters', 25],
      ['Deposit', -17.38],
      ['Deposit', -10],
    ]);
    expect(invoice).toMatchObject({ Tax: 10.83, Total: 221.46 });
    expect(await Promise.all([RootProposalId, first, nested].map(statusOf))).toEqual([
      ProposalStatus.Invoiced,
      ProposalStatus.Invoiced,
      ProposalStatus.Invoiced,
    ]);
    expect((await proposal(RootProposalId)).ChangeOrders.map(({ Status: status }) => status)).toEqual([
      ProposalStatus.Invoiced,
      ProposalStatus.Open,
    ]);
    expect((await complete(ofOrder)).body).toMatchObject({ InvoiceId: 0 });
    await ok(company.call('proposal/accept', { ProposalId: body['Id'], Name: 'José García', SignatureData: svgUri }));
    expect(await billed((await book({ RootProposalId })).AppointmentId)).toMatchObject({
      Total: 25,
      Lines: [{ Description: 'Gutters' }],
    });
    expect((await complete((await book({ RootProposalId })).AppointmentId)).body).toMatchObject({ InvoiceId: 0 });
  });

  test('is not invoiced again if an invoice was imported for it', async () => {
    const RootProposalId = await signedProposal();
    const id = (await book({ RootProposalId })).AppointmentId;
    const { body } = await ok(
      company.call('invoice/import', {
        Invoice: {
          ContactId: company.contact,
          ProposalId: RootProposalId,
          Lines: [{ Description: 'All', Rate: 173.84 }],
        },
      }),
    );
    expect((await complete(id)).body).toMatchObject({ InvoiceId: 0 });
    await voided(body['InvoiceId'] as number);
    expect(await statusOf(RootProposalId)).toBe(ProposalStatus.Scheduled);
    await reopen(id);
    expect(await billed(id)).toMatchObject({ Total: TOTAL });
  });
});

describe('a deposit that an invoice credits', () => {
  test('cannot be voided, nor can its amount, type or proposal change; the answer names the invoice', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const deposit = await depositOf(RootProposalId);
    const change = (Invoice: object) => company.call('invoice/import', { InvoiceId: deposit, Invoice });
    const fixed = `Invoice ${deposit} is the deposit of proposal ${RootProposalId}; its InvoiceType and ProposalId`;
    for (const Invoice of [{ ProposalId: null }, { InvoiceType: 'Standard' }])
      expect(conflictMessage(await change(Invoice))).toContain(fixed);
    const work = await billed((await book({ RootProposalId })).AppointmentId);
    expect(work.Total).toBe(86.92);
    const credited =
      `Invoice ${deposit} is the deposit of proposal ${RootProposalId} and credited: 86.92 in invoice ${work.Id}. ` +
      `Void invoice ${work.Id} first.`;
    for (const Invoice of [{ Status: 'Voided' }, { Lines: [{ Rate: 20 }] }, { Lines: [{ Rate: 200 }] }])
      expect(conflictMessage(await change(Invoice))).toBe(credited);
    await ok(change({ Terms: 'Net 10' }));
    await ok(company.call('payment/import', { Payment: { InvoiceId: deposit, Amount: 86.92 } }));
    expect(conflictMessage(await change({ Status: 'Voided' }))).toBe(credited);
  });

  test('stays credited if the lines of the invoice change', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const { Id: InvoiceId, Lines } = await billed((await book({ RootProposalId })).AppointmentId);
    const credit = Lines.at(-1);
    const change = (lines: readonly object[]) =>
      company.call('invoice/import', { InvoiceId, Invoice: { Lines: lines } });
    const message = `Invoice ${InvoiceId} credits 86.92 of a deposit in line ${credit?.Id}, which cannot change.`;
    for (const lines of [
      [{ Rate: 100 }],
      [{ Rate: 100 }, { Id: credit?.Id, Rate: -50 }],
      [{ Rate: 100 }, { Id: credit?.Id, Taxable: true }],
    ])
      expect(conflictMessage(await change(lines))).toContain(message);
    await ok(change([{ Rate: 100 }, { Id: credit?.Id, Description: 'Paid before' }]));
    expect(await readInvoice(testTable(), company.accountId, InvoiceId)).toMatchObject({ Total: 13.08 });
  });

  test('is credited whole by the last invoice of its proposal, which may then be a credit', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 100, DepositRequired: true });
    const ProposalLines = [{ LineDescription: 'Less glass', Quantity: 1, UnitPrice: -80 }];
    await order(RootProposalId, { ProposalLines });
    const invoice = await billed((await book({ RootProposalId })).AppointmentId);
    expect(invoice).toMatchObject({ InvoiceType: InvoiceType.Credit, Total: -30, Status: InvoiceStatus.Open });
    expect(invoice.Lines.at(-1)).toMatchObject({ Extended: -TOTAL });
  });

  test('is either voided or credited if both happen at the same time', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const deposit = await depositOf(RootProposalId);
    const { AppointmentId } = await book({ RootProposalId });
    const [answer, work] = await Promise.all([tryVoid(deposit), billed(AppointmentId)]);
    expect([200, 409]).toContain(answer.status);
    expect(work.Total).toBe(answer.status === 200 ? TOTAL : 86.92);
  });
});

describe('a proposal that is marked Complete by hand', () => {
  test('is invoiced by the next completion unless it was invoiced before', async () => {
    const before = await signedProposal();
    const early = (await book({ RootProposalId: before })).AppointmentId;
    await ok(company.call('proposal/update', { Id: before, Status: 'Complete' }));
    const first = await billed(early);
    expect([first.Total, await statusOf(before)]).toEqual([TOTAL, ProposalStatus.Complete]);
    await voided(first.Id);
    await reopen(early);
    expect([(await billed(early)).Total, await statusOf(before)]).toEqual([TOTAL, ProposalStatus.Complete]);
    expect((await complete((await book({ RootProposalId: before })).AppointmentId)).body['InvoiceId']).toBe(0);

    const elsewhere = await signedProposal();
    const { AppointmentId } = await book({ RootProposalId: elsewhere });
    for (const Status of ['Invoiced', 'Complete']) await ok(company.call('proposal/update', { Id: elsewhere, Status }));
    expect((await complete(AppointmentId)).body['InvoiceId']).toBe(0);
  });
});

describe('voiding the invoice of an appointment', () => {
  test('returns the deposit, restores the proposals, and allows another invoice', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const change = await order(RootProposalId);
    const id = (await book({ RootProposalId })).AppointmentId;
    const first = await billed(id);
    expect(first.Total).toBe(136.92);
    await voided(first.Id);
    expect(await proposal(RootProposalId)).toMatchObject({
      Status: ProposalStatus.Scheduled,
      DepositCredits: [],
      ChangeOrders: [{ Id: change, Status: ProposalStatus.Accepted }],
    });
    expect([await statusOf(change), (await appointment(id)).InvoiceId]).toEqual([ProposalStatus.Accepted, 0]);
    await voided(first.Id);
    expect(await proposal(RootProposalId)).toMatchObject({ DepositCredits: [] });
    await reopen(id);
    const again = await billed(id);
    expect([again.Id === first.Id, again.Total, again.Lines.at(-1)?.Extended]).toEqual([false, 136.92, -86.92]);
    expect(await proposal(RootProposalId)).toMatchObject({
      Status: ProposalStatus.Invoiced,
      DepositCredits: [{ Amount: 86.92 }],
    });
  });

  test('leaves another invoice of the appointment and a Complete proposal unchanged', async () => {
    const RootProposalId = await signedProposal();
    const id = (await book({ RootProposalId })).AppointmentId;
    const first = await billed(id);
    await ok(company.call('proposal/update', { Id: RootProposalId, Status: 'Complete' }));
    const { body } = await ok(
      company.call('invoice/import', {
        Invoice: { ContactId: company.contact, Lines: [{ Description: 'Instead', Rate: 9 }] },
      }),
    );
    await ok(update(id, { InvoiceId: body['InvoiceId'] as number }));
    await voided(first.Id);
    expect([await statusOf(RootProposalId), (await appointment(id)).InvoiceId]).toEqual([
      ProposalStatus.Complete,
      body['InvoiceId'],
    ]);
  });

  test('allows another invoice also where the appointment was given that invoice by hand', async () => {
    const RootProposalId = await signedProposal();
    const id = (await book({ RootProposalId })).AppointmentId;
    const { body } = await ok(
      company.call('invoice/import', { Invoice: { ContactId: company.contact, Lines: [{ Description: 'All' }] } }),
    );
    const InvoiceId = body['InvoiceId'] as number;
    await ok(update(id, { InvoiceId }));
    await voided(InvoiceId);
    expect(await billed(id)).toMatchObject({ Total: TOTAL, AppointmentId: id });
  });

  test('is possible after it was paid, and the deposit that it credited can be voided afterwards', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const id = (await book({ RootProposalId })).AppointmentId;
    const work = await billed(id);
    await ok(company.call('payment/import', { Payment: { InvoiceId: work.Id, Amount: 86.92 } }));
    const deposit = await depositOf(RootProposalId);
    expectFailure(await tryVoid(deposit), 409);
    await voided(work.Id);
    await voided(deposit);
    await reopen(id);
    expect(await billed(id)).toMatchObject({ Total: TOTAL, Lines: [{}, {}, {}] });
  });

  test('while another visit is completed credits no cent twice and loses none', async () => {
    const RootProposalId = await signedProposal({ DepositRate: 50, DepositRequired: true });
    const [one, two] = [(await book({ RootProposalId })).AppointmentId, (await book({ RootProposalId })).AppointmentId];
    const first = await billed(one);
    const [, { body }] = await Promise.all([voided(first.Id), complete(two)]);
    const isBilled = body['InvoiceId'] !== 0;
    expect(await proposal(RootProposalId)).toMatchObject(
      isBilled
        ? { Status: ProposalStatus.Invoiced, DepositCredits: [{ Amount: 86.92 }] }
        : { Status: ProposalStatus.Scheduled, DepositCredits: [] },
    );
    expect((await readInvoice(testTable(), company.accountId, first.Id)).Status).toBe(InvoiceStatus.Voided);
  });
});
