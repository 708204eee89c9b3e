import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterCalls, newHost } from '../../lib/domain/callbacks/host-limits.ts';
import { type CallResult, afterAttempt, parseRetryAfter } from '../../lib/domain/callbacks/retries.ts';
import { callbackTargets } from '../../lib/domain/callbacks/targets.ts';
import { wantsKind } from '../../lib/domain/callbacks/webhook.ts';
import type { Webhook } from '../../lib/entities/webhooks.ts';

const webhook = (Id: number, Kinds: readonly string[], more: Partial<Webhook> = {}): Webhook => ({
  Id,
  Url: `https://hooks.example.com/${Id}`,
  Kinds,
  Created: 0,
  Disabled: null,
  ...more,
});

describe('whom an event calls', () => {
  const appointment = {
    NotificationUri: 'https://a.example.com/notify',
    EnRouteUri: 'https://a.example.com/en-route',
    ConfirmationUri: 'https://a.example.com/confirm',
    ThirdPartyUrl: 'https://a.example.com/all',
  };
  const called = (entity: string, kind: string, record: object, webhooks: readonly Webhook[] = []) =>
    callbackTargets({ entity, kind, record: { ...record } }, webhooks).map(({ target }) => target);

  test.each([
    ['appointment.booked', ['notification', 'third-party']],
    ['appointment.updated', ['notification', 'third-party']],
    ['appointment.rescheduled', ['notification', 'third-party']],
    ['appointment.canceled', ['notification', 'third-party']],
    ['appointment.completed', ['notification', 'third-party']],
    ['appointment.started', ['en-route', 'third-party']],
    ['appointment.confirmed', ['confirmation', 'third-party']],
    ['appointment.queued', ['third-party']],
    ['appointment.tipped', ['third-party']],
    ['appointment.feedback', ['third-party']],
    ['appointment.deleted', ['third-party']],
  ])('%s: %j', (kind, targets) => {
    expect(called('Appointment', kind, appointment)).toEqual(targets);
    expect(called('Appointment', kind, {})).toEqual([]);
  });

  const delivery = { DeliveryUri: 'https://a.example.com/delivery' };
  test.each([
    ['proposal.opened', 1, ['delivery']],
    ['proposal.accepted', 2, ['delivery']],
    ['proposal.declined', 3, ['delivery']],
    ['proposal.created', 1, ['delivery']],
    ['proposal.created', 0, []],
    ['proposal.updated', 1, []],
    ['proposal.expired', 7, []],
    ['proposal.completed', 6, []],
  ])('%s with status %d: %j', (kind, Status, targets) => {
    expect(called('Proposal', kind, { ...delivery, Status })).toEqual(targets);
  });

  test('an address is called once an event, and a disabled webhook not at all', () => {
    const same = { ...appointment, ThirdPartyUrl: appointment.NotificationUri };
    const webhooks = [
      webhook(1, ['*']),
      webhook(2, ['proposal.*']),
      webhook(3, ['appointment.booked'], { Disabled: { At: 1, Reason: '410' } }),
      webhook(4, ['appointment.*'], { Url: appointment.NotificationUri }),
    ];
    expect(called('Appointment', 'appointment.booked', same, webhooks)).toEqual(['notification', 'webhook-1']);
    expect(called('Payment', 'payment.recorded', {}, webhooks)).toEqual(['webhook-1']);
  });

  test('kinds are words, all of a noun, or all', () => {
    expect(wantsKind({ Kinds: ['invoice.*', 'task.completed'] }, 'task.completed')).toBe(true);
    expect(wantsKind({ Kinds: ['invoice.*', 'task.completed'] }, 'task.created')).toBe(false);
    expect(wantsKind({ Kinds: ['invoice.*'] }, 'invoice.paid')).toBe(true);
  });
});

const result = (status: number | null, more: Partial<CallResult> = {}): CallResult => ({
  status,
  error: status === null ? 'No answer.' : '',
  timedOut: false,
  retryAfter: undefined,
  milliseconds: 5,
  ...more,
});

describe('after an attempt', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const seconds = (attempts: number, answer: CallResult) => {
    const next = afterAttempt(attempts, answer, now);
    return next.kind === 'retry' ? (next.at - now) / 1000 : next.kind;
  };

  test('that fails, the next follows after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h; then it is dead', () => {
    const waits = Array.from({ length: 11 }, (_, index) => seconds(index + 1, result(500)));
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3600);
    expect(waits).toEqual([5, 300, 1800, ...hours, 'dead', 'dead']);
  });

  test('any 2xx is success; 410 ends at once; 3xx, 4xx and 5xx are tried again', () => {
    for (const status of [200, 201, 202, 204, 299]) expect(seconds(3, result(status))).toBe('delivered');
    for (const status of [100, 301, 302, 307, 400, 401, 404, 429, 500, 503]) expect(seconds(1, result(status))).toBe(5);
    expect(seconds(1, result(null))).toBe(5);
    expect(seconds(1, result(410))).toBe('dead');
  });

  test('Retry-After lengthens a wait, up to a day, in seconds or as a date, and never shortens one', () => {
    const after = (retryAfter: string, attempts = 1) => seconds(attempts, result(503, { retryAfter }));
    expect([after('120'), after('1'), after('60', 3)]).toEqual([120, 5, 1800]);
    expect(after('Sun, 22 Nov 2026 12:10:00 GMT')).toBe(600);
    expect([after('999999999'), after('Fri, 01 Jan 2100 00:00:00 GMT')]).toEqual([86_400, 86_400]);
    for (const text of ['', 'soon', '-5', '1e9', 'Sun, 22 Nov 2020 12:10:00 GMT']) expect(after(text)).toBe(5);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = parseRetryAfter(text, now);
        return wait >= 0 && wait <= 86_400_000;
      }),
      { numRuns: 200 },
    );
  });
});

describe('the share of a host', () => {
  const calls = (milliseconds: number, timedOut = false) => [{ milliseconds, timedOut }];

  test('grows from two containers to eight while it answers soon, and shrinks while it is slow', () => {
    let state = newHost;
    const grown = [1, 2, 3].map(() => (state = afterCalls(state, calls(20), 0)).slots);
    expect(grown).toEqual([4, 8, 8]);
    expect([1, 2, 3].map(() => (state = afterCalls(state, calls(6_000), 0)).slots)).toEqual([4, 2, 1]);
  });

  test('is one container after a time-out, and a pause of 5 s, 10 s … 5 min between the next', () => {
    let state = afterCalls(newHost, calls(20), 0);
    const pauses = Array.from({ length: 8 }, () => (state = afterCalls(state, calls(10_000, true), 0)).pausedUntil);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1_000));
    expect(state.slots).toBe(1);
    expect(afterCalls(state, calls(10), 0)).toEqual({ slots: 2, pausedUntil: 0, timeouts: 0 });
  });
});
