import type { AppointmentSlot } from '../../../lib/entities/appointments.ts';
import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { findEvidence } from '../../../lib/store/sales/evidence.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { makeDownload } from '../../support/download-files.ts';
import { expectFailure } from '../../support/failed.ts';
import { textOfPdf } from '../../support/pdf-text.ts';
import { type Bookable, bookable, weekdays } from '../../support/scheduling.ts';
import { putSettings } from '../../support/settings.ts';
import { pngUri } from '../../support/signatures.ts';
import { eventsOf } from '../../support/stack/branches.ts';
import { drainEvents, onStack, testTable } from '../../support/stack/stack.ts';

const PARTS = [
  { Name: 'GST', TaxRate: 5, RegistrationNumber: '12345 6789 RT0001' },
  { Name: 'QST', TaxRate: 9.975, RegistrationNumber: '' },
];
const CHARGED = [
  { ...PARTS[0], Amount: 0.51 },
  { ...PARTS[1], Amount: 1.01 },
];

const priced = { BasePrice: 10.1, BaseDuration: 60, Taxable: true, IsMigrateInvoice: true };
/** Of a later law. */
const LATER = [{ ...PARTS[0], TaxRate: 5.025 }, PARTS[1]];

let company: Bookable;
let contact: number;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [
      { Name: 'Window cleaning', ...priced },
      { Name: 'Pool care', ...priced, IsSubscription: true, IntervalDays: 7, VisitCount: 3 },
    ],
  });
  await putSettings(company.accountId, 'NamedTaxRate', [{ Name: 'Quebec', TaxRate: 14.975, Parts: PARTS }]);
  const lead = { Name: 'Ana', Zip: '23220', NamedTaxRate: { Name: 'Quebec' } };
  const { Matches } = await done('contacts/addupdate', lead);
  contact = (Matches as { Id: number }[])[0]?.Id ?? 0;
});

