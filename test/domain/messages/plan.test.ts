import { describe, expect, test } from 'vitest';
import { Status } from '../../../lib/domain/appointments/record.ts';
import { type PlannedChange, dueMoments, planMessages } from '../../../lib/domain/messages/plan.ts';
import { VISIT_CHANGES } from '../../../lib/domain/messages/topics.ts';
import { InvoiceStatus, InvoiceType } from '../../../lib/entities/invoices.ts';
import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import { HOUR, MINUTE, toUtc } from '../../../lib/shared/time/time.ts';
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

const BY_KEY = { key: 'abcdefghijkl', name: 'Office' };
const BY_IMPORT = { key: '', name: 'fs import' };
const BY_COMMAND = { key: '', name: 'fs demo' };
const BY_PAGE = { key: '', name: 'pages' };
const BY_WORKER = { key: '', name: 'background-work' };

/** What is planned, as `topic` and hours from now, with reminders 48 and 2 hours before a visit. */
function planned(
  entity: string,
  before: object | undefined,
  after: object | undefined,
  { actor = BY_KEY, settings = settingsOf({ Kinds: { Reminder: { Hours: [48, 2] } } }) } = {},
): string[] {
  const change: PlannedChange = { entity, before, after, at: NOW, actor };
  return planMessages(change, settings).map(({ topic, at }) => {
    const minutes = (at - NOW) / MINUTE;
    return `${topic} in ${minutes >= 60 ? `${minutes / 60} h` : `${minutes} min`}`;
  });
}

const TOLD = `${VISIT_CHANGES} in 1 min`;
const REMINDERS = ['Reminder-48 in 120 h', 'Reminder-2 in 166 h'];
const moved = { Start: VISIT_START + HOUR };
const MOVED_REMINDERS = ['Reminder-48 in 121 h', 'Reminder-2 in 167 h'];
const window = { ArrivalFrom: VISIT_START, ArrivalThrough: VISIT_START + 2 * HOUR };

describe('of a visit is planned, when it', () => {
  test.each<[string, Parameters<typeof visit>[0] | undefined, Parameters<typeof visit>[0], string[]]>([
    ['is booked', undefined, {}, [...REMINDERS, TOLD]],
    ['moves', {}, moved, [...MOVED_REMINDERS, TOLD]],
    ['moves within its arrival window', window, { ...window, ...moved }, []],
    ['gets an arrival window', {}, window, [...REMINDERS, TOLD]],
    ['gets another end of it', window, { ...window, ArrivalThrough: VISIT_START + HOUR }, [...REMINDERS, TOLD]],
    ['gets another agent', {}, { ServiceAgentId: 5 }, []],
    ['is canceled', {}, { Status: Status.Canceled }, [TOLD]],
    ['is held', undefined, { Status: Status.Tentative }, [TOLD]],
    ['is confirmed', { Status: Status.Tentative }, {}, [...REMINDERS, TOLD]],
    ['is released', { Status: Status.Tentative }, { Status: Status.Queued, Start: null }, [TOLD]],
    ['starts', {}, { Status: Status.Started }, [TOLD, 'OnTheWay in 0 min']],
    ['is done', { Status: Status.Started }, { Status: Status.Completed }, [TOLD, 'HowWasIt in 2 h']],
    ['is done, and changes then', { Status: Status.Completed }, { Status: Status.Completed, ServiceName: 'Lawn' }, []],
    ['is booked for tomorrow', undefined, { Start: hours(24) }, ['Reminder-2 in 22 h', TOLD]],
    ['is booked for the past', undefined, { Start: hours(-24) }, [TOLD]],
    ['is booked by a stranger', undefined, { Network: 'a1' }, [...REMINDERS, TOLD, 'Office in 0 min']],
    ['is moved by a stranger', { Network: 'a1' }, { Network: 'a1', ...moved }, [...MOVED_REMINDERS, TOLD]],
  ])('%s', (_, before, after, expected) => {
    expect(planned('Appointment', before && visit(before), visit(after))).toEqual(expected);
  });

  test.each<[string, object | undefined, object | undefined]>([
    ['is a shadow', undefined, visit({ Shadow: true })],
    ['is a shadow that moves', visit({ Shadow: true }), visit({ Shadow: true, ...moved })],
    ['is removed', visit(), undefined],
  ])('nothing if it %s', (_, before, after) => {
    expect(planned('Appointment', before, after)).toEqual([]);
  });

  test('it has what the client saw before and sees now, by the visit and its series', () => {
    const change = { entity: 'Appointment', at: NOW, actor: BY_KEY } as const;
    const plan = (before: object | undefined, after: object) =>
      planMessages({ ...change, before, after }, settingsOf({ DelaySeconds: 5 })).filter(({ visit }) => visit);
    const own = { noun: 'Appointment', id: 7, topic: VISIT_CHANGES, at: NOW + 5_000 };
    const now = { Status: Status.Scheduled, Start: VISIT_START, Through: null };
    expect(plan(undefined, visit())).toEqual([{ ...own, visit: { id: 7, was: null, is: now, changed: NOW } }]);
    const was = { Status: Status.Scheduled, Start: VISIT_START, Through: VISIT_START + 2 * HOUR };
    expect(plan(visit({ ...window, SeriesId: 4 }), visit({ ...moved, SeriesId: 4 }))).toEqual([
      { ...own, id: 4, visit: { id: 7, was, is: { ...now, Start: VISIT_START + HOUR }, changed: NOW } },
    ]);
  });

  test('by a worker as by a key; by an import only its reminders', () => {
    expect(planned('Appointment', undefined, visit(), { actor: BY_WORKER })).toEqual([...REMINDERS, TOLD]);
    const byImport = { actor: BY_IMPORT };
    expect(planned('Appointment', undefined, visit(), byImport)).toEqual(REMINDERS);
    expect(planned('Appointment', visit(), visit(moved), byImport)).toEqual(MOVED_REMINDERS);
    expect(planned('Appointment', undefined, visit({ Status: Status.Completed }), byImport)).toEqual([]);
    expect(planned('Appointment', undefined, visit({ Start: hours(-24) }), byImport)).toEqual([]);
  });

  test('no question how it was where its hours are empty', () => {
    const settings = settingsOf({ Kinds: { HowWasIt: { Hours: [] } } });
    const done = [visit({ Status: Status.Started }), visit({ Status: Status.Completed })] as const;
    expect(planned('Appointment', ...done, { settings })).toEqual([TOLD]);
  });
});

