import { describe, expect, test } from 'vitest';
import { applyActuals } from '../../../lib/domain/appointments/actuals.ts';
import { parseCallbackAddresses } from '../../../lib/shared/web/web-addresses.ts';
import { applyFeedback } from '../../../lib/domain/appointments/feedback.ts';
import { APPOINTMENT_STATUSES } from '../../../lib/entities/appointments.ts';
import { Status, blankAppointment, changeStatus, occupiesTime } from '../../../lib/domain/appointments/record.ts';
import { movedStartMinute, timeReservations } from '../../../lib/domain/appointments/calendar.ts';
import { parseWebLead } from '../../../lib/domain/appointments/web-lead.ts';

const DAY = 86_400_000;
const Start = Date.parse('2026-03-09T20:00-04:00');
const appointment = blankAppointment({
  Id: 1,
  OrganizationId: 1,
  ContactId: 1,
  HashKey: 'x',
  Zone: 'America/New_York',
  Created: 0,
  Status: Status.Scheduled,
  Start,
  Duration: 90,
  ServiceAgentId: 7,
});

test.each([
  ['2026-03-09T13:00-04:00', 540, 780],
  ['2026-03-10T09:30-04:00', 540, 570],
  ['2026-03-07T09:00-05:00', 600, 600],
  ['2026-03-09T00:00-04:00', 540, 0],
  ['2026-03-08T23:00-04:00', 599, 1439],
  ['2026-03-09T08:59-04:00', 0, undefined],
  ['2026-03-09T23:00-04:00', 600, undefined],
] as const)('an appointment moved from 9:00 to %s takes its helper from minute %i to %s', (text, minute, expected) => {
  const zone = 'America/New_York';
  const from = { at: Date.parse('2026-03-09T09:00-04:00'), zone };
  expect(movedStartMinute(minute, { from, to: { at: Date.parse(text), zone } })).toBe(expected);
});

describe('time reservations', () => {
  const other = {
    ServiceAgentId: 8,
    Name: 'Ben',
    StartMinute: 18 * 60,
    Duration: 30,
    ActualStartMinute: null,
    ActualDuration: null,
  };

  test('are the whole time of every agent; additional agents may have their own', () => {
    const reservations = timeReservations({
      ...appointment,
      AdditionalAgents: [other, { ...other, ServiceAgentId: 9, StartMinute: null, Duration: null }],
    });
    expect(
      reservations.map(({ agentId, start, end }) => [agentId, new Date(start).toISOString(), (end - start) / 60_000]),
    ).toEqual([
      [7, '2026-03-10T00:00:00.000Z', 90],
      [8, '2026-03-09T22:00:00.000Z', 30],
      [9, '2026-03-10T00:00:00.000Z', 90],
    ]);
  });

  test.each([
    [Status.Queued, 0],
    [Status.Scheduled, 1],
    [Status.Started, 1],
    [Status.Completed, 1],
    [Status.Canceled, 0],
    [Status.Tentative, 1],
  ])('status %i: %i', (status, count) => {
    expect(timeReservations({ ...appointment, Status: status })).toHaveLength(count);
  });
});

test.each([
  ['https://example.com/callback?x=1', false, true],
  ['http://example.com', true, false],
  ['http://127.0.0.1:80/x', true, true],
  ['http://127.0.0.1:80/x', false, false],
  ['http://[::1]:80/x', true, true],
  ['http://localhost.example.com', true, false],
  ['https://user:pass@example.com', false, false],
  ['javascript:alert(1)', true, false],
  ['file:///etc/passwd', true, false],
  ['example.com', false, false],
  [`https://example.com/${'x'.repeat(2048)}`, false, false],
  ['', false, true],
  [null, false, true],
] as const)('the callback address %s (loopback %s) is allowed: %s', (NotificationUri, allowLoopback, allowed) => {
  expect(parseCallbackAddresses({ NotificationUri }, { allowLoopback }).errors.length === 0).toBe(allowed);
});

test('feedback can be replaced for 30 days from the first', () => {
  const first = applyFeedback(appointment, { Score: 1 }, 0);
  if (first.kind !== 'applied') throw new Error(first.kind);
  const second = applyFeedback(first.appointment, { Score: 2 }, 30 * DAY);
  if (second.kind !== 'applied') throw new Error(second.kind);
  expect(second.appointment.Feedback).toMatchObject({ Score: 2, At: 0 });
  expect(applyFeedback(second.appointment, { Score: 3 }, 30 * DAY + 1)).toEqual({ kind: 'closed', since: 0 });
  expect(applyFeedback(appointment, { Positive: true, Negative: true }, 0).kind).toBe('invalid');
  expect(applyFeedback(appointment, { Positive: false, Note: ' ' }, 0).kind).toBe('invalid');
  expect(applyFeedback(appointment, { Score: 0 }, 0).kind).toBe('applied');
});

