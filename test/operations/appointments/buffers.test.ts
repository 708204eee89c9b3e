import { beforeAll, describe, expect, test } from 'vitest';
import type { SlotHold } from '../../../lib/resources/appointments.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { layout } from '../../../lib/store/keys.ts';
import { checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import { type Bookable, bookable, slotIn, slotsIn, times, weekdays } from '../../support/scheduling.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';
import { writeBook } from '../../support/price-book.ts';

/* Chicago is six hours behind UTC: the day of UTC changes at 18:00. */
const evening = { TimeSlots: weekdays({ Minutes: 720 }) };

let company: Bookable;
beforeAll(async () => {
  company = await bookable({
    agents: ['Ann', 'Ben'].map((Name) => ({ Name, Email: `${Name}@example.com`, ...evening })),
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Painting', BasePrice: 90, BaseDuration: 60, BufferBefore: 15, BufferAfter: 45 },
    ],
  });
});

/** Each test has a week of its own. */
let week = 0;
const nextDay = (): string => new Date(Date.UTC(2035, 2, 5 + 7 * week++)).toISOString().slice(0, 10);

const at = (DateTime: string, agent = 'Ann') => ({ Slots: [{ DateTime, ServiceAgentId: company.agents[agent] }] });
const book = (service: string, DateTime: string, more: object = {}): Promise<TestAnswer> =>
  company.call('appointments/book', { ContactId: company.contact, ServiceName: service, ...at(DateTime), ...more });
const search = (service: string, day: string, more: object = {}): Promise<TestAnswer> =>
  company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceName: service,
    TargetDate: day,
    SlotWindowDays: 1,
    ...more,
  });
const ofAnn = (found: readonly string[]): string[] => found.filter((time) => time.endsWith('Ann'));
const startsOf = async (service: string, day: string): Promise<string[]> =>
  ofAnn(times(slotsIn(await search(service, day)))).map((time) => time.slice(0, 5));
const hold = async (service: string, DateTime: string) => {
  const answer = await search(service, DateTime.slice(0, 10), { Hold: 1, ...at(DateTime) });
  return (answer.body['Holds'] as SlotHold[])[0];
};

async function findings(accountId = company.accountId): Promise<unknown[]> {
  const found: unknown[] = [];
  await checkTable(testTable(), openScan(), {
    accounts: [accountId],
    repair: false,
    now: () => new Date(),
    onFinding: (finding) => void found.push(finding),
    settleMilliseconds: 1,
  });
  return found;
}

test('no other visit uses the buffers of a visit: in search, book, quickbook, update and holds', async () => {
  const day = nextDay();
  const painting = slotIn(await book('Painting', `${day}T10:00`));
  // Start and length in answers are those of the visit itself.
  expect([painting.DateTime, painting.Duration]).toEqual([`${day}T10:00:00-06:00`, 60]);
  const lawn = await startsOf('Lawn care', day);
  expect(lawn.slice(0, 3)).toEqual(['08:00', '08:30', '12:00']);
  expect((await startsOf('Painting', day)).slice(0, 2)).toEqual(['08:00', '12:00']);

  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701', Service: 'Lawn care' };
  const quick = { ...lead, ScheduledStart: `${day}T11:30`, ServiceAgentEmail: 'Ann@example.com' };
  const later = slotIn(await book('Lawn care', `${day}T14:00`));
  for (const refused of [
    await book('Lawn care', `${day}T11:30`),
    await book('Lawn care', `${day}T09:00`),
    await company.call('appointments/quickbook', quick),
    await company.call('appointments/update', { AppointmentId: later.AppointmentId, ...at(`${day}T11:44`) }),
  ]) {
    expect([refused.status, refused.body['Code']], refused.text).toEqual([409, 'slot_taken']);
    expect(refused.body['Message']).toContain('15 min before and 45 min after it');
  }
  expect(await hold('Lawn care', `${day}T11:30`)).toBeUndefined();
  const first = await company.call('appointments/quickbook', { ...quick, FirstAvailable: true });
  expect(first.body['ScheduledStart'], first.text).toBe(`${day}T18:00:00Z`);
  // Its own buffers keep a visit from times that are free.
  expect((await book('Painting', `${day}T08:45`)).body['Message']).toContain('this work keeps');
  expect((await book('Lawn care', `${day}T08:45`)).status).toBe(200);
});

