import { describe, expect, test } from 'vitest';
import { Status } from '../../../lib/domain/appointments/record.ts';
import {
  type MessageRecordOf,
  decideTopic,
  decideVisits,
  dueOf,
  isTooLate,
  stampOf,
} from '../../../lib/domain/messages/decide.ts';
import { dueMoments } from '../../../lib/domain/messages/plan.ts';
import { knownVisitOf } from '../../../lib/domain/messages/known-visit.ts';
import type { Topic } from '../../../lib/domain/messages/topics.ts';
import type { AppointmentRecord } from '../../../lib/entities/appointments.ts';
import { InvoiceStatus } from '../../../lib/entities/invoices.ts';
import type { MessageKind } from '../../../lib/entities/message-kinds.ts';
import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import {
  NOW,
  VISIT_START,
  days,
  hours,
  invoice,
  payment,
  proposal,
  settingsOf,
  task,
  visit,
} from '../../support/message-records.ts';

type VisitFields = Partial<AppointmentRecord>;
const settings = settingsOf({ Kinds: { Reminder: { Hours: [48, 2] } } });

const queued: VisitFields = { Status: Status.Queued, Start: null };
const canceled: VisitFields = { Status: Status.Canceled };
const held: VisitFields = { Status: Status.Tentative };
const moved: VisitFields = { Start: VISIT_START + HOUR };
const window: VisitFields = { ArrivalFrom: VISIT_START, ArrivalThrough: VISIT_START + 2 * HOUR };
const rated: VisitFields = {
  Feedback: { Score: 9, Positive: true, Negative: false, Note: '', ContactMe: false, At: NOW },
};
const past: VisitFields = { Start: hours(-1) };

describe('of the changes of a visit is announced', () => {
  test.each<[string, VisitFields | null, VisitFields, MessageKind | undefined, (number | null)?]>([
    ['that it is booked', null, {}, 'VisitBooked'],
    ['its last time, if it was booked and moved since', null, moved, 'VisitBooked'],
    ['nothing, if it was booked and canceled since', null, canceled, undefined],
    ['nothing, if it was queued', null, queued, undefined],
    ['that it is to be confirmed', null, held, 'VisitConfirm'],
    ['that it is booked, if it was held and confirmed since', null, {}, 'VisitBooked'],
    ['nothing, if it was booked in the past', null, past, undefined],
    ['that it moved', {}, moved, 'VisitMoved', VISIT_START],
    ['nothing, if it moved and moved back', {}, {}, undefined],
    ['nothing, if it moved within its arrival window', window, { ...window, ...moved }, undefined],
    ['that its window moved', window, { ...window, ArrivalThrough: VISIT_START + HOUR }, 'VisitMoved', VISIT_START],
    ['that it moved, if it was held and is', held, { ...held, ...moved }, 'VisitMoved', VISIT_START],
    ['nothing, if it moved into the past', {}, past, undefined],
    ['that it moved, if its past time did', past, {}, 'VisitMoved', hours(-1)],
    ['that it is booked, if it is confirmed', held, {}, 'VisitBooked'],
    ['that it is booked, if it is confirmed at another time', held, moved, 'VisitBooked'],
    ['that it is to be confirmed, if it is not any more', {}, held, 'VisitConfirm'],
    ['that it is canceled', {}, canceled, 'VisitCanceled', VISIT_START],
    ['its former time, if it moved and is canceled since', {}, { ...canceled, ...moved }, 'VisitCanceled', VISIT_START],
    ['that it is canceled, if it was released', held, queued, 'VisitCanceled', VISIT_START],
    ['that it is canceled, if it waits for a new time', {}, queued, 'VisitCanceled', VISIT_START],
    ['nothing, if it was in the past and is canceled', past, { ...past, ...canceled }, undefined],
    ['nothing, if it was queued and is canceled', queued, { ...queued, ...canceled }, undefined],
    ['that it is booked, if it was queued', queued, {}, 'VisitBooked'],
    ['that it is booked, if it was canceled', canceled, {}, 'VisitBooked'],
    ['nothing, if it starts', {}, { Status: Status.Started }, undefined],
    ['nothing, if it is done', {}, { Status: Status.Completed }, undefined],
    ['nothing, if work goes on', { Status: Status.Completed }, { Status: Status.Started }, undefined],
  ])('%s', (_, knew, now, kind, formerStart = null) => {
    const is = visit(now);
    const decided = decideVisits([{ visit: is, was: knew && knownVisitOf(visit(knew)) }], NOW);
    expect(decided).toEqual(kind ? [{ kind, visits: [{ visit: is, formerStart }] }] : []);
  });

  test('of a series one message of each kind, by start', () => {
    const of = (Id: number, more: VisitFields) => visit({ Id, Start: VISIT_START + (10 - Id) * DAY, ...more });
    const [first, second, third, fourth] = [of(1, {}), of(2, {}), of(3, canceled), of(4, {})];
    const was = (one: AppointmentRecord, more: VisitFields = {}) => knownVisitOf({ ...one, ...more });
    const decided = decideVisits(
      [
        { visit: first, was: null },
        { visit: second, was: null },
        { visit: third, was: was(third, { Status: Status.Scheduled }) },
        { visit: fourth, was: was(fourth) },
      ],
      NOW,
    );
    expect(decided.map(({ kind, visits }) => [kind, visits.map(({ visit: { Id } }) => Id)])).toEqual([
      ['VisitBooked', [2, 1]],
      ['VisitCanceled', [3]],
    ]);
  });
});

