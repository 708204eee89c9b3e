import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wrongs } from '../support/oracles/calendar-checker.ts';
import { carefully } from '../support/faults/carefully.ts';
import { atRandom, missedErrors } from '../support/faults/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import type { TestAnswer } from '../support/stack/stack.ts';
import { seeded } from '../support/stream.ts';

const AT_ONCE = 50;
/** RACE_ROUNDS=200 runs as many as the bookings were tried with. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 1);
/** Calls over each failing line. */
const CALLS = Number(process.env['BOOKING_CALLS'] ?? 60);
const SEED = Number(process.env['FAULT_SEED'] ?? 7);

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const hours = range(7).map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));

const bookCarefully = (company: Bookable, agent: string, at: string, more: object = {}): Promise<TestAnswer> =>
  carefully((headers) => company.book(agent, at, more, { headers }));

describe('bookings at the same time', () => {
  let company: Bookable;
  beforeAll(async () => {
    company = await bookable({
      agents: [
        { Name: 'Ann', TimeSlots: hours },
        { Name: 'Ben', TimeSlots: hours },
      ],
    });
  });

  test(
    `of ${AT_ONCE} of one slot one succeeds, the others fail with Slot taken (rounds: ${ROUNDS})`,
    { timeout: 240_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const at = new Date(Date.UTC(2027, 2, 1) + round * 3 * 3_600_000).toISOString();
        const answers = await Promise.all(range(AT_ONCE).map(() => bookCarefully(company, 'Ann', at)));
        const others = answers.filter(({ status }) => status !== 200);
        expect(others.map(({ status, body }) => [status, body['Message']])).toEqual(
          range(AT_ONCE - 1).map(() => [409, expect.stringMatching(/^Slot taken: Ann is taken/)]),
        );
      }
    },
  );

  test('of bookings that overlap, also through shared agents, only one succeeds', async () => {
    const { Ann = 0, Ben = 0 } = company.agents;
    const both = (main: number, other: number, DateTime: string) => ({
      Slots: [{ DateTime, ServiceAgentId: main, AdditionalServiceAgents: [{ ServiceAgent: { Id: other } }] }],
    });
    const starts = ['2027-06-01T09:00', '2027-06-01T09:30', '2027-06-01T10:00', '2027-06-01T10:30'];
    const answers = await Promise.all(
      range(24).map((index) => {
        const at = starts[index % starts.length] ?? '';
        return bookCarefully(company, 'Ann', at, index % 2 ? both(Ann, Ben, at) : both(Ben, Ann, at));
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2);
  });

  test('10 quickbooks of the first available slot get 10 different times, one after another', async () => {
    const agents = [{ Name: 'Cy', TimeSlots: hours }];
    const own = await bookable({ agents });
    const answers = await Promise.all(
      range(10).map((index) =>
        carefully((headers) => {
          const lead = { Name: `Lead ${index}`, Email: `lead${index}@example.com`, Zip: '62701', Service: 'Lawn care' };
          const first = { FirstAvailable: true, ScheduledStart: '2027-03-01T00:00' };
          return own.call('appointments/quickbook', { ...lead, ...first }, { headers });
        }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${status === 200 ? '' : text}`))).toEqual(
      new Set(['200 ']),
    );
    expect(new Set(answers.map(({ body }) => body['ScheduledStart'])).size).toBe(10);
  });

  test('20 calls with one CallCenterTransactionId make one appointment', async () => {
    const answers = await Promise.all(
      range(20).map(() => bookCarefully(company, 'Ben', '2027-07-01T09:00', { CallCenterTransactionId: 77 })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });
});

describe('over a line that fails or waits', () => {
  let faulty: FaultyTable;
  beforeAll(async () => {
    faulty = await startFaultyTable();
  });
  afterAll(() => faulty.stop());

  test.each([
    { name: 'replies lost after the commit', shares: { lostReply: 0.06 } },
    { name: 'throttling and transactions in conflict', shares: { throttled: 0.06, conflict: 0.06 } },
    {
      name: 'some of each',
      shares: {
        lostReply: 0.03,
        errorBefore: 0.03,
        errorAfter: 0.03,
        throttled: 0.03,
        unprocessed: 0.03,
        conflict: 0.03,
      },
    },
  ])(
    'with $name no agent is in two places, every appointment has its reservation, and every reservation its appointment',
    { timeout: 60_000 },
    async ({ shares }) => {
      const { accountId, key } = await faulty.newAccount();
      const ask = (operation: string, body: object) => invoke(operation, body, { key });
      const made = await ask('organizations/update', {
        OrganizationId: 1,
        ServiceAgents: ['Ann', 'Ben', 'Cy'].map((Name) => ({ Name, TimeSlots: hours })),
        Services: [{ Name: 'Lawn care', BasePrice: 50, Duration: 60 }],
      });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      expect((await ask('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com', Zip: '62701' })).status).toBe(
        200,
      );
      const book = (agent: number, at: string) =>
        ask('appointments/book', {
          ContactId: 1,
          ServiceName: 'Lawn care',
          Slots: [
            {
              DateTime: at,
              ServiceAgentId: agent,
              AdditionalServiceAgents: [{ ServiceAgent: { Id: (agent % 3) + 1 } }],
            },
          ],
        });
      // Around midnight of UTC, where a reservation is in two days.
      const timeOf = (slot: number) => new Date(Date.UTC(2027, 2, 2, 18) + slot * 30 * 60_000).toISOString();
      for (const slot of [0, 4, 8, 12]) expect((await book(1, timeOf(slot))).status).toBe(200);

      const random = seeded(SEED);
      const pick = (count: number) => Math.floor(random() * count);
      const calls = range(CALLS).map(() => {
        const [kind, agent, at, AppointmentId] = [pick(4), pick(3) + 1, timeOf(pick(20)), pick(12) + 1];
        if (kind === 0) return () => book(agent, at);
        if (kind === 1)
          return () =>
            ask('appointments/update', {
              AppointmentId,
              Slots: [{ DateTime: at, ServiceAgentId: agent, AdditionalServiceAgents: null }],
            });
        if (kind === 2) return () => ask('appointments/cancel', { AppointmentId, CancelReasonId: 1 });
        return () => ask('appointments/queue', { AppointmentId });
      });
      faulty.line.fail(atRandom(SEED, shares));
      const statuses: number[] = [];
      const work = async () => {
        for (let next = calls.shift(); next; next = calls.shift()) statuses.push((await next()).status);
      };
      await Promise.all(range(10).map(work));
      faulty.line.fail(undefined);

      expect(missedErrors(faulty.line, shares)).toEqual([]);
      expect(new Set(statuses).has(500)).toBe(false);
      expect(statuses).toContain(200);
      expect(await wrongs(faulty.sound, accountId, { from: '2027-03-02', through: '2027-03-03' })).toEqual([]);
    },
  );

  describe('a call between whose requests its appointment is moved', () => {
    afterEach(() => faulty.line.fail(undefined));

    const [far, day, dayAfter] = ['2027-03-01T16:00:00Z', '2027-03-08T16:00:00Z', '2027-03-09T20:00:00Z'];
    let accountId: string;
    let ask: (operation: string, body: object) => Promise<Pick<TestAnswer, 'status' | 'body'>>;
    const move = (DateTime: string) =>
      ask('appointments/update', { AppointmentId: 1, Slots: [{ DateTime, ServiceAgentId: 1 }] });
    const cancel = () => ask('appointments/cancel', { AppointmentId: 1, CancelReasonId: 1 });

    /** Carries a call out. Its requests wait, each at the first that matches, while another call moves the appointment. */
    async function interrupt(
      call: () => Promise<{ status: number }>,
      ...moves: { readonly at: (operation: string, body: string) => boolean; readonly to: string }[]
    ): Promise<void> {
      let isMoving = false;
      faulty.line.fail(async (operation, body) => {
        if (isMoving || !moves[0]?.at(operation, body)) return undefined;
        const { to } = moves.shift() ?? { to: '' };
        isMoving = true;
        expect((await move(to)).status).toBe(200);
        isMoving = false;
        return undefined;
      });
      expect((await call()).status).toBe(200);
      expect(moves).toEqual([]);
    }

    const isRead = (date: string) => (operation: string, body: string) =>
      operation.includes('Get') && body.includes(`"${date}#`);
    const isCommit = (operation: string) => operation === 'TransactWriteItems';

    async function bookFirst(): Promise<void> {
      const { accountId: account, key } = await faulty.newAccount();
      accountId = account;
      ask = (operation, body) => invoke(operation, body, { key });
      const made = [
        await ask('organizations/update', {
          OrganizationId: 1,
          ServiceAgents: ['Ann', 'Ben'].map((Name) => ({ Name, TimeSlots: hours })),
          Services: [{ Name: 'Lawn care', BasePrice: 50, Duration: 60 }],
        }),
        await ask('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com', Zip: '62701' }),
        await ask('appointments/book', {
          ContactId: 1,
          ServiceName: 'Lawn care',
          Slots: [{ DateTime: far, ServiceAgentId: 1 }],
        }),
      ];
      expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    beforeEach(bookFirst);

    const expectRight = async () =>
      expect(await wrongs(faulty.sound, accountId, { from: '2027-03-01', through: '2027-03-10' })).toEqual([]);

    test('leaves no time reserved on a day that it has read before the move', async () => {
      await interrupt(() => move(dayAfter), { at: isCommit, to: day });
      await expectRight();
    });

    test('leaves no time reserved on a day that it has read between two moves', async () => {
      await interrupt(cancel, { at: isRead('2027-03-01'), to: day }, { at: isCommit, to: far });
      await expectRight();
    });

    test('leaves the time reserved that the appointment had before it was moved on the day', async () => {
      const AdditionalServiceAgents = [{ ServiceAgent: { Id: 2 } }];
      const addAgent = () =>
        ask('appointments/update', {
          AppointmentId: 1,
          Slots: [{ DateTime: far, ServiceAgentId: 1, AdditionalServiceAgents }],
        });
      await interrupt(addAgent, { at: isCommit, to: '2027-03-01T18:00:00Z' });
      await expectRight();
    });
  });
});