describe('of a proposal is planned, when it', () => {
  const internal = { Status: ProposalStatus.Internal, OpenedAt: null, ExpiresAt: null };
  const accepted = { Status: ProposalStatus.Accepted, AcceptedAt: NOW };
  const OPENED = ['Proposal in 1 min', 'ProposalExpiring in 648 h'];
  test.each<[string, Parameters<typeof proposal>[0] | undefined, Parameters<typeof proposal>[0], string[]]>([
    ['is drafted', undefined, internal, []],
    ['is created open', undefined, {}, OPENED],
    ['is opened', internal, {}, OPENED],
    ['is opened without an expiry', internal, { ExpiresAt: null }, ['Proposal in 1 min']],
    ['is opened for two days', internal, { ExpiresAt: days(2) }, ['Proposal in 1 min']],
    ['is opened again', { Status: ProposalStatus.Declined, OpenedAt: days(-9) }, {}, OPENED],
    ['gets another price', { Subtotal: 1 }, { Subtotal: 2 }, []],
    ['gets another expiry', {}, { ExpiresAt: days(10) }, ['ProposalExpiring in 168 h']],
    ['is signed', {}, accepted, ['ProposalSigned in 0 min']],
    ['is invoiced', accepted, { ...accepted, Status: ProposalStatus.Invoiced }, []],
    ['expires', { ExpiresAt: NOW }, { ExpiresAt: NOW, Status: ProposalStatus.Expired }, []],
  ])('%s', (_, before, after, expected) => {
    expect(planned('Proposal', before && proposal(before), proposal(after))).toEqual(expected);
  });

  test.each([
    ['a client on its page', BY_PAGE, ['Office in 0 min']],
    ['the office by a key', BY_KEY, []],
    ['the office by a command', BY_COMMAND, []],
    ['an import', BY_IMPORT, []],
  ])('is declined by %s', (_, actor, expected) => {
    const declined = proposal({ Status: ProposalStatus.Declined });
    expect(planned('Proposal', proposal(), declined, { actor })).toEqual(expected);
    expect(planned('Proposal', declined, declined, { actor })).toEqual([]);
  });

  test('nothing when it is imported', () => {
    expect(planned('Proposal', undefined, proposal(), { actor: BY_IMPORT })).toEqual([]);
    expect(planned('Proposal', proposal(), proposal(accepted), { actor: BY_IMPORT })).toEqual([]);
  });
});