const decide = (of: MessageRecordOf, topic: Topic, at: number, now = at, own = settings): MessageKind | undefined =>
  decideTopic(of, { topic, at }, own, now);
const about = (more: VisitFields) => ({ noun: 'Appointment', record: visit(more) }) as const;

describe('what was planned of a visit is announced when it is due, if', () => {
  const [early, late] = [VISIT_START - 48 * HOUR, VISIT_START - 2 * HOUR];
  test.each<[string, VisitFields, number, number, MessageKind | undefined]>([
    ['it is booked for that time', {}, 48, early, 'Reminder'],
    ['its window begins then', { ...window, ...moved }, 2, late, 'Reminder'],
    ['not if it moved since', moved, 48, early, undefined],
    ['not if it was canceled', canceled, 2, late, undefined],
    ['not if it is only held', held, 2, late, undefined],
    ['not if it waits for a time', queued, 2, late, undefined],
    ['not if it has started', { Status: Status.Started }, 2, late, undefined],
    ['not if these hours are not set any more', {}, 24, VISIT_START - 24 * HOUR, undefined],
  ])('%s: a reminder', (_, more, before, at, kind) => {
    expect(decide(about(more), `Reminder-${before}`, at)).toBe(kind);
  });

  test('and not after it began', () => {
    expect(decide(about({}), 'Reminder-2', late, VISIT_START - 1)).toBe('Reminder');
    expect(decide(about({}), 'Reminder-2', late, VISIT_START)).toBeUndefined();
  });

  const started: VisitFields = { Status: Status.Started };
  test.each<[string, VisitFields, number, MessageKind | undefined]>([
    ['it has started', started, 1, 'OnTheWay'],
    ['the arrival is later', { ...started, ActualStart: VISIT_START + 20 * MINUTE }, 1, 'OnTheWay'],
    ['not after the arrival', { ...started, ActualStart: VISIT_START }, 1, undefined],
    ['not half an hour later', started, 30, undefined],
    ['not if it is done', { Status: Status.Completed }, 1, undefined],
    ['not of a visit of yesterday', { ...started, Start: VISIT_START - DAY }, 1, undefined],
  ])('%s: on the way', (_, more, minutes, kind) => {
    expect(decide(about(more), 'OnTheWay', VISIT_START, VISIT_START + minutes * MINUTE)).toBe(kind);
  });

  const done: VisitFields = { Status: Status.Completed };
  test.each<[string, VisitFields, MessageKind | undefined]>([
    ['it is done', done, 'HowWasIt'],
    ['not if the client has said', { ...done, ...rated }, undefined],
    ['not if the work goes on', started, undefined],
    ['not if it was weeks ago', { ...done, Start: VISIT_START - 15 * DAY }, undefined],
  ])('%s: how it was', (_, more, kind) => {
    expect(decide(about(more), 'HowWasIt', VISIT_START + 3 * HOUR)).toBe(kind);
  });

  test('a stranger booked it: to the office', () => {
    expect(decide(about({}), 'Office', NOW)).toBe('Office');
  });
});

describe('what was planned of a proposal is announced, if', () => {
  const EXPIRING = days(27);
  test.each<[string, Topic, Parameters<typeof proposal>[0], number, MessageKind | undefined]>([
    ['it is open', 'Proposal', {}, NOW, 'Proposal'],
    ['not if it is withdrawn', 'Proposal', { Status: ProposalStatus.Internal }, NOW, undefined],
    ['not if it has expired', 'Proposal', { ExpiresAt: NOW }, NOW, undefined],
    ['it expires in 3 days', 'ProposalExpiring', {}, EXPIRING, 'ProposalExpiring'],
    ['not if it expires later', 'ProposalExpiring', { ExpiresAt: days(40) }, EXPIRING, undefined],
    ['not if it was declined', 'ProposalExpiring', { Status: ProposalStatus.Declined }, EXPIRING, undefined],
    ['it is signed', 'ProposalSigned', { Status: ProposalStatus.Accepted, AcceptedAt: NOW }, NOW, 'ProposalSigned'],
    ['not if it is open again', 'ProposalSigned', {}, NOW, undefined],
    ['it was declined', 'Office', { Status: ProposalStatus.Declined }, NOW, 'Office'],
    ['not if it is open again', 'Office', {}, NOW, undefined],
  ])('%s: %s', (_, topic, more, at, kind) => {
    expect(decide({ noun: 'Proposal', record: proposal(more) }, topic, at)).toBe(kind);
  });
});