test('a hold keeps its buffers, and the booking that takes its place has them', async () => {
  const day = nextDay();
  const held = await hold('Painting', `${day}T10:00`);
  expect((await book('Lawn care', `${day}T11:30`)).body['Message']).toContain('who holds it until');
  expect((await book('Painting', `${day}T10:00`, { HoldHandle: held?.Handle })).status).toBe(200);
  expect((await book('Lawn care', `${day}T11:30`)).status).toBe(409);
  const other = await hold('Painting', `${day}T15:00`);
  await company.call('appointments/slotsearch', { Release: [other?.Handle] });
  expect((await book('Lawn care', `${day}T16:00`)).status).toBe(200);
});

test('every change of a visit reserves the buffers of its service, and canceling it frees them', async () => {
  const day = nextDay();
  const { AppointmentId } = slotIn(await book('Lawn care', `${day}T10:00`));
  const update = (body: object) => company.call('appointments/update', { AppointmentId, ...body });
  const buffered = async () => !(await startsOf('Lawn care', day)).includes('11:00');
  expect(await buffered()).toBe(false);
  expect((await update({ ServiceName: 'Painting', Duration: '1:00' })).status).toBe(200);
  expect(await buffered()).toBe(true);
  expect((await update({ ServiceName: 'Lawn care', Duration: '1:00' })).status).toBe(200);
  expect(await buffered()).toBe(false);
  const neighbour = slotIn(await book('Lawn care', `${day}T11:15`));
  const refused = await update({ ServiceName: 'Painting', Duration: '1:00' });
  expect([refused.status, refused.body['Code']]).toEqual([409, 'slot_taken']);
  await company.call('appointments/cancel', { AppointmentId: neighbour.AppointmentId, CancelReasonId: 1 });
  expect((await update({ ServiceName: 'Painting' })).status).toBe(200);
  // A longer visit, another agent, and a second one.
  expect((await update({ Duration: '1:30' })).status).toBe(200);
  expect(await startsOf('Lawn care', day)).not.toContain('12:00');
  const withBen = { ...at(`${day}T10:00`)['Slots'][0], AdditionalServiceAgents: [{ ServiceAgent: { Name: 'Ben' } }] };
  const moved = await update({ Slots: [withBen] });
  expect(moved.status, moved.text).toBe(200);
  expect((await book('Lawn care', `${day}T12:00`, at(`${day}T12:00`, 'Ben'))).status).toBe(409);
  expect(await findings()).toEqual([]);
  await company.call('appointments/cancel', { AppointmentId, CancelReasonId: 1 });
  for (const agent of ['Ann', 'Ben'])
    expect((await book('Lawn care', `${day}T11:30`, at(`${day}T11:30`, agent))).status).toBe(200);
  expect(await findings()).toEqual([]);
});

test('a visit keeps what it reserved before its service got a buffer, until its time changes', async () => {
  const day = nextDay();
  const setBuffer = (BufferAfter: number) =>
    writeBook(company.accountId, { services: [{ Name: 'Mulching', BaseDuration: 60, BufferAfter }] });
  await setBuffer(0);
  const { AppointmentId } = slotIn(await book('Mulching', `${day}T10:00`));
  await setBuffer(30);
  const update = (body: object) => company.call('appointments/update', { AppointmentId, ...body });
  expect((await update({ UpdateNote: 'Gate code 4711' })).status).toBe(200);
  expect(await startsOf('Lawn care', day)).toContain('11:00');
  expect(await findings()).toEqual([]);
  expect((await update(at(`${day}T10:30`))).status).toBe(200);
  expect((await startsOf('Lawn care', day)).filter((time) => time > '10')).not.toContain('11:30');
  expect((await book('Lawn care', `${day}T12:00`)).status).toBe(200);
  expect(await findings()).toEqual([]);
});

/** Pairs of which each is in the buffer of the other; the last two are in different days of UTC. */
const pairs = [
  ['Painting', '10:00', 'Lawn care', '11:30'],
  ['Lawn care', '13:00', 'Painting', '14:10'],
  ['Painting', '16:50', 'Lawn care', '18:20'],
  ['Lawn care', '16:59', 'Painting', '18:00'],
] as const;

describe.each(pairs)('%s at %s and %s at %s, at once', (one, first, two, second) => {
  const rounds = Number(process.env['RACE_ROUNDS'] ?? 4);

  test('exactly one is booked', async () => {
    for (let round = 0; round < rounds; round++) {
      const day = nextDay();
      const answers = await Promise.all([book(one, `${day}T${first}`), book(two, `${day}T${second}`)]);
      expect(answers.map(({ status }) => status).sort(), answers.map(({ text }) => text).join()).toEqual([200, 409]);
    }
  });

  test('exactly one is held', async () => {
    for (let round = 0; round < rounds; round++) {
      const day = nextDay();
      const held = await Promise.all([hold(one, `${day}T${first}`), hold(two, `${day}T${second}`)]);
      expect(held.filter(Boolean)).toHaveLength(1);
      await company.call('appointments/slotsearch', { Release: held.flatMap((each) => each?.Handle ?? []) });
    }
  });
});