describe('of an invoice is planned, when it', () => {
  const unapproved = { Status: InvoiceStatus.Unapproved };
  // Due on March 31: at 9:00 in New York, where clocks went forward on March 14.
  const DUE = [
    'InvoiceDue in 649 h',
    'InvoiceOverdue-1 in 745 h',
    'InvoiceOverdue-2 in 913 h',
    'InvoiceOverdue-3 in 1081 h',
  ];
  const OPENED = ['Invoice in 1 min', ...DUE];
  test.each<[string, Parameters<typeof invoice>[0] | undefined, Parameters<typeof invoice>[0], string[]]>([
    ['is created open', undefined, {}, OPENED],
    ['is created unapproved', undefined, unapproved, []],
    ['is approved', unapproved, {}, OPENED],
    ['has no terms', undefined, { Terms: '' }, ['Invoice in 1 min']],
    ['is due tomorrow', undefined, { Terms: 'Net 1' }, ['Invoice in 1 min', ...overdue(50, 218, 385)]],
    ['is paid in part', {}, { Paid: 40, BalanceDue: 60 }, []],
    ['is paid', {}, { Status: InvoiceStatus.Paid, Paid: 100, BalanceDue: 0 }, []],
    ['was paid and is not any more', { Status: InvoiceStatus.Paid, BalanceDue: 0 }, {}, DUE],
    ['gets other terms', {}, { Terms: 'Net 1' }, overdue(50, 218, 385)],
    ['is voided', {}, { Status: InvoiceStatus.Voided }, []],
    ['is a credit', undefined, { InvoiceType: InvoiceType.Credit, Total: -100, BalanceDue: -100 }, []],
    ['costs nothing', undefined, { Total: 0, BalanceDue: 0 }, []],
    ['is of the day on which messages were turned on', undefined, { Date: days(-30), Terms: '' }, ['Invoice in 1 min']],
    ['is of a date before', undefined, { Date: days(-32) }, []],
  ])('%s', (_, before, after, expected) => {
    expect(planned('Invoice', before && invoice(before), invoice(after))).toEqual(expected);
  });

  test('nothing when it is imported', () => {
    expect(planned('Invoice', undefined, invoice(), { actor: BY_IMPORT })).toEqual([]);
  });

  function overdue(...inHours: number[]): string[] {
    return inHours.map((each, index) => `InvoiceOverdue-${index + 1} in ${each} h`);
  }

  test.each([
    ['2027-03-13', '2027-03-10T14:00:00Z', ['2027-03-14T13:00:00Z', '2027-03-15T13:00:00Z', '2027-03-16T13:00:00Z']],
    ['2027-11-07', '2027-11-04T13:00:00Z', ['2027-11-08T14:00:00Z', '2027-11-09T14:00:00Z', '2027-11-10T14:00:00Z']],
  ])('is due on %s: at 9:00 of the organization on each day, also where clocks change', (Day, soon, late) => {
    const due = invoice({ Day, Terms: 'due on receipt' });
    const moments = dueMoments(due, settingsOf({ Kinds: { InvoiceOverdue: { Days: 1 } } }));
    expect(moments.map(({ at }) => toUtc(at))).toEqual([soon, ...late]);
  });
});

describe('of a payment is planned', () => {
  test.each<[string, Parameters<typeof payment>[0], string[]]>([
    ['its receipt', {}, ['Receipt in 0 min']],
    ['that it was paid back', { Amount: -20 }, ['Refund in 0 min']],
    ['nothing if it is a part of another', { SplitOf: 6 }, []],
    ['nothing if it was taken from a credit', { FromCredit: true }, []],
    ['nothing if it is 0', { Amount: 0 }, []],
    ['nothing if it was made before messages were turned on', { Date: days(-32) }, []],
  ])('%s', (_, more, expected) => {
    expect(planned('Payment', undefined, payment(more))).toEqual(expected);
  });

  test('nothing when it changes, or is imported', () => {
    expect(planned('Payment', payment(), payment({ Amount: 50 }))).toEqual([]);
    expect(planned('Payment', undefined, payment(), { actor: BY_IMPORT })).toEqual([]);
  });
});

describe('of a task is planned', () => {
  test.each([
    ['a message to the office if it comes from a page', BY_PAGE, ['Office in 0 min']],
    ['the same if it comes from a worker', BY_WORKER, ['Office in 0 min']],
    ['nothing if a key made it', BY_KEY, []],
    ['nothing if a command made it', BY_COMMAND, []],
    ['nothing if it was imported', BY_IMPORT, []],
  ])('%s', (_, actor, expected) => {
    expect(planned('Task', undefined, task(), { actor })).toEqual(expected);
    expect(planned('Task', task(), task({ Description: 'Call' }), { actor })).toEqual([]);
  });
});

test('nothing while messages are off, and nothing of other records', () => {
  const settings = settingsOf({ On: false });
  expect(planned('Appointment', undefined, visit(), { settings })).toEqual([]);
  expect(planned('Task', undefined, task(), { settings, actor: BY_PAGE })).toEqual([]);
  expect(planned('Contact', undefined, task())).toEqual([]);
});
