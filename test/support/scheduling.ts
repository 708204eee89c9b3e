import type { AppointmentSlot } from '../../lib/entities/appointments.ts';
import { expect } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import type { Entry } from '../../lib/domain/settings.ts';
import { findAppointment, appointmentChanges } from '../../lib/store/appointments.ts';
import { retryOnConflict } from '../../lib/store/dynamodb/errors.ts';
import { layout } from '../../lib/store/keys.ts';
import { findId, writeBook } from './price-book.ts';
import { putSettings } from './settings.ts';
import { type CallOptions, type TestAccount, type TestAnswer, testAccount, testTable } from './stack/stack.ts';
import { storeOf } from '../../lib/store/store.ts';

/** Monday to Friday, 8:00 to 17:00. */
export const weekdays = (more: object = {}) =>
  [1, 2, 3, 4, 5].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 480, Minutes: 540, ...more }));

/** Puts an appointment back into the state in which it can be canceled, without its time. */
export const reopenAppointment = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const before = await findAppointment(storeOf(testTable(), { account: accountId, organizationId: null }), 1);
    if (before?.Status === Status.Canceled)
      await testTable().commit(
        appointmentChanges(
          { account: accountId },
          { before, after: { ...before, Status: Status.Queued }, now: new Date() },
        ).changes,
      );
  });

/** What the examples of scheduling name: an agent, contact 1 with an address, appointment 1 in the queue and 2 done. */
export async function prepareScheduling(account: TestAccount): Promise<void> {
  await account.call('organizations/update', {
    OrganizationId: 1,
    ServiceAgents: [{ Name: 'Ben Ortiz', Email: 'ben@example.com', TimeSlots: weekdays() }],
  });
  await account.call('contacts/addupdate', { Id: 1, Zip: '23220' });
  await account.call('appointments/queue', { ContactId: 1, ServiceId: 1 });
  // The container that gave 1 gives 2 too; each other one begins a block of its own.
  let booked: number | undefined;
  for (let hour = 9; booked !== 2 && hour < 17; hour++) {
    const DateTime = `2026-03-09T${String(hour).padStart(2, '0')}:00`;
    const Slots = [{ DateTime, ServiceAgentId: 1 }];
    const body = { ContactId: 1, ServiceId: 1, Slots, SkipConflictChecks: true };
    const answer = await account.call('appointments/book', body);
    booked = slotIn(answer).AppointmentId;
  }
  await account.call('appointments/update', {
    AppointmentId: 2,
    UpdateActuals: true,
    ActualStart: '2026-03-09T09:05',
    ActualFinish: '2026-03-09T10:00',
  });
}

/**
 * A company that can be booked: agents by name with their ids, services by name, and a contact in Springfield,
 * Illinois.
 */
export interface Bookable extends TestAccount {
  readonly agents: Readonly<Record<string, number>>;
  readonly services: Readonly<Record<string, number>>;
  readonly contact: number;
  /** Books a time of an agent for the contact; `more` is merged into the request. */
  book(agent: string, DateTime: string, more?: object, options?: CallOptions): Promise<TestAnswer>;
}

export interface Setup {
  readonly agents?: readonly object[];
  readonly services?: readonly object[];
  readonly organization?: object;
  readonly zip?: string;
  /** Of the contact. */
  readonly taxRate?: { readonly Name: string; readonly TaxRate: number };
  readonly customFields?: readonly Entry[];
}

const ids = (records: readonly { Id: number; Name: string }[]): Record<string, number> =>
  Object.fromEntries(records.map(({ Id, Name }) => [Name, Id]));

/** Makes it: Ann and Ben on weekdays, Lawn care of an hour for 50, by default. */
export async function bookable({
  agents,
  services,
  organization = {},
  zip = '62701',
  taxRate,
  customFields = [],
}: Setup = {}): Promise<Bookable> {
  const account = await testAccount();
  // Before anything has recalled that there are none.
  const [NamedTaxRateId] = taxRate ? await putSettings(account.accountId, 'NamedTaxRate', [taxRate]) : [];
  await putSettings(account.accountId, 'CustomField', customFields);
  const people =
    agents ?? ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, TimeSlots: weekdays() }));
  const serviceInputs = services ?? [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }];
  const updated = await account.call('organizations/update', {
    OrganizationId: 1,
    Timezone: 'America/Chicago',
    StartAddress: { Zip: '62701' },
    ServiceAgents: people,
    ...organization,
  });
  expect(updated.status, updated.text).toBe(200);
  const { book } = await writeBook(account.accountId, { services: serviceInputs });
  const made = await account.call('contacts/addupdate', { Name: 'José García', Email: 'jose@example.com', Zip: zip });
  const [contact] = made.body['Matches'] as { Id: number }[];
  if (NamedTaxRateId)
    await testTable().update({
      update: layout.contact.key({ account: account.accountId, id: contact?.Id ?? 0 }),
      set: { NamedTaxRateId },
      add: { V: 1 },
    });
  const all = await account.call('serviceagents/all');
  const agentIds = ids(all.body['Matches'] as { Id: number; Name: string }[]);
  const serviceIds = Object.fromEntries(
    serviceInputs
      .map((service) => (service as { Name: string }).Name)
      .map((name) => [name, findId(book, 'services', name)]),
  );
  const [first = 0] = Object.values(serviceIds);
  return {
    ...account,
    agents: agentIds,
    services: serviceIds,
    contact: contact?.Id ?? 0,
    book: (agent, DateTime, more = {}, options) =>
      account.call(
        'appointments/book',
        { ContactId: contact?.Id, ServiceId: first, Slots: [{ DateTime, ServiceAgentId: agentIds[agent] }], ...more },
        options,
      ),
  };
}

export const slotsIn = ({ body }: TestAnswer): AppointmentSlot[] => body['Slots'] as AppointmentSlot[];

/** The one appointment of an answer that must have gone well. */
export function slotIn(answer: TestAnswer): AppointmentSlot {
  expect(answer.status, answer.text).toBe(200);
  const [slot] = slotsIn(answer);
  if (!slot) throw new Error(`no slot in ${answer.text}`);
  return slot;
}

/** `9:00 Ann` of slots on one day. */
export const times = (slots: readonly AppointmentSlot[]): string[] =>
  slots.map(({ DateTime, ServiceAgentName }) => `${DateTime.slice(11, 16)} ${ServiceAgentName}`);
