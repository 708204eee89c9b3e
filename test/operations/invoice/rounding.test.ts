import type { Proposal } from '../../../lib/entities/proposals.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/failed.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({
    services: [
      {
        Name: 'Lawn care',
        BaseDuration: 60,
        IsMigrateInvoice: true,
        PricingBands: [{ AtLeast: 0, Formula: '1.15 / 3' }],
      },
    ],
  });
});

const call = async (operation: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

test('1.15 / 3 × 26.7 is 10.235 and costs 10.24 when searched, quoted, proposed, booked and invoiced', async () => {
  const request = { ContactId: company.contact, ServiceName: 'Lawn care', Quantity: 26.7 };
  const found = await call('appointments/slotsearch', { ...request, TargetDate: '2027-03-01' });
  expect((found['Slots'] as { Total: number }[])[0]?.Total).toBe(10.24);
  const quoted = await call('proposal/quote', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    ReturnProposal: true,
    Proposal: { Quantity: 26.7 },
  });
  expect((quoted['Proposal'] as Proposal).Subtotal).toBe(10.24);
  expect((await call('proposal/create', request))['Subtotal']).toBe(10.24);

  const booked = slotIn(await company.book('Ann', '2027-03-01T09:00', { Quantity: 26.7 }));
  expect(booked.Total).toBe(10.24);
  await call('appointments/update', {
    AppointmentId: booked.AppointmentId,
    UpdateActuals: true,
    ActualStart: '2027-03-01T09:00',
    ActualFinish: '2027-03-01T10:00',
  });
  const { Invoices } = await call('invoice/query', { ContactId: company.contact });
  expect((Invoices as Invoice[]).map(({ Total }) => Total)).toEqual([10.24]);
});

describe('more than 4 decimals', () => {
  const lines = (line: object) => ({ ProposalLines: [{ LineDescription: 'Edging', ...line }] });
  const slot = { DateTime: '2027-03-02T09:00', ServiceAgentId: 1 };
  const operations: [operation: string, request: object, quantity: object, unitPrice: object][] = [
    ['proposal/create', {}, { Quantity: 0.333333 }, lines({ UnitPrice: 0.333333, Quantity: 300 })],
    ['proposal/create', {}, lines({ Quantity: 0.333333 }), lines({ UnitPrice: 0.333333 })],
    [
      'proposal/quote',
      {},
      { Proposal: { Quantity: 0.333333 } },
      { Proposal: lines({ UnitPrice: 0.333333, Quantity: 300 }) },
    ],
    [
      'appointments/slotsearch',
      {},
      { Quantity: 0.333333 },
      { AddOnParts: [{ PartId: 1, UnitPrice: 0.333333, Quantity: 300 }] },
    ],
    [
      'appointments/book',
      { Slots: [slot] },
      { Quantity: 0.333333 },
      { AddOnParts: [{ PartId: 1, UnitPrice: 0.333333 }] },
    ],
    ['appointments/queue', {}, { Quantity: 0.333333 }, { AddOnParts: [{ PartId: 1, UnitPrice: 0.333333 }] }],
  ];

  test.each(operations)('%s %j: a quantity and a unit price are 400', async (operation, rest, quantity, unitPrice) => {
    const request = { ContactId: company.contact, ServiceId: company.services['Lawn care'], ...rest };
    for (const [input, field] of [
      [quantity, 'Quantity'],
      [unitPrice, 'UnitPrice'],
    ] as const) {
      const answer = await company.call(operation, { ...request, ...input });
      expectFailure(answer, 400);
      expect(answer.text, answer.text).toMatch(
        new RegExp(`${field}","Code":"range","Message":"must have at most 4 decimals`),
      );
    }
  });

  test('an invoice takes any Qty, and a Rate of 4: 300 × 0.333333 = 99.9999 is 100.00', async () => {
    const line = { Description: 'Edging', Rate: 300, Qty: 0.333333 };
    const imported = await call('invoice/import', { Invoice: { ContactId: company.contact, Lines: [line] } });
    expect(JSON.stringify(imported)).toContain('"Total":100,');
    const rate = { Description: 'Edging', Rate: 0.333333, Qty: 300 };
    const refused = await company.call('invoice/import', { Invoice: { ContactId: company.contact, Lines: [rate] } });
    expectFailure(refused, 400);
  });
});
