import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SlotHold } from '../../../lib/resources/appointments.ts';
import { layout } from '../../../lib/store/keys.ts';
import { parseKey } from '../../../lib/store/requests/api-keys.ts';
import { checkTable } from '../../../lib/workflows/fsck/check-table.ts';
import { openScan } from '../../../lib/store/dynamodb/scan.ts';
import { type Bookable, bookable, slotIn, slotsIn, times } from '../../support/scheduling.ts';
import { invoke } from '../../support/stack/invoke.ts';
import { useTestCredentials } from '../../support/stack/external.ts';
import { drainEvents, testStack, testTable } from '../../support/stack/stack.ts';

/* The handlers run in this process, whose clock the tests set. */
beforeAll(() => {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  const AWS_ENDPOINT_URL_DYNAMODB = DynamoDBEndpoint;
  Object.assign(process.env, { TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB, LOG_LEVEL: 'silent' });
});

const DAY = '2035-03-06';
let company: Bookable;
/** The key of another caller. */
let other: string;
beforeEach(async () => {
  company = await bookable();
  other = await company.newKey();
});
afterEach(() => vi.useRealTimers());

type Answer = Awaited<ReturnType<typeof invoke>>;
const search = (more: object = {}, key = company.key, headers = {}): Promise<Answer> =>
  invoke(
    'appointments/slotsearch',
    { ContactId: company.contact, ServiceName: 'Lawn care', TargetDate: DAY, SlotWindowDays: 1, ...more },
    { key, headers },
  );
const holdsIn = ({ status, body }: Answer): SlotHold[] => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body['Holds'] as SlotHold[];
};
const startsOf = ({ body }: Answer): string[] => times(slotsIn({ body } as never));
const at = (time: string, agent = 'Ann') => ({
  Slots: [{ DateTime: `${DAY}T${time}`, ServiceAgentId: company.agents[agent] }],
});
const hold = async (time: string, agent = 'Ann', more: object = {}) =>
  holdsIn(await search({ Hold: 1, ...at(time, agent), ...more }))[0];
const book = (time: string, more: object = {}, key = company.key): Promise<Answer> =>
  invoke('appointments/book', { ContactId: company.contact, ServiceName: 'Lawn care', ...at(time), ...more }, { key });

/** Sets the clock of the handlers. */
function setTime(moment: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(moment);
}

test('a held slot is no slot for others, cannot be booked without its handle, and is booked with it', async () => {
  const held = await hold('10:00');
  expect(held).toEqual({
    Handle: expect.stringMatching(/^\w{22}$/) as string,
    DateTime: `${DAY}T10:00:00-06:00`,
    ServiceAgentId: company.agents['Ann'],
    Until: expect.stringMatching(/Z$/) as string,
  });
  for (const key of [other, company.key]) {
    const found = startsOf(await search({}, key));
    expect(found).not.toContain('10:00 Ann');
    expect(found).not.toContain('09:30 Ann');
    expect(found).toContain('10:00 Ben');
    const refused = await book('10:30', {}, key);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      Code: 'slot_taken',
      Message: expect.stringMatching(
        /^Slot taken: Ann is taken on .* by another caller, who holds it until /,
      ) as string,
    });
  }
  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701', Service: 'Lawn care', FirstAvailable: true };
  const quick = await invoke(
    'appointments/quickbook',
    { ...lead, ScheduledStart: `${DAY}T10:00`, ServiceAgentEmail: 'Ann@example.com' },
    { key: other },
  );
  expect(quick.body['ScheduledStart']).toBe(`${DAY}T17:00:00Z`);
  const booked = await book('10:00', { HoldHandle: held?.Handle });
  expect(booked.status, JSON.stringify(booked.body)).toBe(200);
  // The place of the key is free again, and nothing of the hold is left in the calendar.
  const { accountId } = company;
  const listed = { account: accountId, key: parseKey(company.key)?.publicPart ?? '' };
  expect((await testTable().query({ partition: layout.hold.of(listed) })).items).toEqual([]);
  expect((await book('10:00', {}, other)).body['Message']).toContain('by appointment');
});

test('quickbook books a held time with the handle, for a new contact, and releases the hold', async () => {
  const held = await hold('10:00');
  const lead = { Name: 'Lea Roth', Email: 'lea@example.com', Zip: '62701', Service: 'Lawn care' };
  const visit = { ...lead, ScheduledStart: `${DAY}T10:00`, ServiceAgentEmail: 'Ann@example.com' };
  const quick = (more: object, key = other) => invoke('appointments/quickbook', { ...visit, ...more }, { key });
  expect((await quick({})).body['Code']).toBe('slot_taken');
  const booked = await quick({ HoldHandle: held?.Handle });
  expect([booked.status, booked.body['ScheduledStart']]).toEqual([200, `${DAY}T16:00:00Z`]);
  const listed = { account: company.accountId, key: parseKey(company.key)?.publicPart ?? '' };
  expect((await testTable().query({ partition: layout.hold.of(listed) })).items).toEqual([]);
  expect((await book('10:00', { HoldHandle: held?.Handle })).body['Code']).toBe('slot_taken');

  const later = await hold('12:00');
  const first = { FirstAvailable: true, ScheduledStart: `${DAY}T12:00`, HoldHandle: later?.Handle };
  expect((await quick(first)).body['ScheduledStart']).toBe(`${DAY}T18:00:00Z`);
});

