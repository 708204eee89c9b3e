import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Appointment } from '../../../lib/entities/appointments.ts';
import type { EventPayload } from '../../../lib/resources/events.ts';
import { closeAssistants, connect, say } from '../../support/assistant.ts';
import { writeBook } from '../../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import { agentsOfEveryDay, allVisits, bookSeries } from '../../support/series.ts';
import { openPage } from '../../support/pages.ts';
import { putSettings } from '../../support/settings.ts';
import { pngUri } from '../../support/signatures.ts';

let company: Bookable;
beforeEach(async () => {
  company = await bookable({ agents: agentsOfEveryDay });
});

async function ok(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const starts = (of: readonly Appointment[]) => of.map(({ DateTime }) => DateTime.slice(0, 16));
const days = (of: readonly Appointment[]) => of.map(({ DateTime }) => DateTime.slice(0, 10));
const rules = (of: readonly Appointment[]) => of.map(({ SeriesRule }) => SeriesRule);
const idOf = (of: readonly Appointment[], place: number): number => of[place]?.AppointmentId ?? 0;

const weekly = { Repeat: 'weekly', Days: ['Mon', 'Wed', 'Fri'] };
const move = (AppointmentId: number, DateTime: string) =>
  ok('appointments/update', { AppointmentId, Scope: 'following', Slots: [{ DateTime }] });

describe('a booking that repeats on days of the week', () => {
  test('has its visits on each of them, with the rule', async () => {
    const answer = await company.book('Ann', '2035-03-07T09:00', { ...weekly, Count: 5 });
    expect(answer.body['Message']).toBe(
      '4 more visits are booked in the background. The series is every week on Mon, Wed and Fri.',
    );
    expect(slotIn(answer)).toMatchObject({ SeriesRule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR' });
    const made = await allVisits(company);
    expect(days(made)).toEqual(['2035-03-07', '2035-03-09', '2035-03-12', '2035-03-14', '2035-03-16']);
    expect(new Set(rules(made))).toEqual(new Set(['FREQ=WEEKLY;BYDAY=MO,WE,FR']));
  });

  test('keeps the time of day over both changes of the clocks', async () => {
    const on = { Repeat: 'monthly', On: 'second Sunday', Count: 12 };
    const made = await bookSeries(company, '2035-01-14T02:30', on);
    // In Chicago clocks skip 2:00 to 3:00 on the second Sunday of March: that visit is at the end of the jump.
    expect(starts(made).slice(1, 4)).toEqual(['2035-02-11T02:30', '2035-03-11T03:00', '2035-04-08T02:30']);
    expect(made.map(({ DateTime }) => DateTime.slice(19))).toEqual([
      '-06:00',
      '-06:00',
      ...Array.from({ length: 8 }, () => '-05:00'),
      '-06:00',
      '-06:00',
    ]);
    const sundays = await bookSeries(company, '2035-10-28T01:30', { Repeat: 'weekly', Days: ['sunday'], Count: 3 });
    // On November 4 the clocks show 1:30 twice: the visit is at the first.
    expect(sundays.map(({ DateTime }) => DateTime)).toEqual([
      '2035-10-28T01:30:00-05:00',
      '2035-11-04T01:30:00-05:00',
      '2035-11-11T01:30:00-06:00',
    ]);
  });

  test('every second week has the weeks from that of the first visit on, through a last day', async () => {
    const repeat = { Repeat: 'weekly', Interval: 2, Days: ['MO', 'thursday'], Through: '2035-04-02' };
    const made = await bookSeries(company, '2035-03-08T09:00', repeat);
    expect(days(made)).toEqual(['2035-03-08', '2035-03-19', '2035-03-22', '2035-04-02']);
  });

  test.each([
    [{ On: 'first Tuesday' }, ['2035-01-02', '2035-02-06', '2035-03-06', '2035-04-03']],
    [{ On: 'last Fri' }, ['2035-01-26', '2035-02-23', '2035-03-30', '2035-04-27']],
    [{ On: '5th Mon' }, ['2035-01-29', '2035-04-30', '2035-07-30', '2035-10-29']],
    [{ On: '5th Mon', IfMissing: 'last' }, ['2035-01-29', '2035-02-26', '2035-03-26', '2035-04-30']],
  ])('monthly %j', async (on, expected) => {
    const made = await bookSeries(company, `${expected[0]}T10:00`, { Repeat: 'monthly', ...on, Count: 4 });
    expect(days(made)).toEqual(expected);
  });

  test.each([
    [{ ...weekly, Days: ['Tue', 'Noday'], Count: 3 }, 'Days[1]', 'unknown_value'],
    [{ Repeat: 'monthly', On: 'sixth Tuesday', Count: 3 }, 'On', 'unknown_value'],
    [{ Repeat: 'daily', Days: ['Tue'], Count: 3 }, 'Days', 'mismatch'],
    [{ Days: ['Tue'], Count: 3 }, 'Days', 'mismatch'],
    [{ Repeat: 'weekly', On: 'first Tuesday', Count: 3 }, 'On', 'mismatch'],
    [{ Repeat: 'monthly', IfMissing: 'last', Count: 3 }, 'IfMissing', 'mismatch'],
    [{ Repeat: 'monthly', On: 'first Tuesday', IfMissing: 'never', Count: 3 }, 'IfMissing', 'unknown_value'],
    [{ Repeat: 'weekly', Days: ['Tue'] }, 'Count', 'required'],
    [{ ...weekly, Days: Array.from({ length: 8 }, () => 'Tue'), Count: 3 }, 'Days', 'too_long'],
    [{ Repeat: 'weekly', Days: ['Tue'], Count: 3, Through: '2035-05-02' }, 'Through', 'range'],
  ])('%j is 400 at %s', async (repeat, field, code) => {
    const answer = await company.book('Ann', '2035-05-01T09:00', repeat);
    expect([answer.status, (answer.body['Errors'] as object[])[0]]).toMatchObject([400, { Field: field, Code: code }]);
    expect(await allVisits(company)).toEqual([]);
  });

  test('cannot begin on another day; the error says on which day it can', async () => {
    const { status, body } = await company.book('Ann', '2035-03-06T09:00', { ...weekly, Count: 3 });
    const Message =
      'is on Tue, Mar 6 2035, but the series is every week on Mon, Wed and Fri: begin it on Wed, Mar 7 2035';
    expect([status, body['Errors']]).toMatchObject([400, [{ Field: 'Slots[0].DateTime', Code: 'mismatch', Message }]]);
    expect(await allVisits(company)).toEqual([]);
  });
});

describe('such a series, moved from a visit on,', () => {
  test('by weeks has each visit as many days later, and says the new days', async () => {
    const made = await bookSeries(company, '2035-03-05T09:00', { ...weekly, Count: 6 });
    const answer = await move(idOf(made, 1), '2035-03-08T10:00');
    expect(answer['Message']).toContain('From this visit on, the series is every week on Tue, Thu and Sat.');
    const moved = await allVisits(company);
    expect(starts(moved)).toEqual([
      '2035-03-05T09:00',
      ...['2035-03-08', '2035-03-10', '2035-03-13', '2035-03-15', '2035-03-17'].map((day) => `${day}T10:00`),
    ]);
    expect(rules(moved)).toEqual([
      'FREQ=WEEKLY;BYDAY=MO,WE,FR',
      ...Array.from({ length: 5 }, () => 'FREQ=WEEKLY;BYDAY=TU,TH,SA'),
    ]);
    const { Events } = await ok('datasubscriber/fetch', { EventCount: 1000 });
    const ofLast = (Events as { Payload: EventPayload }[])
      .map(({ Payload }) => Payload)
      .filter(({ Id, Kind }) => Id === idOf(made, 5) && Kind === 'appointment.rescheduled');
    expect(ofLast).toMatchObject([{ Data: { SeriesRule: 'FREQ=WEEKLY;BYDAY=TU,TH,SA' } }]);
  });

  test('by months goes on from its new day of the week', async () => {
    const made = await bookSeries(company, '2035-01-02T09:00', { Repeat: 'monthly', On: 'first Tuesday', Count: 8 });
    await move(idOf(made, 1), '2035-02-07T09:00');
    const moved = await allVisits(company);
    // From May 1 the visit goes a day on, from August 7 six back; both are first Wednesdays.
    expect(days(moved)).toEqual([
      '2035-01-02',
      '2035-02-07',
      '2035-03-07',
      '2035-04-04',
      '2035-05-02',
      '2035-06-06',
      '2035-07-04',
      '2035-08-01',
    ]);
    expect(rules(moved)).toEqual(
      ['1TU', ...Array.from({ length: 7 }, () => '1WE')].map((on) => `FREQ=MONTHLY;BYDAY=${on}`),
    );
  });

  test('while the worker is still booking has the new days for visits that are still to be booked', async () => {
    const first = slotIn(await company.book('Ann', '2035-03-05T09:00', { ...weekly, Count: 40 })).AppointmentId;
    await move(first, '2035-03-06T09:00');
    const moved = await allVisits(company);
    expect(moved).toHaveLength(40);
    expect(new Set(moved.map(({ DateTime }) => new Date(DateTime.slice(0, 10)).getUTCDay()))).toEqual(
      new Set([2, 4, 6]),
    );
    expect(new Set(rules(moved))).toEqual(new Set(['FREQ=WEEKLY;BYDAY=TU,TH,SA']));
  });

  test('keeps its rule where a visit moves alone, and has no more visits once it is canceled', async () => {
    const [reason] = await putSettings(company.accountId, 'CancelReason', [{ Reason: 'Rain' }]);
    const made = await bookSeries(company, '2035-03-05T09:00', { ...weekly, Count: 4 });
    await ok('appointments/update', { AppointmentId: idOf(made, 1), Slots: [{ DateTime: '2035-03-08T09:00' }] });
    await ok('appointments/cancel', { AppointmentId: idOf(made, 2), CancelReasonId: reason, Scope: 'following' });
    const left = await allVisits(company);
    expect(rules(left)).toEqual(rules(made));
    expect(left.map(({ Status: status }) => status)).toEqual([1, 1, 4, 4]);
  });
});

const pool = { Name: 'Pool', BasePrice: 600, BaseDuration: 30, IsSubscription: true };
const season = { SeasonStart: '2035-04-01', SeasonExpiration: '2035-04-30' };

const offered = async (Date: string): Promise<Record<string, unknown>> =>
  ok('proposal/create', { ContactId: company.contact, ServiceName: 'Pool', Status: 'Open', Date });
const accept = (ProposalId: unknown) => ok('proposal/accept', { ProposalId, Name: 'Ana Diaz', SignatureData: pngUri });

describe('a service with days of the week', () => {
  test('as a subscription has its visits on them, in its season, at one price', async () => {
    const Days = { RecurringEventSetting_Days: ['Tue', 'friday'] };
    await writeBook(company.accountId, { services: [{ ...pool, ...season, ...Days, VisitCount: 0 }] });
    const proposal = { ServiceName: 'Pool', Date: '2035-01-10' };
    const quoted = await ok('proposal/quote', { ContactId: company.contact, Proposal: proposal, ReturnDates: true });
    const dates = quoted['ScheduleDates'] as { DateIso: string }[];
    await accept((await offered('2035-01-10'))['Id']);
    const made = await allVisits(company);
    const expected = ['03', '06', '10', '13', '17', '20', '24', '27'].map((day) => `2035-04-${day}`);
    expect(days(made)).toEqual(expected);
    expect(dates.map(({ DateIso }) => DateIso)).toEqual(expected);
    expect(new Set(rules(made))).toEqual(new Set(['FREQ=WEEKLY;BYDAY=TU,FR']));
    expect(made.map(({ Total }) => Total)).toEqual(made.map(() => 75));
  });

  test('as a subscription is booked, then moved, with all that follow', async () => {
    const On = { RecurringEventSetting_Type: 2, RecurringEventSetting_On: 'first Tue' };
    await writeBook(company.accountId, { services: [{ ...pool, ...On, VisitCount: 4 }] });
    await accept((await offered('2035-01-10'))['Id']);
    const made = await allVisits(company);
    expect(days(made)).toEqual(['2035-02-06', '2035-03-06', '2035-04-03', '2035-05-01']);
    const slot = { DateTime: '2035-02-07T09:00', ServiceAgentId: company.agents['Ann'] };
    await ok('appointments/book', { AppointmentId: idOf(made, 0), Slots: [slot], Scope: 'following' });
    const booked = await allVisits(company);
    expect(starts(booked)).toEqual(['02-07', '03-07', '04-04', '05-02'].map((day) => `2035-${day}T09:00`));
    expect(new Set(rules(booked))).toEqual(new Set(['FREQ=MONTHLY;BYDAY=1WE']));
  });

  test('shows a client the days on the page of the proposal, before it is signed', async () => {
    const Days = { RecurringEventSetting_Days: ['Mon', 'Wed', 'Fri'] };
    await writeBook(company.accountId, { services: [{ ...pool, ...Days, VisitCount: 30 }] });
    const proposal = await offered('2035-01-10');
    const shown = (await openPage(`${String(proposal['ClientUrl'])}?lang=en`)).text;
    const listed = [...shown.matchAll(/<li>(\w+day, \w+ \d+, 2035)<\/li>/g)].map(([, day]) => day);
    expect([listed.length, listed.slice(0, 3)]).toEqual([
      12,
      ['Wednesday, January 10, 2035', 'Friday, January 12, 2035', 'Monday, January 15, 2035'],
    ]);
    expect(shown).toContain('And 18 more. The last is on Monday, March 19, 2035.');
    const spanish = (await openPage(`${String(proposal['ClientUrl'])}?lang=es`)).text;
    expect(spanish).toContain('Visitas previstas');
    await accept(proposal['Id']);
    expect((await openPage(`${String(proposal['ClientUrl'])}?lang=en`)).text).not.toContain('Planned visits');
  });

  test('repeats by them where a booking says no Repeat', async () => {
    const service = { Name: 'Filter', BaseDuration: 30, RecurringEventSetting_Days: ['Mon', 'Thu'] };
    await writeBook(company.accountId, {
      services: [{ ...service, RecurringEventSetting_Type: 1, RecurringEventSetting_Frequency: 2 }],
    });
    const of = { ServiceId: 0, ServiceName: 'Filter', Count: 3 };
    const made = await bookSeries(company, '2035-03-05T09:00', of);
    expect(days(made)).toEqual(['2035-03-05', '2035-03-08', '2035-03-19']);
  });

  test('stores them in one spelling', async () => {
    const book = {
      services: [
        { Name: 'A', RecurringEventSetting_Days: ['friday', 'MO', 'Monday'] },
        { Name: 'B', RecurringEventSetting_On: 'the 5TH sat', RecurringEventSetting_IfMissing: 'last' as const },
      ],
    };
    const { book: stored } = await writeBook(company.accountId, book);
    const found = [...stored.services.values()].filter(({ Name }) => Name === 'A' || Name === 'B');
    expect(found).toMatchObject([
      { RecurringEventSetting_Days: ['Mon', 'Fri'], RecurringEventSetting_On: '' },
      { RecurringEventSetting_On: 'fifth Saturday', RecurringEventSetting_IfMissing: 'last' },
    ]);
    const { Matches } = await ok('services/details', { Id: found[1]?.Id });
    expect(Matches).toMatchObject([{ RecurringEventSetting_On: 'fifth Saturday' }]);
  });

  test.each([
    [{ RecurringEventSetting_Days: ['Mon', 'nay'] }, 'RecurringEventSetting_Days[1]'],
    [{ RecurringEventSetting_On: 'Monday' }, 'RecurringEventSetting_On'],
    [{ RecurringEventSetting_Days: ['Mon'], IntervalDays: 7 }, 'RecurringEventSetting_Days'],
    [
      { RecurringEventSetting_Days: ['Mon'], RecurringEventSetting_Type: 2, RecurringEventSetting_Frequency: 1 },
      'RecurringEventSetting_Days',
    ],
    [{ RecurringEventSetting_Days: ['Mon'], RecurringEventSetting_On: 'first Monday' }, 'RecurringEventSetting_On'],
  ])('%j is refused at %s', async (fields, field) => {
    const written = writeBook(company.accountId, { services: [{ Name: 'C', ...fields }] });
    await expect(written).rejects.toThrow(`"field":"Services[0].${field}"`);
  });
});

test('an assistant books a series on days of the week, and says which', async () => {
  const assistant = await connect(await company.newKey({ assistant: 'write' }));
  onTestFinished(closeAssistants);
  const args = {
    contact_id: company.contact,
    service: 'Lawn care',
    start: '2035-03-06T09:00',
    agent_id: company.agents['Ann'],
    repeat: 'monthly',
    days: 'first Tuesday',
    visits: 3,
  };
  const preview = await say(assistant, 'book_visit', args);
  expect(preview.data['series']).toContain('The series is every month on the first Tuesday.');
  await say(assistant, 'book_visit', { ...args, confirm: preview.confirm });
  expect(days(await allVisits(company))).toEqual(['2035-03-06', '2035-04-03', '2035-05-01']);
  const mowing = { ...args, start: '2035-06-04T09:00', repeat: 'weekly', days: 'Mon, Thu', every: 2 };
  expect((await say(assistant, 'book_visit', mowing)).data['series']).toContain('every 2 weeks on Mon and Thu');
});