async function done(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const line = (Rate: number) => ({ Description: 'Work', Rate, Qty: 1, Taxable: true });
const imported = async (Invoice: object) =>
  (await done('invoice/import', { Invoice: { ContactId: contact, ...Invoice } }))['Invoice'] as Invoice;

/** Where and when: Ann, on a day of 2035. */
const slotOn = (day = '2035-03-06') => ({
  ContactId: contact,
  Slots: [{ DateTime: `${day}T09:00`, ServiceAgentId: company.agents['Ann Lee'] }],
  SkipConflictChecks: true,
});

/** The invoice of a visit that is done. */
async function billed(AppointmentId: number, day = '2035-03-06'): Promise<Invoice> {
  const actual = { UpdateActuals: true, ActualStart: `${day}T09:00`, ActualFinish: `${day}T10:00` };
  const over = await done('appointments/update', { AppointmentId, ...actual });
  return (await done('invoice/get', { InvoiceId: over['InvoiceId'] }))['Invoice'] as Invoice;
}

async function signed(ServiceName: string): Promise<Proposal> {
  const { Id } = await done('proposal/create', { ContactId: contact, ServiceName, Status: 'Open' });
  await done('proposal/accept', { ProposalId: Id, Name: 'Ana', SignatureData: pngUri });
  return (await done('proposal/details', { Id })) as unknown as Proposal;
}

describe('a tax of two parts', () => {
  test('is their sum, each rounded by itself, on an invoice whose lines share it', async () => {
    const invoice = await imported({ Lines: [line(5.05), line(5.05)] });
    expect([invoice.Tax, invoice.Total, invoice.TaxParts]).toEqual([1.52, 11.62, CHARGED]);
    expect(invoice.Lines.map(({ Tax }) => Tax)).toEqual([0.76, 0.76]);
    const [first, second] = invoice.Lines;
    const changed = await done('invoice/import', {
      InvoiceId: invoice.Id,
      Invoice: { Lines: [{ ...first, Rate: 15.15, Extended: undefined, Tax: undefined }, second] },
    });
    expect(changed['Invoice']).toMatchObject({ Tax: 3.02, TaxParts: [{ Amount: 1.01 }, { Amount: 2.01 }] });
  });

  test('is the same on the proposal, on the page of both, and on the invoice of the work', async () => {
    const proposal = (await done('proposal/create', {
      ContactId: contact,
      ServiceName: 'Window cleaning',
      Status: 'Open',
    })) as unknown as Proposal;
    expect([proposal.Tax, proposal.TaxParts]).toEqual([1.52, CHARGED]);
    const booked = await done('appointments/book', { ServiceName: 'Window cleaning', ...slotOn() });
    const [visit] = booked['Slots'] as { AppointmentId: number; Total: number }[];
    expect(visit?.Total).toBe(11.62);
    const invoice = await billed(visit?.AppointmentId ?? 0);
    expect([invoice.Tax, invoice.Total, invoice.TaxParts]).toEqual([1.52, 11.62, CHARGED]);
    for (const url of [proposal.ClientUrl, invoice.ClientPayUrl]) {
      const page = await (await fetch(onStack(url))).text();
      expect(page).toContain('Tax (GST 12345 6789 RT0001, 5%)');
      expect(page).toContain('Tax (QST, 9.975%)');
    }
  });
});

describe('the parts of a tax of 1.52', () => {
  let invoice: Invoice;
  let proposal: Proposal;

  beforeAll(async () => {
    invoice = await imported({ Lines: [line(10.1)] });
    proposal = await signed('Window cleaning');
  });

  test('are lines of the PDF of an invoice and of a signed proposal', async () => {
    for (const link of [invoice.ClientPdfUrl, `${proposal.ClientUrl}/pdf`]) {
      const text = await textOfPdf(onStack(link));
      expect(text).toContain('Tax (GST 12345 6789 RT0001, 5%) $0.51');
      expect(text).toContain('Tax (QST, 9.975%) $1.01');
      expect(text).toContain('$11.62');
    }
  });

  test('are in the events of both', async () => {
    const events = await eventsOf(company);
    const partsOf = (kind: string, id: number | null) =>
      events.filter(({ Kind, Id }) => Kind === kind && Id === id).map(({ Data }) => Data as unknown as Invoice);
    expect(partsOf('invoice.created', invoice.Id).map(({ TaxParts }) => TaxParts)).toEqual([CHARGED]);
    expect(partsOf('proposal.accepted', proposal.Id).map(({ TaxParts }) => TaxParts)).toEqual([CHARGED]);
  });

  test.each([
    ['invoices', () => invoice.Id],
    ['proposals', () => proposal.Id],
  ])('are the last column of their row in the download of %s', async (Kind, id) => {
    const { text } = await makeDownload(company, { Kind });
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    const row = rows.find(({ Id }) => Number(Id) === id()) ?? {};
    expect(Object.entries(row).at(-1)).toEqual(['TaxParts', 'GST 5 %: 0.51; QST 9.975 %: 1.01']);
  });

  test('are signed: the evidence has them, and later rates do not change what was sold', async () => {
    const found = await findEvidence(accountStore(testTable(), company.accountId), proposal.Id);
    if (found.kind !== 'found') throw new Error(found.kind);
    const content = JSON.parse(found.evidence.Content) as { Proposal: { TaxRate: object } };
    expect(content.Proposal.TaxRate).toEqual({ Name: 'Quebec', Percent: 14.975, Parts: CHARGED });
    await putSettings(company.accountId, 'NamedTaxRate', [{ Name: 'Quebec', TaxRate: 15, Parts: LATER }]);
    expect((await done('proposal/details', { Id: proposal.Id }))['TaxParts']).toEqual(CHARGED);
    await putSettings(company.accountId, 'NamedTaxRate', [{ Name: 'Quebec', TaxRate: 14.975, Parts: PARTS }]);
  });
});

describe('the tax of a subscription of 10.10 in three visits', () => {
  // 3.37, 3.37 and 3.36; of 1.52 each has its share: 50.7 cents, twice, and 50.6; the earliest get the two cents left.
  // 3.37 at 5 % is 0.17 and at 9.975 % 0.34. For 3.36 that would be 0.51: 0.50 is divided by the rates, 16.7 and 33.3.
  test('is divided to the cent, and the parts of its invoices add up to those that were signed', async () => {
    const proposal = await signed('Pool care');
    expect([proposal.Tax, proposal.TaxParts]).toEqual([1.52, CHARGED]);
    await drainEvents();
    const { Appointments } = await done('appointments/query', { ContactId: contact, Take: 100 });
    const visits = (Appointments as AppointmentSlot[]).filter(({ ProposalId }) => ProposalId === proposal.Id);
    const invoices: Invoice[] = [];
    for (const [index, { AppointmentId }] of visits.entries()) {
      const day = `2035-04-0${index + 2}`;
      await done('appointments/book', { AppointmentId, ServiceName: 'Pool care', ...slotOn(day) });
      invoices.push(await billed(AppointmentId, day));
    }
    expect(invoices.map(({ Subtotal, Tax, Total }) => [Subtotal, Tax, Total])).toEqual([
      [3.37, 0.51, 3.88],
      [3.37, 0.51, 3.88],
      [3.36, 0.5, 3.86],
    ]);
    expect(invoices.map(({ TaxParts }) => TaxParts.map(({ Name, Amount }) => [Name, Amount]))).toEqual([
      [
        ['GST', 0.17],
        ['QST', 0.34],
      ],
      [
        ['GST', 0.17],
        ['QST', 0.34],
      ],
      [
        ['GST', 0.17],
        ['QST', 0.33],
      ],
    ]);
  });
});

describe('the Tax of an imported invoice', () => {
  const work = { TaxRate: 14.975, Lines: [line(10.1)] };

  test('is kept within a cent of its rate, where the sums add up', async () => {
    expect(await imported({ ...work, Tax: 1.52, Total: 11.62 })).toMatchObject({
      Tax: 1.52,
      Total: 11.62,
      TaxParts: [],
    });
    const named = await imported({ ...work, RateName: 'quebec', Tax: 1.52, Total: 11.62 });
    expect(named.TaxParts).toEqual(CHARGED);
    expect((await imported({ ...work, RateName: 'Quebec', Tax: 1.51 })).TaxParts).toMatchObject([
      { Amount: 0.5 },
      { Amount: 1.01 },
    ]);
  });

  test('is 409 beyond that, or where the sums do not', async () => {
    for (const wrong of [{ Tax: 1.53 }, { Tax: 1.52, Total: 11.63 }])
      expectFailure(await company.call('invoice/import', { Invoice: { ContactId: contact, ...work, ...wrong } }), 409);
  });
});