test('a hold ends at its second, without anybody doing anything', async () => {
  setTime(`2035-03-05T12:00:00.700Z`);
  const held = await hold('10:00', 'Ann', { HoldMinutes: 2 });
  expect(held?.Until).toBe('2035-03-05T12:02:00Z');
  setTime('2035-03-05T12:01:59.999Z');
  expect(startsOf(await search({}, other))).not.toContain('10:00 Ann');
  expect((await book('10:00', {}, other)).status).toBe(409);
  setTime('2035-03-05T12:02:00.000Z');
  expect(startsOf(await search({}, other))).toContain('10:00 Ann');
  expect((await book('10:00', {}, other)).status).toBe(200);
  // Who held it learns that it is gone; another slot that is free is booked, although the hold is over.
  expect((await book('10:00', { HoldHandle: held?.Handle })).body['Code']).toBe('slot_taken');
  expect((await book('12:00', { HoldHandle: held?.Handle })).status).toBe(200);
});

test('Hold takes slots of different starts that do not exclude each other, and says which', async () => {
  const answer = await search({ Hold: 3, Slots: [{ ServiceAgentId: company.agents['Ann'] }] });
  const holds = holdsIn(answer);
  expect(startsOf(answer)).toEqual(['08:00 Ann', '09:00 Ann', '10:00 Ann']);
  expect(holds.map(({ DateTime }) => DateTime.slice(11, 16))).toEqual(['08:00', '09:00', '10:00']);
  for (const { Handle, DateTime } of holds.toReversed())
    expect((await book(DateTime.slice(11, 16), { HoldHandle: Handle }, other)).status).toBe(200);
  expect(startsOf(await search({ Hold: 2, TargetDate: '2035-03-07' }))).toEqual(['08:00 Ann', '08:30 Ben']);
});

test('fewer slots than asked for are held with a message, and none with the reason', async () => {
  const day = { Timeframe: '08:00-09:30', Slots: [{ ServiceAgentId: company.agents['Ann'] }] };
  const some = await search({ Hold: 5, ...day });
  expect([startsOf(some), some.body['Message']]).toEqual([['08:00 Ann', '09:00 Ann'], 'Only 2 of 5 slots are held.']);
  const taken = await search({ Hold: 1, ...at('08:30') }, other);
  expect([holdsIn(taken), taken.body['Message']]).toEqual([[], expect.stringContaining('holds it until')]);
  const past = await search({ Hold: 1, Slots: [{ DateTime: '2026-03-06T10:00', ServiceAgentId: 1 }] });
  expect([holdsIn(past), past.body['Message']]).toEqual([[], expect.stringContaining('is in the past')]);
});

test('a key holds 20 slots at the same time; a booking, a release and an end make room', async () => {
  setTime('2035-03-05T12:00:00Z');
  const first = holdsIn(await search({ Hold: 12 }));
  expect(first).toHaveLength(12);
  const full = await search({ Hold: 9, TargetDate: '2035-03-07' });
  expect([full.status, full.body]).toEqual([
    429,
    expect.objectContaining({
      Code: 'too_many_holds',
      Message: expect.stringContaining('This key holds 12 slots, and may hold 20.') as string,
    }),
  ]);
  const second = holdsIn(await search({ Hold: 8, TargetDate: '2035-03-07' }));
  expect((await search({ Hold: 1, TargetDate: '2035-03-08' })).status).toBe(429);
  expect(holdsIn(await search({ Hold: 1, TargetDate: '2035-03-08' }, other))).toHaveLength(1);

  const [one, two] = first;
  const booked = await book('', {
    Slots: [{ DateTime: one?.DateTime, ServiceAgentId: one?.ServiceAgentId }],
    HoldHandle: one?.Handle,
  });
  expect(booked.status).toBe(200);
  expect(holdsIn(await search({ Hold: 1, TargetDate: '2035-03-08' }))).toHaveLength(1);
  const swapped = await search({ Hold: 2, TargetDate: '2035-03-09', Release: [two?.Handle, second[0]?.Handle] });
  expect(holdsIn(swapped)).toHaveLength(2);
  setTime('2035-03-05T12:10:03Z');
  expect(holdsIn(await search({ Hold: 20, TargetDate: '2035-03-12', SlotWindowDays: 5 }))).toHaveLength(20);
});

