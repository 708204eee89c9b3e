import { expect, test } from 'vitest';
import { operationTable } from '../../infra/client/described-operations.ts';
import { exactDocument } from '../../infra/client/exact-document.ts';
import type { Attempt } from '../../lib/client/caller.ts';
import { fieldServiceOf } from '../../lib/client/field-service.ts';
import { wrongs } from '../support/oracles/calendar-checker.ts';
import { bookable, weekdays } from '../support/scheduling.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

/** `npm run prove -- random` has 200. */
const CALLERS = Number(process.env['RUSH_CALLERS'] ?? 12);
const FROM = '2035-03-05';
const DAYS = 14;

interface Slot {
  readonly DateTime: string;
  readonly ServiceAgentId: number;
}

/*
 * Each locates its contact, searches, holds a time and books it, all at once with one key. A key holds 20 times at once,
 * so most of the holds are refused at first.
 */
test(`${CALLERS} callers of one key all book, each once, and see no 429`, { timeout: 300_000 }, async () => {
  const agents = Array.from({ length: 10 }, (_, index) => ({
    Name: `Agent ${index}`,
    Email: `agent${index}@example.com`,
    TimeSlots: weekdays(),
  }));
  const company = await bookable({ agents });
  const contacts: number[] = [];
  for (let first = 0; first < CALLERS; first += 20) {
    const Matches = Array.from({ length: Math.min(20, CALLERS - first) }, (_, index) => ({
      Name: `Caller ${first + index}`,
      Email: `caller${first + index}@example.com`,
      Zip: '62701',
    }));
    const added = await company.call('contacts/addupdate', { Matches });
    contacts.push(...(added.body['Matches'] as { Id: number }[]).map(({ Id }) => Id));
  }

  const attempts: Attempt[] = [];
  const FieldService = fieldServiceOf(operationTable(exactDocument()));
  const fs = new FieldService({
    url: testStack().BaseUrl,
    key: await company.newKey({ rate: Math.min(CALLERS / 2, 40), inFlight: CALLERS / 2 }),
    inFlight: CALLERS,
    // On a slow machine they wait longer than the minute after which a client gives up.
    retryFor: 300_000,
    log: (attempt) => attempts.push(attempt),
  });
  const book = async (contact: number, index: number): Promise<number> => {
    const { Matches } = await fs.call('contacts/locate', { IdSearch: contact });
    const [{ Id: ContactId } = { Id: 0 }] = Matches as { Id: number }[];
    const work = { ContactId, ServiceName: 'Lawn care', TargetDate: FROM, SlotWindowDays: DAYS };
    for (;;) {
      const { Slots } = await fs.call('appointments/slotsearch', work);
      const found = Slots as Slot[];
      // As people do: everybody likes the early ones.
      const { DateTime, ServiceAgentId } = found[index % Math.min(found.length, 60)] ?? {
        DateTime: '',
        ServiceAgentId: 0,
      };
      const slot = { DateTime, ServiceAgentId };
      const { Holds } = await fs.call('appointments/slotsearch', { ...work, Slots: [slot], Hold: 1 });
      const [hold] = Holds as { Handle: string }[];
      if (!hold) continue;
      const request = { ContactId, ServiceName: work.ServiceName, Slots: [slot], HoldHandle: hold.Handle };
      return (await fs.call('appointments/book', request))['AppointmentId'] as number;
    }
  };
  const since = performance.now();
  const booked = await Promise.all(contacts.map(book));
  const seconds = (performance.now() - since) / 1_000;

  expect(new Set(booked).size).toBe(CALLERS);
  const absorbed = attempts.filter(({ status }) => status === 429);
  // How many there are depends on the machine; 200 callers meet them on any.
  if (CALLERS >= 200) expect(absorbed).not.toEqual([]);
  const longest = Math.max(...attempts.map(({ attempt }) => attempt));
  process.stdout.write(
    `${CALLERS} bookings in ${seconds.toFixed(1)} s: ${attempts.length} attempts, ${absorbed.length} of them 429, ` +
      `at most ${longest} of a call\n`,
  );
  const span = { from: `${FROM}T00:00:00Z`, through: '2035-03-19T00:00:00Z' };
  expect(await wrongs(testTable(), company.accountId, span)).toEqual([]);
});
