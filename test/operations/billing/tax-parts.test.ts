import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, weekdays } from '../../support/scheduling.ts';
import { putSettings } from '../../support/settings.ts';
import { onStack } from '../../support/stack/stack.ts';

const PARTS = [
  { Name: 'GST', TaxRate: 5, RegistrationNumber: '12345 6789 RT0001' },
  { Name: 'QST', TaxRate: 9.975, RegistrationNumber: '' },
];
const CHARGED = [
  { ...PARTS[0], Amount: 0.51 },
  { ...PARTS[1], Amount: 1.01 },
];

let company: Bookable;
let contact: number;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [{ Name: 'Window cleaning', BasePrice: 10.1, BaseDuration: 60, Taxable: true, IsMigrateInvoice: true }],
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
    const slot = { DateTime: '2035-03-06T09:00', ServiceAgentId: company.agents['Ann Lee'] };
    const booked = await done('appointments/book', {
      ContactId: contact,
      ServiceName: 'Window cleaning',
      Slots: [slot],
      SkipConflictChecks: true,
    });
    const [visit] = booked['Slots'] as { AppointmentId: number; Total: number }[];
    expect(visit?.Total).toBe(11.62);
    const actual = { UpdateActuals: true, ActualStart: '2035-03-06T09:00', ActualFinish: '2035-03-06T10:00' };
    const over = await done('appointments/update', { AppointmentId: visit?.AppointmentId, ...actual });
    const { Invoice: billed } = await done('invoice/get', { InvoiceId: over['InvoiceId'] });
    const invoice = billed as Invoice;
    expect([invoice.Tax, invoice.Total, invoice.TaxParts]).toEqual([1.52, 11.62, CHARGED]);
    for (const url of [proposal.ClientUrl, invoice.ClientPayUrl]) {
      const page = await (await fetch(onStack(url))).text();
      expect(page).toContain('Tax (GST 12345 6789 RT0001, 5%)');
      expect(page).toContain('Tax (QST, 9.975%)');
    }
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
