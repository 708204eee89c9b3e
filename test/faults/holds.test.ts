import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SlotHold } from '../../lib/resources/appointments.ts';
import { wrongs } from '../support/oracles/calendar-checker.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { invoke } from '../support/stack/invoke.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

const ROUNDS = Number(process.env['HOLD_ROUNDS'] ?? 8);
const HOUR = 3_600_000;
const hours = Array.from({ length: 7 }, (_, DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));

/* The handlers run in this process, whose clock the test sets. */
let company: Bookable;
beforeAll(async () => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  const AWS_ENDPOINT_URL_DYNAMODB = DynamoDBEndpoint;
  Object.assign(process.env, { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB, LOG_LEVEL: 'silent' });
  company = await bookable({ agents: [{ Name: 'Ann', TimeSlots: hours }] });
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => vi.useRealTimers());

/** Milliseconds after the last moment of the hold. */
const MOMENTS = [-1_000, -1, 0, 1];

test(
  `of a booking with the handle, bookings and a hold of other keys one wins, at each moment (rounds: ${ROUNDS})`,
  { timeout: 240_000 },
  async () => {
    const others = [await company.newKey(), await company.newKey(), await company.newKey()];
    const from = Date.UTC(2035, 2, 5);
    for (let round = 0; round < ROUNDS; round++) {
      const slot = {
        ContactId: company.contact,
        ServiceName: 'Lawn care',
        Slots: [
          { DateTime: new Date(from + round * 2 * HOUR).toISOString(), ServiceAgentId: company.agents['Ann'] ?? 0 },
        ],
      };
      const holdOf = (key: string) => invoke('appointments/slotsearch', { ...slot, Hold: 1, HoldMinutes: 1 }, { key });
      const book = (key: string, more: object = {}) => invoke('appointments/book', { ...slot, ...more }, { key });

      vi.setSystemTime(Date.UTC(2034, 0, 1) + round * HOUR);
      const [held] = (await holdOf(company.key)).body['Holds'] as SlotHold[];
      const after = MOMENTS[round % MOMENTS.length] ?? 0;
      vi.setSystemTime(Date.parse(held?.Until ?? '') + after);
      const [holder, second, third, hold] = await Promise.all([
        book(company.key, { HoldHandle: held?.Handle }),
        book(others[0] ?? ''),
        book(others[1] ?? ''),
        holdOf(others[2] ?? ''),
      ]);
      const won = {
        holder: holder.status === 200,
        second: second.status === 200,
        third: third.status === 200,
        hold: (hold.body['Holds'] as SlotHold[]).length === 1,
      };
      const names = Object.entries(won).flatMap(([name, isWinner]) => (isWinner ? [name] : []));
      expect(names, JSON.stringify([round, after, holder, second, third, hold].slice(0, 3))).toHaveLength(1);
      if (after < 0) expect(names).toEqual(['holder']);
      for (const answer of [holder, second, third]) expect([200, 409]).toContain(answer.status);
    }
    const through = new Date(from + ROUNDS * 2 * HOUR).toISOString();
    const span = { from: new Date(from).toISOString(), through };
    expect(await wrongs(testTable(), company.accountId, span)).toEqual([]);
  },
);