test.each([
  [Status.Scheduled, null, null, { start: 5, finish: undefined }, [Status.Started, 5, null]],
  [Status.Started, 5, null, { start: undefined, finish: 9 }, [Status.Completed, 5, 9]],
  [Status.Scheduled, null, null, { start: 5, finish: 9 }, [Status.Completed, 5, 9]],
  [Status.Completed, 5, 9, { start: 6, finish: undefined }, [Status.Started, 6, null]],
  [Status.Completed, 5, 9, { start: 5, finish: undefined }, [Status.Completed, 5, 9]],
  [Status.Completed, 5, 9, { start: 6, finish: 8 }, [Status.Completed, 6, 8]],
  [Status.Scheduled, null, null, { start: undefined, finish: undefined }, [Status.Scheduled, null, null]],
])('actuals of status %i, %s to %s, with %j', (status, ActualStart, ActualFinish, actuals, after) => {
  const { actuals: result, errors } = applyActuals({ Status: status, ActualStart, ActualFinish }, actuals);
  expect([result.Status, result.ActualStart, result.ActualFinish]).toEqual(after);
  expect(errors).toEqual([]);
});

test('empty fields of a form are left out of the contact', () => {
  expect(
    parseWebLead({ Name: 'Ann', Email: '', Unsubscribed: false, Tags: [], PriPhone: '1', ChannelId: null }, 0),
  ).toEqual({ Name: 'Ann', Phone: '1' });
});

describe('status', () => {
  const allowed = (role: string) =>
    APPOINTMENT_STATUSES.flatMap((from) =>
      APPOINTMENT_STATUSES.filter((to) => changeStatus(Status[from], Status[to], role).ok).map((to) => `${from}→${to}`),
    );
  const EVERYONE = [
    'Queued→Scheduled',
    'Queued→Canceled',
    'Queued→Tentative',
    'Scheduled→Queued',
    'Scheduled→Started',
    'Scheduled→Completed',
    'Scheduled→Canceled',
    'Scheduled→Tentative',
    'Started→Completed',
    'Started→Canceled',
    'Tentative→Queued',
    'Tentative→Scheduled',
    'Tentative→Canceled',
  ];
  const RESTORE = ['Canceled→Queued', 'Canceled→Scheduled'];

  test.each([
    ['ServiceAgent', EVERYONE],
    ['Office', [...EVERYONE, ...RESTORE]],
    ['Admin', [...EVERYONE, ...RESTORE, 'Completed→Started']],
    ['Owner', [...EVERYONE, ...RESTORE, 'Completed→Started']],
  ])('%s may make only these changes', (role, moves) => {
    expect(allowed(role).toSorted()).toEqual(moves.toSorted());
  });

  test('a change that nobody may make is a conflict, one that the role may not make is forbidden', () => {
    expect(changeStatus(3, 4, 'Owner')).toEqual({
      ok: false,
      kind: 'conflict',
      message: 'The appointment is Completed, which cannot become Canceled.',
    });
    expect(changeStatus(4, 4, 'Owner')).toEqual({
      ok: false,
      kind: 'conflict',
      message: 'The appointment is Canceled, which cannot become Canceled.',
    });
    expect(changeStatus(3, 2, 'Office')).toEqual({
      ok: false,
      kind: 'forbidden',
      message: 'A key of role Office may not make a Completed appointment Started. These roles may: Admin, Owner.',
    });
    expect(changeStatus(4, 0, 'ServiceAgent')).toEqual({
      ok: false,
      kind: 'forbidden',
      message:
        'A key of role ServiceAgent may not make a Canceled appointment Queued. These roles may: Office, Admin, Owner.',
    });
    expect(changeStatus(1, 9, 'Owner')).toMatchObject({ ok: false, kind: 'conflict' });
  });

  test('all but Queued and Canceled appointments take time of their agents', () => {
    expect(APPOINTMENT_STATUSES.filter((name) => occupiesTime(Status[name]))).toEqual([
      'Scheduled',
      'Started',
      'Completed',
      'Tentative',
    ]);
  });
});
