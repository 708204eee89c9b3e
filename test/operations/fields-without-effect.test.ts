import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../support/failed.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { putSettings } from '../support/settings.ts';

let company: Bookable;
let contact: number;
let reason: number;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [{ Name: 'Window cleaning', BasePrice: 40, UnitPrice: 10, BaseDuration: 60 }],
  });
  await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Weather' }]);
  const reasons = await company.call('cancelreasons/all', {});
  reason = (reasons.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  contact = await newContact('Ana');
});

const done = async (operation: string, body: object, key?: string) => {
  const answer = await company.call(operation, body, key ? { key } : {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
async function newContact(Name: string): Promise<number> {
  const { Matches } = await done('contacts/addupdate', { Name, Zip: '23220' });
  return (Matches as { Id: number }[])[0]?.Id ?? 0;
}
const queue = async (more: object = {}) =>
  Number(
    (await done('appointments/queue', { ContactId: contact, ServiceName: 'Window cleaning', ...more }))[
      'AppointmentId'
    ],
  );
const found = (AppointmentId: number) => done('appointments/find', { AppointmentId });

describe('Quantity 0', () => {
  const work = { ServiceName: 'Window cleaning' };
  const calls = (quantity: number): readonly [string, object, string][] => [
    ['appointments/slotsearch', { ...work, ContactId: contact, Quantity: quantity }, 'Quantity'],
    ['appointments/queue', { ...work, ContactId: contact, Quantity: quantity }, 'Quantity'],
    ['proposal/create', { ...work, ContactId: contact, Quantity: quantity }, 'Quantity'],
    ['proposal/quote', { ...work, ContactId: contact, Proposal: { Quantity: quantity } }, 'Proposal.Quantity'],
  ];

  test('is no unit that nobody asked for: 400 wherever work is priced that has no quantity yet', async () => {
    for (const [operation, body, field] of calls(0)) {
      const answer = await company.call(operation, body);
      expectFailure(answer, 400);
      expect([operation, answer.body['Message']]).toEqual([operation, `${field} must be above 0; leave it out for 1.`]);
    }
  });

  test('of a lenient key is 1, and Message says so', async () => {
    const key = await company.newKey({ role: 'Owner', lenient: true });
    for (const [operation, body, field] of calls(0)) {
      const answer = await done(operation, body, key);
      expect([operation, answer['Message']]).toEqual([operation, expect.stringContaining(`${field} 0 is taken as 1.`)]);
    }
  });

  test('beside the quantity of an appointment is that quantity, as typed clients send 0 for none', async () => {
    const id = await queue({ Quantity: 3 });
    await done('appointments/update', { AppointmentId: id, Quantity: 0, UpdateNote: 'Side door.' });
    expect((await found(id))['Slots']).toMatchObject([{ Quantity: 3, Total: 70 }]);
  });
});

test('Notes of a cancellation are added to the notes as UpdateNote is; those that are there are not added twice', async () => {
  const notesAfter = async (body: object) => {
    const id = await queue({ Notes: 'Side door.' });
    await done('appointments/cancel', { AppointmentId: id, CancelReasonId: reason, ...body });
    return (await found(id))['Notes'] as string;
  };
  expect(await notesAfter({ Notes: 'Moves house.' })).toMatch(/^Side door\.\n.*: Moves house\.$/);
  expect(await notesAfter({ UpdateNote: 'Called.', Notes: 'Moves house.' })).toMatch(/: Called\.\nMoves house\.$/);
  expect(await notesAfter({ UpdateNote: 'Called.', Notes: 'Called.' })).toMatch(/^Side door\.\n[^\n]*: Called\.$/);
  expect(await notesAfter({ Notes: 'Side door.' })).toBe('Side door.');
});

describe('a field from which a caller may expect an effect that it does not have', () => {
  test('is named in Message; blanks of typed clients are not', async () => {
    const id = await queue();
    const messageOf = async (operation: string, body: object) => (await done(operation, body))['Message'];
    expect(
      await messageOf('appointments/find', { AppointmentId: id, ServiceName: 'Roofing', TargetDate: '2035-03-05' }),
    ).toContain('appointments/find does not use ServiceName, TargetDate.');
    expect(await messageOf('appointments/find', { AppointmentId: id, ServiceId: 0, ServiceName: '' })).toBe('');
    expect(await messageOf('appointments/update', { AppointmentId: id, CancelReasonId: reason })).toBe(
      'appointments/update does not use CancelReasonId.',
    );
    const cancel = {
      AppointmentId: id,
      CancelReasonId: reason,
      NotificationUri: 'https://example.com/',
      ActualStart: '',
    };
    expect(await messageOf('appointments/cancel', cancel)).toBe('appointments/cancel does not use NotificationUri.');
  });
});