test('Release alone ends holds of the key at once, and ignores those that are over or of another key', async () => {
  const [mine, foreign] = [await hold('10:00'), holdsIn(await search({ Hold: 1, ...at('13:00') }, other))[0]];
  const Release = [mine?.Handle, foreign?.Handle, 'unknown'];
  const answer = await invoke('appointments/slotsearch', { Release }, { key: company.key });
  expect([answer.status, answer.body['Slots'], answer.body['Holds']]).toEqual([200, [], []]);
  const found = startsOf(await search({}, other));
  expect(found).toContain('10:00 Ann');
  expect(found).not.toContain('13:00 Ann');
  // The time of a hold that is given up in the same call can be held in its place.
  const again = await hold('10:00');
  expect(await hold('10:30', 'Ann', { Release: [again?.Handle] })).toMatchObject({ DateTime: `${DAY}T10:30:00-06:00` });
});

test('an appointment moves to a slot that is held for it, over its own time too', async () => {
  const { AppointmentId } = slotIn((await book('10:00')) as never);
  const held = await hold('10:30', 'Ann', { AppointmentId });
  const move = { AppointmentId, ...at('10:30') };
  expect((await invoke('appointments/update', move, { key: other })).status).toBe(409);
  const moved = await invoke('appointments/update', { ...move, HoldHandle: held?.Handle }, { key: other });
  expect(slotIn(moved as never).DateTime).toBe(`${DAY}T10:30:00-06:00`);
  expect((await book('09:30')).status).toBe(200);
});

test('what slotsearch answers can be sent back to book, with the handle of a hold', async () => {
  const found = await search({ Hold: 1 });
  const [held] = holdsIn(found);
  const again = { ...found.body, ContactId: company.contact, HoldHandle: held?.Handle };
  const booked = await invoke('appointments/book', again, { key: other });
  expect(slotIn(booked as never).DateTime).toBe(held?.DateTime);
});

test('a booking that fails keeps the hold', async () => {
  const held = await hold('10:00');
  const refused = await book('10:00', { HoldHandle: held?.Handle, ServiceName: 'Unknown' });
  expect(refused.status).toBe(404);
  expect((await book('10:00', {}, other)).status).toBe(409);
  expect((await book('10:00', { HoldHandle: held?.Handle })).status).toBe(200);
});

test('a call that holds is a write: of roles and keys that may write, and repeated by its Idempotency-Key', async () => {
  const reader = await company.newKey({ role: 'ReadOnly' });
  const readOnly = await company.newKey({ readOnly: true });
  for (const [key, code] of [
    [reader, 'role_forbidden'],
    [readOnly, 'key_restricted'],
  ] as const) {
    expect((await search({ Hold: 0, Release: [] }, key)).status).toBe(200);
    expect((await search({ Hold: 1 }, key)).body).toMatchObject({ ResultCode: 403, Code: code });
    expect((await search({ Release: ['x'] }, key)).body).toMatchObject({ ResultCode: 403, Code: code });
  }
  const header = { 'idempotency-key': 'hold-1' };
  const [one, two] = [await search({ Hold: 1 }, company.key, header), await search({ Hold: 1 }, company.key, header)];
  expect(holdsIn(two)).toEqual(holdsIn(one));
  expect(startsOf(await search({}, other))).toContain('09:00 Ann');
});

describe('beside holds', () => {
  test('there is no event, and fs check finds nothing wrong, while they last and after', async () => {
    await drainEvents();
    const events = () => invoke('datasubscriber/fetch', { EventCount: 1000 }, { key: company.key });
    const before = (await events()).body['EventCount'];
    await search({ Hold: 3 });
    await drainEvents();
    expect((await events()).body['EventCount']).toBe(before);
    for (const minutes of [1, 60]) {
      const findings: unknown[] = [];
      await checkTable(testTable(), openScan(), {
        accounts: [company.accountId],
        repair: true,
        now: () => new Date(Date.now() + minutes * 60_000),
        onFinding: (finding) => findings.push(finding),
        settleMilliseconds: 1,
      });
      expect(findings).toEqual([]);
    }
  });

  test('an earlier version keeps them among the jobs of a day, where they take no time for it', async () => {
    await hold('10:00');
    const [week, day] = ['2035-03-05', DAY];
    const key = layout.calendar.key({
      account: company.accountId,
      organization: 1,
      week,
      day,
      agent: company.agents['Ann'] ?? 0,
    });
    const jobs = (await testTable().get(key))?.['Jobs'] as { A: number; S: number; E: number }[];
    expect(jobs).toEqual([expect.objectContaining({ A: 0, S: jobs[0]?.S, E: jobs[0]?.S })]);
  });
});