test('after such races the reserved times are those of the visits', async () => {
  expect(await findings()).toEqual([]);
});

test.each(['America/Denver', 'Asia/Kolkata'])(
  'a visit keeps its moment and its buffers where its organization moves to %s, over days and weeks of both zones',
  async (Timezone) => {
    const wide = weekdays({ StartMinute: 0, Minutes: 1_440 });
    const moving = await bookable({
      agents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots: wide }],
      services: [
        { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
        { Name: 'Painting', BasePrice: 90, BaseDuration: 60, BufferBefore: 15, BufferAfter: 45 },
      ],
    });
    const put = (ServiceName: string, at: number) => {
      const Slots = [{ DateTime: new Date(at).toISOString(), ServiceAgentId: moving.agents['Ann'] }];
      return moving.call('appointments/book', { ContactId: moving.contact, ServiceName, Slots });
    };
    const minute = 60_000;
    // Monday 18:00 in Chicago is Tuesday in UTC; Wednesday 12:30 there is Thursday 00:00 in Kolkata.
    for (const start of ['2035-03-06T00:00Z', '2035-03-07T18:30Z'].map((moment) => Date.parse(moment))) {
      const inOld = await put('Painting', start);
      const { AppointmentId } = slotIn(inOld);
      expect((await moving.call('organizations/update', { OrganizationId: 1, Timezone })).status).toBe(200);
      const { body } = await moving.call('appointments/find', { AppointmentId });
      expect(Date.parse((body['Slots'] as { DateTime: string }[])[0]?.DateTime ?? '')).toBe(start);
      for (const [minutes, status] of [
        [-74, 409],
        [104, 409],
        [-75, 200],
        [105, 200],
      ] as const) {
        const answer = await put('Lawn care', start + minutes * minute);
        expect([minutes, answer.status], answer.text).toEqual([minutes, status]);
      }
      const canceled = await moving.call('appointments/cancel', { AppointmentId, CancelReasonId: 1 });
      expect(canceled.status, canceled.text).toBe(200);
      expect((await put('Lawn care', start + 15 * minute)).status).toBe(200);
      expect(await findings(moving.accountId)).toEqual([]);
      const back = { OrganizationId: 1, Timezone: 'America/Chicago' };
      expect((await moving.call('organizations/update', back)).status).toBe(200);
    }
  },
);

describe('beside a version of before buffers', () => {
  const dayKey = (day: string) =>
    layout.calendar.key({
      account: company.accountId,
      organization: 1,
      week: new Date(Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10),
      day,
      agent: company.agents['Ann'] ?? 0,
    });

  test('a visit that it moved without its buffers is no fault; other times in its day are', async () => {
    const day = '2050-01-03';
    const { AppointmentId } = slotIn(await book('Painting', `${day}T10:00`));
    const jobs = (await testTable().get(dayKey(day)))?.['Jobs'] as { S: number; E: number; B: number[] }[];
    const [job] = jobs;
    // For that version, too, the whole time is taken.
    expect(job).toMatchObject({ S: Date.parse(`${day}T15:45Z`), E: Date.parse(`${day}T17:45Z`), B: [15, 45] });
    const put = (S: number, E: number) =>
      testTable().update({ update: dayKey(day), set: { Jobs: [{ A: AppointmentId, S, E }] }, add: { V: 1 } });
    await put(Date.parse(`${day}T16:00Z`), Date.parse(`${day}T17:00Z`));
    // Without the place.
    expect(await findings()).not.toEqual([]);
    const { B: _, ...bare } = { ...job, S: Date.parse(`${day}T16:00Z`), E: Date.parse(`${day}T17:00Z`) };
    await testTable().update({ update: dayKey(day), set: { Jobs: [bare] }, add: { V: 1 } });
    expect(await findings()).toEqual([]);
    const moved = { AppointmentId, ...at(`${day}T10:30`) };
    expect((await company.call('appointments/update', moved)).status).toBe(200);
    expect(await startsOf('Lawn care', day)).not.toContain('11:30');
    expect(await findings()).toEqual([]);
  });

  test('a visit is only in the days that it touches itself: nothing of its buffers stays elsewhere', async () => {
    const day = '2050-01-10';
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    expect((await book('Painting', `${day}T16:50`)).status).toBe(200);
    expect(await testTable().get(dayKey(next))).toMatchObject({ Jobs: [], V: 1 });
    expect((await startsOf('Lawn care', day)).filter((time) => time >= '16')).toEqual(['19:00']);
  });
});