describe('what was planned of an invoice is announced, if', () => {
  const moments = dueMoments(invoice(), settings);
  const momentOf = (topic: Topic) => moments.find((each) => each.topic === topic)?.at ?? NOW;
  const paid = { Status: InvoiceStatus.Paid, Paid: 100, BalanceDue: 0 };

  test.each<[Topic, MessageKind]>([
    ['Invoice', 'Invoice'],
    ['InvoiceDue', 'InvoiceDue'],
    ['InvoiceOverdue-1', 'InvoiceOverdue'],
    ['InvoiceOverdue-3', 'InvoiceOverdue'],
  ])('it is still to be paid: %s', (topic, kind) => {
    const at = momentOf(topic);
    const decideFor = (more: Parameters<typeof invoice>[0]) =>
      decide({ noun: 'Invoice', record: invoice(more) }, topic, at);
    expect(decideFor({})).toBe(kind);
    expect(decideFor({ Paid: 60, BalanceDue: 40 })).toBe(kind);
    expect(decideFor(paid)).toBeUndefined();
    expect(decideFor({ Status: InvoiceStatus.Voided })).toBeUndefined();
    expect(decideFor({ Terms: 'Net 60' })).toBe(topic === 'Invoice' ? kind : undefined);
    expect(decide({ noun: 'Invoice', record: invoice() }, topic, at + DAY)).toBe(
      topic === 'Invoice' ? kind : undefined,
    );
  });
});

test.each<[string, MessageRecordOf, Topic, MessageKind | undefined]>([
  ['a payment', { noun: 'Payment', record: payment() }, 'Receipt', 'Receipt'],
  ['a payment', { noun: 'Payment', record: payment() }, 'Refund', undefined],
  ['a refund', { noun: 'Payment', record: payment({ Amount: -5 }) }, 'Refund', 'Refund'],
  ['a task', { noun: 'Task', record: task() }, 'Office', 'Office'],
])('of %s is announced what it is', (_, of, topic, kind) => {
  expect(decide(of, topic, NOW)).toBe(kind);
});

describe('the moment in the key of a message', () => {
  test('is that of a state which is announced once, however often it is reached', () => {
    const done = (more: VisitFields = {}) => about({ Status: Status.Completed, ...more });
    expect(dueOf(done(), 'HowWasIt', NOW)).toBe(dueOf(done(), 'HowWasIt', NOW + DAY));
    const of = (record: ReturnType<typeof invoice>) => ({ noun: 'Invoice', record }) as const;
    expect(dueOf(of(invoice()), 'Invoice', NOW + 1)).toBe(dueOf(of(invoice()), 'Invoice', NOW + DAY));
    const opened = (OpenedAt: number) => ({ noun: 'Proposal', record: proposal({ OpenedAt }) }) as const;
    expect(dueOf(opened(NOW), 'Proposal', NOW + DAY)).toBe(NOW);
    expect(dueOf(opened(NOW + HOUR), 'Proposal', NOW + DAY)).toBe(NOW + HOUR);
    expect(dueOf({ noun: 'Payment', record: payment() }, 'Receipt', NOW + DAY)).toBe(NOW);
  });

  test('is that when it was due of all others', () => {
    expect(dueOf(about({}), 'Reminder', NOW)).toBe(NOW);
    expect(dueOf({ noun: 'Invoice', record: invoice() }, 'InvoiceOverdue', NOW + DAY)).toBe(NOW + DAY);
  });
});

describe('a message that waits is about a state that is gone', () => {
  const stamp = (more: VisitFields, kind: MessageKind) => stampOf(about(more), kind, NOW);
  test.each<[string, MessageKind, VisitFields, VisitFields]>([
    ['once the visit moved', 'VisitBooked', {}, moved],
    ['once it is canceled', 'Reminder', {}, canceled],
    ['once the client said how it was', 'HowWasIt', {}, rated],
  ])('%s', (_, kind, before, after) => {
    expect(stamp(after, kind)).not.toBe(stamp(before, kind));
  });

  test.each<[string, MessageKind, VisitFields, VisitFields]>([
    ['not of another agent', 'VisitBooked', {}, { ServiceAgentId: 5 }],
    ['not of what a stranger booked', 'Office', {}, moved],
  ])('%s', (_, kind, before, after) => {
    expect(stamp(after, kind)).toBe(stamp(before, kind));
  });

  test.each<[MessageKind, VisitFields, number, boolean]>([
    ['Reminder', {}, VISIT_START - 1, false],
    ['Reminder', {}, VISIT_START, true],
    ['VisitMoved', { ...window, ...moved }, VISIT_START, true],
    ['VisitCanceled', canceled, VISIT_START - 1, false],
    ['VisitCanceled', canceled, VISIT_START, true],
    ['VisitCanceled', queued, NOW, false],
    ['OnTheWay', { Status: Status.Started }, VISIT_START + 6 * HOUR - 1, false],
    ['OnTheWay', { Status: Status.Started }, VISIT_START + 6 * HOUR, true],
    ['OnTheWay', { Status: Status.Started, ActualStart: VISIT_START }, VISIT_START, true],
    ['HowWasIt', { Status: Status.Completed }, VISIT_START + DAY, false],
  ])('%s of %j at %d: %s', (kind, more, now, expected) => {
    expect(isTooLate(visit(more), kind, { now, due: now })).toBe(expected);
  });
});
