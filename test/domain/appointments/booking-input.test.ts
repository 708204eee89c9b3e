import type { AddOnPart, SlotInput } from '../../../lib/entities/appointments.ts';
import { describe, expect, test } from 'vitest';
import { blankAppointment } from '../../../lib/domain/appointments/record.ts';
import { BOOK, QUEUE, QUICKBOOK, SEARCH, UPDATE, resolveInput } from '../../../lib/workflows/booking/input.ts';

const policies = { BOOK, QUEUE, QUICKBOOK, SEARCH, UPDATE };
const lines = (PartId: number): AddOnPart[] => [
  { Id: 1, PartId, Quantity: 1, Name: '', UnitOfMeasure: '', RangePricing: false, UnitPrice: 5, Discount: null },
];
const former = blankAppointment({
  Id: 1,
  OrganizationId: 1,
  ContactId: 1,
  HashKey: 'h',
  Zone: 'America/Chicago',
  Created: 0,
  ServiceId: 7,
  Quantity: 3,
  Discount: 10,
  Duration: 90,
  AddOnParts: lines(3),
  ProposalId: 4,
});

describe.each(Object.entries(policies))('%s', (_, policy) => {
  const inputOf = (request: object, slot?: SlotInput) => resolveInput(policy, { request, slot, former });

  test('takes service, quantity and discount from the request, else the slot, else the appointment', () => {
    const slot = { ServiceId: 6, Quantity: 2, Discount: 9 };
    const taken = [inputOf({ ServiceId: 5, Quantity: 1, Discount: 8 }, slot), inputOf({}, slot), inputOf({}, {})];
    expect(taken.map(({ service }) => service.ServiceId)).toEqual([5, 6, 7]);
    expect(taken.map(({ work: { quantity, discount } }) => [quantity, discount])).toEqual([
      [1, 8],
      [2, 9],
      [3, 10],
    ]);
  });

  test('takes a blank for no value, but for a Discount of 0', () => {
    const { service, work, details } = inputOf({ ServiceId: 0, ServiceName: '', Quantity: 0, Discount: 0 }, {});
    expect([service.ServiceId, work.quantity, work.discount, details]).toEqual([7, 3, 0, {}]);
  });

  test('keeps the add-ons of an appointment for which none are given', () => {
    expect(inputOf({ AddOnParts: [] }, {}).work).toMatchObject({ lines: former.AddOnParts, keepsLines: true });
  });
});

describe('what differs', () => {
  const inputs = (request: object, slot: SlotInput) =>
    Object.entries(policies).map(
      ([name, policy]) => [name, resolveInput(policy, { request, slot: policy.slotOf(slot), former })] as const,
    );
  const named = <Value>(
    request: object,
    slot: SlotInput,
    valueOf: (input: ReturnType<typeof resolveInput>) => Value,
  ): Record<string, Value> => Object.fromEntries(inputs(request, slot).map(([name, input]) => [name, valueOf(input)]));

  test('a slot has a length in book and update alone, where update already has it none', () => {
    expect(named({}, { Duration: 45 }, ({ work }) => work.minutes)).toMatchObject({
      BOOK: 45,
      UPDATE: 45,
      QUEUE: undefined,
    });
    expect(named({}, { Duration: 90 }, ({ work }) => work.minutes)).toMatchObject({ BOOK: 90, UPDATE: undefined });
  });

  test('quickbook has its length in minutes, the others in a text', () => {
    expect(named({ Duration: 45 }, {}, ({ work }) => work.minutes)).toMatchObject({ QUICKBOOK: 45, BOOK: undefined });
    expect(named({ Duration: '45' }, {}, ({ work }) => work.duration)).toMatchObject({ BOOK: '45', QUEUE: '45' });
  });

  test('queue and a search keep the length of a sale that stays', () => {
    expect(named({}, {}, ({ work }) => work.formerMinutes)).toEqual({
      BOOK: undefined,
      QUEUE: 90,
      QUICKBOOK: undefined,
      SEARCH: 90,
      UPDATE: undefined,
    });
    expect(named({ Quantity: 2 }, {}, ({ work }) => work.formerMinutes)).toMatchObject({ QUEUE: undefined });
    expect(named({ RootProposalId: 9 }, {}, ({ work }) => work.formerMinutes)).toMatchObject({ SEARCH: undefined });
  });

  test('null in a slot clears in update alone', () => {
    const slot = { Discount: null, ProposalId: null, ThirdPartyUrl: null } as unknown as SlotInput;
    const cleared = named({}, slot, ({ work, details }) => [work.discount, details.ProposalId]);
    expect(cleared).toMatchObject({ BOOK: [10, undefined], SEARCH: [10, undefined], UPDATE: [null, 0] });
  });

  test('update replaces the add-ons by UpdateLines alone, and then with none too', () => {
    const partsOf = (request: object) => named(request, {}, ({ work }) => work.lines.map(({ PartId }) => PartId));
    expect(partsOf({ AddOnParts: lines(8) })).toMatchObject({ BOOK: [8], UPDATE: [3] });
    expect(partsOf({ AddOnParts: lines(8), UpdateLines: true })).toMatchObject({ UPDATE: [8] });
    expect(partsOf({ AddOnParts: [], UpdateLines: true })).toMatchObject({ UPDATE: [] });
  });

  test('of a slot, update ignores what only slotsearch decides, and a search all that is no choice', () => {
    const slot = { ContactId: 2, ServiceId: 6, Quantity: 2, ServiceAgentId: 4 };
    expect(UPDATE.slotOf(slot)).toEqual({ Quantity: 2, ServiceAgentId: 4 });
    expect(SEARCH.slotOf(slot)).toEqual({ ServiceId: 6, ServiceAgentId: 4 });
    expect(BOOK.slotOf(slot)).toBe(slot);
  });

  test('the organization of a call is that of the appointment or contact that it names', () => {
    const request = { AppointmentId: 1, ContactId: 0, Slots: [{ ContactId: 2 }] };
    expect(BOOK.namedBy(request)).toEqual({ appointmentId: 1, contactId: 2 });
    expect(QUEUE.namedBy({ AppointmentId: 1, ContactId: 2 })).toEqual({ appointmentId: 1, contactId: 2 });
    expect(QUICKBOOK.namedBy({ ContactId: 2, Service: 'Lawn care' })).toEqual({ contactId: 2 });
  });
});
