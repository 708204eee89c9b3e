import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageSettingsInput } from '../../lib/domain/messages/apply-settings.ts';
import { applyMessageSettings, blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import type { MessageRecord } from '../../lib/entities/messages.ts';
import { DAY, HOUR, MINUTE, firstInstantAt, toLocalDate, wholeSecond } from '../../lib/shared/time/time.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { layout } from '../../lib/store/keys.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { listMessages } from '../../lib/store/messages.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { accountStore } from '../../lib/store/store.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';
import { decideMessages } from '../../lib/workflows/messages/decide-messages.ts';
import { sendMessages } from '../../lib/workflows/messages/send-messages.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { discardedPrefix } from '../../lib/workflows/parked-records.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { type SentMessage, type Work, dyingWorker, messageWorker } from '../support/message-worker.ts';
import { startBucket } from '../support/files.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { putSettings } from '../support/settings.ts';

let engine: TestTable;
let worker: ReturnType<typeof messageWorker>;
beforeAll(async () => {
  engine = await startTable();
  worker = messageWorker(engine);
});
afterAll(() => engine.stop());
beforeEach(() => {
  vi.stubEnv('MESSAGES_FROM', 'messages@example.com');
  vi.stubEnv('MESSAGES_TEXT_ORIGIN', '+12175550100');
});
afterEach(async () => {
  // What a test left must not reach the next one.
  worker.answers(undefined);
  await worker.runThrough(Date.now() + 20 * DAY);
  worker.taken();
  vi.unstubAllEnvs();
});

const ZONE = 'America/Chicago';

interface Company {
  readonly account: string;
  readonly contact: number;
  call(operation: string, body: object): Promise<Record<string, unknown>>;
  set(input: MessageSettingsInput, organization?: number): Promise<void>;
  /** The messages of a contact, newest first. */
  messages(contact?: number | null): Promise<MessageRecord[]>;
}

/** A company in business by day and night, with a client who has an e-mail address and a mobile phone. */
async function company(settings: MessageSettingsInput | null = {}): Promise<Company> {
  const now = new Date();
  const { account } = await writeAccount(worker.table, { name: 'Evergreen', now });
  const store = accountStore(worker.table, account);
  const { key } = await createKey(store, { role: 'Owner', name: 'test', rate: 100_000, now });
  const call: Company['call'] = async (operation, body) => {
    const answer = await invoke(operation, body, { key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const set: Company['set'] = async (input, organization = 0) => {
    const record = applyMessageSettings(blankMessageSettings(organization), input, now.getTime());
    await worker.table.commit([messageSettingsChange({ account }, record)]);
  };
  const book = { services: [{ Name: 'Lawn', BasePrice: 50, BaseDuration: 60 }] };
  await writePriceBook(store, { organizationId: null, accountWide: true, now }, book);
  const location = { Timezone: ZONE, StartAddress: { Zip: '62701' }, Email: 'office@example.com' };
  const TimeSlots = [0, 1, 2, 3, 4, 5, 6].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 0, Minutes: 1440 }));
  const ServiceAgents = [{ Name: 'Ben Fox', Email: 'ben@example.com', TimeSlots }];
  await call('organizations/update', { OrganizationId: 1, ...location, ServiceAgents });
  const contact = await addContact({ call }, { Name: 'Ana Diaz', Email: 'ana@example.com', Phone: '2175550143' });
  if (settings) await set({ On: true, Kinds: { Reminder: { Hours: [] } }, ...settings });
  const messages: Company['messages'] = async (of = contact) =>
    (await listMessages(store, [of], { skip: 0, take: 100 })).messages;
  return { account, contact, call, set, messages };
}

async function addContact({ call }: Pick<Company, 'call'>, fields: object): Promise<number> {
  const { Matches } = await call('contacts/addupdate', { OrganizationId: 1, Zip: '62701', ...fields });
  return (Matches as { Id: number }[])[0]?.Id ?? 0;
}

/** The slot of a time of the day some days from now. */
const slot = (time: string, inDays = 10) => ({
  Slots: [{ DateTime: `${toLocalDate(Date.now() + inDays * DAY, ZONE)}T${time}`, ServiceAgentId: 1 }],
});

/** A visit that is booked, 10 days from now. */
async function book(of: Company, time = '10:00', more: object = {}): Promise<number> {
  const body = { ContactId: of.contact, ServiceName: 'Lawn', ...slot(time), ...more };
  return Number((await of.call('appointments/book', body))['AppointmentId']);
}

const move = (of: Company, AppointmentId: number, time: string) =>
  of.call('appointments/update', { AppointmentId, ...slot(time) });

async function cancel(of: Company, AppointmentId: number): Promise<void> {
  const [CancelReasonId] = await putSettings(of.account, 'CancelReason', [{ Reason: 'Rain' }], worker.table);
  await of.call('appointments/cancel', { AppointmentId, CancelReasonId });
}

/** The moment by which a text is sent, too, that waits for the morning. */
const soon = () => Date.now() + 14 * HOUR;

/** What is sent by then, each as its channel and the time of day that it names. */
async function sentUntil(until = soon()): Promise<string[]> {
  await worker.runThrough(until);
  return brief(worker.taken());
}
const brief = (sent: readonly SentMessage[]): string[] =>
  sent.map(
    ({ channel, says }) =>
      `${channel} ${/moved|canceled|booked|confirm|reminder/i.exec(says)?.[0] ?? ''} ${says.match(/\b\d+(?::\d+)? [AP]M/g)?.at(-1) ?? says}`,
  );

/** The notices and planned messages of an account that are left, by their sort keys. */
async function left({ account }: Company): Promise<string[]> {
  const found: string[] = [];
  for await (const items of openScan()({ accounts: [account] }))
    found.push(...items.filter(({ PK }) => /#NOTICE#|^DELAYED#/.test(PK)).map(({ SK }) => SK));
  return found;
}

/** The state and the reason of each message of a contact, oldest first, the e-mail before the text. */
/** Where the messages since the last call went. */
const addressesTaken = (): string[] =>
  worker
    .taken()
    .map(({ to }) => to)
    .toSorted();

const states = async (of: Company, contact = of.contact): Promise<string[]> =>
  (await of.messages(contact))
    .toReversed()
    .map(({ Kind, Channel, State, Reason }) => `${Kind} ${Channel} ${State} ${Reason}`.trim());

/** A run that is not at its end. */
const runAt = (now: Date) => ({ now, deadline: Date.now() + MINUTE });

describe('a visit', () => {
  test('that is booked is one e-mail with its calendar file and one text, known as sent', async () => {
    const of = await company();
    await book(of);
    await worker.runThrough(soon());
    const [email, text, ...others] = worker.taken();
    expect(others).toEqual([]);
    expect(email).toMatchObject({ channel: 'Email', to: 'ana@example.com' });
    expect(email?.says).toMatch(/^Your visit is on .*, 10 AM$/);
    expect(email?.email?.attachments[0]?.content).toContain('METHOD:REQUEST');
    expect(text).toMatchObject({ channel: 'Text', to: '+12175550143' });
    expect(text?.says).toMatch(/^Evergreen: your visit \(Lawn\) is on .*, 10 AM\. https:\/\/.*\/c\/visit\//);
    const states = (await of.messages()).map(({ Kind, Channel, State, Noun, Uncertain }) => [
      Kind,
      Channel,
      State,
      Noun,
      Uncertain,
    ]);
    expect(states).toEqual([
      ['VisitBooked', 'Text', 'Sent', 'Appointment', false],
      ['VisitBooked', 'Email', 'Sent', 'Appointment', false],
    ]);
    expect(await sentUntil()).toEqual([]);
  });

  test('that changes within the delay is announced once, as it is then', async () => {
    const of = await company();
    const id = await book(of, '09:00');
    await worker.follow();
    await move(of, id, '10:00');
    expect(await sentUntil()).toEqual(['Email  10 AM', 'Text  10 AM']);
    await move(of, id, '11:00');
    await worker.follow();
    await move(of, id, '13:00');
    expect(await sentUntil()).toEqual(['Email moved 1 PM', 'Text moved 1 PM']);
    await move(of, id, '14:00');
    await worker.follow();
    await move(of, id, '13:00');
    expect(await sentUntil()).toEqual([]);
    await cancel(of, id);
    expect(await sentUntil()).toEqual(['Email canceled 1 PM', 'Text canceled 1 PM']);
    const canceled = await book(of, '15:00');
    await worker.follow();
    await cancel(of, canceled);
    expect(await sentUntil()).toEqual([]);
    expect(await left(of)).toEqual([]);
  });

  test('whose last change has no event yet is announced once the event is there, and once', async () => {
    const of = await company();
    const id = await book(of, '09:00');
    await worker.follow();
    await move(of, id, '10:00');
    const trigger = { noun: 'Appointment', id, topic: 'Visit', at: 0 } as const;
    const store = accountStore(worker.table, of.account);
    const seconds = await decideMessages(store, trigger, new Date(Date.now() + 2 * MINUTE));
    expect(seconds).toBeGreaterThan(3 * 60);
    expect(await of.messages()).toEqual([]);
    expect(await sentUntil()).toEqual(['Email  10 AM', 'Text  10 AM']);
  });

  test('that a plan of its day moves is announced once, and within its window to nobody', async () => {
    const of = await company();
    const [north, south] = [
      await addContact(of, { Name: 'Nora North', Email: 'nora@example.com', Zip: '62684' }),
      await addContact(of, { Name: 'Sue South', Email: 'sue@example.com', Zip: '62629' }),
    ];
    const day = (inDays: number) => toLocalDate(Date.now() + inDays * DAY, ZONE);
    const crossTown = async (inDays: number, window: object) => {
      for (const [ContactId, time] of [
        [north, '09:00'],
        [south, '11:00'],
        [north, '13:00'],
      ] as const) {
        const [at] = slot(time, inDays).Slots;
        await of.call('appointments/book', { ContactId, ServiceName: 'Lawn', Slots: [{ ...at, ...window }] });
      }
    };
    await crossTown(10, {});
    await crossTown(11, { ArrivalFrom: `${day(11)}T08:00`, ArrivalThrough: `${day(11)}T18:00` });
    await sentUntil();
    const applied = { MoveConfirmed: true, Apply: true };
    expect(await of.call('appointments/dayplan', { Date: day(10), ...applied })).toMatchObject({ Moves: 1 });
    expect(await of.call('appointments/dayplan', { Date: day(11), ...applied })).toMatchObject({ Moves: 1 });
    expect(await sentUntil()).toEqual(['Email moved 3 PM']);
    expect(await left(of)).toEqual([]);
  });

  test('that is repeated is announced with the others once, as a list', async () => {
    const of = await company();
    await book(of, '10:00', { Repeat: 'daily', Count: 12 });
    await worker.runThrough(soon());
    const sent = worker.taken();
    expect(sent.map(({ channel }) => channel)).toEqual(['Email', 'Text']);
    expect(sent[0]?.says).toMatch(/12 visits/);
    expect((await of.messages()).map(({ Visits }) => Visits.length)).toEqual([12, 12]);
    expect(await left(of)).toEqual([]);
  });

  test('of a repeated booking that changes while the message waits is booked by a message of its own', async () => {
    const of = await company();
    const first = await book(of, '10:00', { Repeat: 'daily', Count: 5 });
    worker.answers(() => ({ kind: 'busy', seconds: 600, reason: 'Throttled' }));
    await worker.runThrough(Date.now() + 2 * MINUTE);
    await move(of, first, '15:00');
    worker.answers(undefined);
    await worker.runThrough(soon());
    const sent = worker.taken().filter(({ channel }) => channel === 'Email');
    expect(sent.map(({ says }) => says).toSorted()).toEqual([
      expect.stringMatching(/^Your 4 visits/),
      expect.stringMatching(/^Your visit is on .* 3 PM$/),
    ]);
  });
});

describe('each message is sent', () => {
  test('once, with every batch of the stream and of the queue delivered twice', async () => {
    const of = await company({ Kinds: { Reminder: { Hours: [48, 2] } } });
    const id = await book(of, '12:00');
    const times = { times: 2 };
    await worker.runThrough(soon(), times);
    expect(brief(worker.taken())).toEqual(['Email  12 PM', 'Text  12 PM']);
    await move(of, id, '13:00');
    await worker.runThrough(Date.now() + 11 * DAY, times);
    expect(brief(worker.taken())).toEqual([
      'Email moved 1 PM',
      'Text moved 1 PM',
      'Email Reminder 1 PM',
      'Text  1 PM',
      'Email Reminder 1 PM',
      'Text  1 PM',
    ]);
    expect(await left(of)).toEqual([]);
  });

  test('to a contact into which more contacts are merged than a transaction has room for', async () => {
    const of = await company({ Kinds: { Reminder: { Hours: [48] } } });
    await book(of);
    const MergedContacts = Array.from({ length: 60 }, (_, index) => ({ Id: 1_001 + index, Name: 'Ana D.' }));
    const update = layout.contact.key({ account: of.account, id: of.contact });
    await worker.table.update({ update, set: { MergedContacts }, add: { V: 1 } });
    await worker.runThrough(Date.now() + 11 * DAY);
    expect(await states(of)).toEqual([
      'VisitBooked Email Sent',
      'VisitBooked Text Sent',
      'Reminder Email Sent',
      'Reminder Text Sent',
    ]);
  });

  test('once, by two workers at once', async () => {
    const of = await company();
    for (const time of ['09:00', '12:00', '15:00']) await book(of, time);
    const both: Work = async (table, batch, now) => {
      const run = () => sendMessages(table, batch, runAt(now), worker.deliveryAt(now));
      const [one, other] = await Promise.all([run(), run()]);
      return {
        ...one,
        failures: [...one.failures, ...other.failures],
        waiting: [...(one.waiting ?? []), ...(other.waiting ?? [])],
      };
    };
    await worker.runThrough(soon(), { work: both });
    expect(brief(worker.taken()).toSorted()).toEqual(
      ['Email  9 AM', 'Email  12 PM', 'Email  3 PM', 'Text  9 AM', 'Text  12 PM', 'Text  3 PM'].toSorted(),
    );
    expect(new Set(await states(of))).toEqual(new Set(['VisitBooked Email Sent', 'VisitBooked Text Sent']));
  });

  test('a text at most once and an e-mail twice only if it says Uncertain, by a worker that is killed anywhere', async () => {
    const repeated: number[] = [];
    const unsent: number[] = [];
    let steps = 0;
    for (let isDone = false; !isDone; steps++) {
      const of = await company();
      await book(of);
      let isKilled = false;
      let step = steps;
      const mortal: Work = async (table, batch, now) => {
        const dying = dyingWorker(table, worker.deliveryAt(now), isKilled ? Infinity : step);
        const outcome = await sendMessages(dying.table, batch, runAt(now), dying.delivery);
        if (!dying.isDead()) step -= dying.steps();
        isKilled ||= dying.isDead();
        return dying.isDead() ? undefined : outcome;
      };
      await worker.runThrough(soon() + HOUR, { work: mortal });
      const sent = worker.taken();
      const [emails, texts] = (['Email', 'Text'] as const).map(
        (of) => sent.filter(({ channel }) => channel === of).length,
      );
      const [email, text] = (await of.messages()).toReversed();
      expect([email?.Channel, text?.Channel]).toEqual(['Email', 'Text']);
      expect(email?.State).toBe('Sent');
      expect(emails).toBeGreaterThan(0);
      if (emails !== 1) {
        expect([emails, email?.Uncertain]).toEqual([2, true]);
        repeated.push(steps);
      }
      expect(texts).toBeLessThanOrEqual(1);
      expect(text?.State).toBe(text?.SentAt === null ? 'Failed' : 'Sent');
      if (text?.State === 'Failed') {
        expect(text.Reason).toMatch(/^Its sending was interrupted, and it may have been sent/);
        unsent.push(steps);
      }
      expect(await left(of)).toEqual([]);
      isDone = !isKilled;
    }
    // Decided in one write; each message has a claim, the moments around its sending, and its answer.
    expect(steps).toBeGreaterThan(8);
    expect(repeated.length).toBeGreaterThan(0);
    expect(unsent.length).toBeGreaterThan(0);
  }, 120_000);

  test('when the service has room again: it waits in the queue, and no message is added', async () => {
    const of = await company();
    await book(of);
    await worker.runThrough(Date.now());
    await of.call('contacts/addupdate', { Id: of.contact, DoNotText: true });
    const busyUntil = Date.now() + 13 * HOUR;
    let refused = 0;
    worker.answers((_, at) => {
      if (at > busyUntil) return { kind: 'sent', serviceId: 's-2' };
      refused++;
      return { kind: 'busy', seconds: 900, reason: 'Maximum sending rate exceeded.' };
    });
    await worker.runThrough(Date.now() + 5 * MINUTE);
    const queued = worker.queued();
    await worker.runThrough(busyUntil);
    expect(worker.taken()).toEqual([]);
    expect(refused).toBeGreaterThan(50);
    const [email] = (await of.messages()).toReversed();
    expect(email).toMatchObject({ State: 'Waiting', ClaimedUntil: 0, Uncertain: false });
    expect(await sentUntil()).toEqual(['Email  10 AM']);
    expect(worker.queued()).toBe(queued);
  });

  test('not again where the answer of the text service was lost, and again where that of the mail service was', async () => {
    const of = await company();
    await book(of);
    let isLost = { Email: true, Text: true };
    worker.answers((channel) => {
      const lost = isLost[channel];
      isLost = { ...isLost, [channel]: false };
      return lost ? { kind: 'unknown', reason: 'socket hang up' } : { kind: 'sent', serviceId: 's-3' };
    });
    expect((await sentUntil()).toSorted()).toEqual(['Email  10 AM', 'Email  10 AM', 'Text  10 AM']);
    const [email, text] = (await of.messages()).toReversed();
    expect(email).toMatchObject({ State: 'Sent', Uncertain: true });
    expect(text).toMatchObject({ State: 'Failed' });
  });
});

/** The first moment of this time of day at the contact's place, some days from now. */
const at = (time: string, inDays: number): number =>
  firstInstantAt(Date.parse(`${toLocalDate(Date.now() + inDays * DAY, ZONE)}T${time}Z`), ZONE);

describe('a text', () => {
  test('that is due at night waits for 8:00; a reminder that would come after its visit is not sent', async () => {
    const of = await company({ Kinds: { Reminder: { Hours: [2] } } });
    await book(of, '09:30');
    await book(of, '07:30', slot('07:30', 12));
    await sentUntil();
    await worker.runThrough(at('12:00', 12));
    const sent = worker.taken().map(({ channel, at }) => [channel, wholeSecond(at)]);
    expect(sent).toEqual([
      ['Email', at('07:30', 10)],
      ['Text', at('08:00', 10)],
      ['Email', at('05:30', 12)],
    ]);
    expect((await states(of)).at(-1)).toBe('Reminder Text Suppressed The visit has begun.');
  });
});

describe('nothing is sent', () => {
  test.each<[string, object, string[]]>([
    [
      'by a way that the contact does not want',
      { DoNotEmail: true },
      ['VisitBooked Email Suppressed The contact has DoNotEmail.', 'VisitBooked Text Sent'],
    ],
    [
      'by text either',
      { DoNotText: true },
      ['VisitBooked Email Sent', 'VisitBooked Text Suppressed The contact has DoNotText.'],
    ],
    ['at all', { DoNotEmail: true, Phone: '' }, ['VisitBooked Email Suppressed The contact has DoNotEmail.']],
    [
      'without an address',
      { Email: '', Phone: '' },
      ['VisitBooked Email Suppressed The contact has no e-mail address.'],
    ],
    ['without a phone, which is no news', { Phone: '' }, ['VisitBooked Email Sent']],
  ])('%s', async (_, fields, expected) => {
    const of = await company();
    await of.call('contacts/addupdate', { Id: of.contact, ...fields });
    await book(of);
    await sentUntil();
    expect(await states(of)).toEqual(expected);
  });

  const WAITING = { kind: 'busy', seconds: 600, reason: 'Throttled' } as const;
  test.each<[string, (of: Company, visit: number) => Promise<unknown>, string[]]>([
    [
      'once the contact does not want it',
      (of) => of.call('contacts/addupdate', { Id: of.contact, DoNotEmail: true, DoNotText: true }),
      [
        'VisitBooked Email Suppressed The contact has DoNotEmail.',
        'VisitBooked Text Suppressed The contact has DoNotText.',
      ],
    ],
    [
      'once messages are off',
      (of) => of.set({ On: false }),
      ['VisitBooked Email Suppressed Messages are off.', 'VisitBooked Text Suppressed Messages are off.'],
    ],
    [
      'once they are off for its organization',
      (of) => of.set({ On: false }, 1),
      ['VisitBooked Email Suppressed Messages are off.', 'VisitBooked Text Suppressed Messages are off.'],
    ],
    [
      'once the visit is canceled, of which its client never heard',
      cancel,
      [
        'VisitBooked Email Suppressed The record has changed since.',
        'VisitBooked Text Suppressed The record has changed since.',
      ],
    ],
  ])('%s, while it waits', async (_, change, expected) => {
    const of = await company();
    const id = await book(of);
    worker.answers(() => WAITING);
    await worker.runThrough(Date.now() + 2 * MINUTE);
    await change(of, id);
    worker.answers(undefined);
    await sentUntil();
    expect((await states(of)).toSorted()).toEqual(expected.toSorted());
  });

  test.each<[string, MessageSettingsInput, string[], string[]]>([
    ['that the company turned off', { Kinds: { VisitBooked: { Channels: [] } } }, [], []],
    ['of a visit for which the call says None', {}, ['none'], []],
    ['by a way that the call does not name', {}, ['sms'], ['Text  10 AM']],
    [
      'but what the call names',
      { Kinds: { VisitBooked: { Channels: [] } } },
      ['VisitBooked', 'email'],
      ['Email  10 AM'],
    ],
  ])('%s', async (_, settings, NotificationOptions, expected) => {
    const of = await company(settings);
    await book(of, '10:00', { NotificationOptions });
    expect(await sentUntil()).toEqual(expected);
  });

  test('to a contact without an address, but to the office where the company wants that, once', async () => {
    const of = await company({ TaskWithoutAddress: true, Notify: ['boss@example.com', 'desk@example.com'] });
    await of.call('contacts/addupdate', { Id: of.contact, Email: '', Phone: '' });
    await book(of);
    await worker.runThrough(soon(), { times: 2 });
    const sent = worker.taken();
    expect(sent.map(({ channel, to }) => [channel, to])).toEqual([['Email', 'boss@example.com, desk@example.com']]);
    expect(sent[0]?.email?.text).toContain('who has no e-mail address and no phone that takes texts');
    expect((await of.messages(null)).map(({ Kind, State }) => [Kind, State])).toEqual([['Office', 'Sent']]);
  });

  test('to an address that was corrected while it waits', async () => {
    const of = await company();
    await book(of);
    worker.answers(() => WAITING);
    await worker.runThrough(Date.now() + 2 * MINUTE);
    await of.call('contacts/addupdate', { Id: of.contact, Email: 'ana.diaz@example.com' });
    worker.answers(undefined);
    await worker.runThrough(soon());
    expect(addressesTaken()).toEqual(['+12175550143', 'ana.diaz@example.com']);
    expect((await of.messages()).map(({ Address }) => Address)).toEqual(['+12175550143', 'ana.diaz@example.com']);
  });

  test('to an erased contact', async () => {
    const of = await company();
    await book(of);
    worker.answers(() => WAITING);
    await worker.runThrough(Date.now() + 2 * MINUTE);
    const erasure = {
      contactId: of.contact,
      files: await startBucket(),
      discardedPrefix,
      settleMilliseconds: 0,
      patience: 500,
    };
    await eraseContact(accountStore(worker.table, of.account), erasure);
    worker.answers(undefined);
    expect(await sentUntil()).toEqual([]);
  });

  test('to a merged contact, but to the one that is kept', async () => {
    const of = await company();
    await book(of);
    worker.answers(() => WAITING);
    await worker.runThrough(Date.now() + 2 * MINUTE);
    const kept = await addContact(of, { Name: 'Ana D.', Email: 'ana@example.org', Phone: '2175550144' });
    await of.call('contacts/merge', { ContactId: kept, MergeId: of.contact });
    worker.answers(undefined);
    await worker.runThrough(soon());
    expect(addressesTaken()).toEqual(['+12175550144', 'ana@example.org']);
  });

  test('where messages are off, or the stage has none: no notice, and nothing in the queue', async () => {
    const queued = worker.queued();
    const off = await company({ On: false });
    await book(off);
    const never = await company(null);
    await book(never);
    vi.stubEnv('MESSAGES_FROM', '');
    const without = await company();
    await book(without);
    await worker.runThrough(soon());
    expect(worker.taken()).toEqual([]);
    expect(worker.queued()).toBe(queued);
    for (const one of [off, never, without]) expect([await left(one), await one.messages()]).toEqual([[], []]);
  });

  test('for keys of nothing, or of something else', async () => {
    const of = await company();
    const id = await book(of);
    await sentUntil();
    const { account } = of;
    const keys = [
      { PK: `A#${account}#APPOINTMENT#${id}`, SK: 'APPOINTMENT' },
      { PK: `A#${account}#NOTICE#Appointment#${id}`, SK: 'Reminder-24#1' },
      { PK: `A#${account}#NOTICE#Appointment#${id}`, SK: 'Visit#DUE' },
      { PK: `A#${account}#NOTICE#Planet#1`, SK: 'Visit#DUE' },
      { PK: `A#elsewhere#NOTICE#Appointment#${id}`, SK: 'Reminder-24#1' },
      { PK: 'A#elsewhere#MESSAGES#0000000001', SK: '1#VisitBooked#Appointment#1#Email' },
      { PK: 'DELAYED#1', SK: '1' },
    ].map((key) => ({ ...key, receives: 1 }));
    const now = new Date();
    expect(await sendMessages(worker.table, keys, runAt(now), worker.deliveryAt(now))).toEqual({
      done: keys.length,
      failures: [],
      waiting: [],
    });
    expect(worker.taken()).toEqual([]);
    expect(await of.messages()).toHaveLength(2);
  });
});

test('fs check finds nothing in an account with notices, planned and sent messages', async () => {
  const of = await company({ Kinds: { Reminder: { Hours: [48, 2] } }, Notify: ['boss@example.com'] });
  const id = await book(of);
  await sentUntil();
  await move(of, id, '12:00');
  await worker.follow();
  expect((await left(of)).length).toBeGreaterThan(3);
  const findings: unknown[] = [];
  const options = { accounts: [of.account], repair: false, now: () => new Date(), settleMilliseconds: 1 };
  await checkTable(worker.table, openScan(), { ...options, onFinding: (finding) => void findings.push(finding) });
  expect(findings).toEqual([]);
});

describe('a message costs at most what docs/messages-operations.md says', () => {
  const costOf = async (work: () => Promise<unknown>): Promise<{ readonly read: number; readonly write: number }> => {
    const { usage } = worker.table.meter;
    const { readUnits, writeUnits } = usage;
    await work();
    return { read: usage.readUnits - readUnits, write: usage.writeUnits - writeUnits };
  };

  test('2 write units and less than a read for the list of reminders', async () => {
    const booked = async (Hours: number[]) => {
      const of = await company({ Kinds: { Reminder: { Hours } } });
      await worker.follow();
      await book(of);
      const records = await engine.records();
      return costOf(() => queueEvents(worker.table, records, { now: new Date(), deadline: Date.now() + MINUTE }));
    };
    const hours = [96, 72, 48, 24, 12, 6, 3, 2];
    const [without, all] = [await booked([]), await booked(hours)];
    expect(all.write - without.write).toBe(hours.length);
    let done = 0;
    const { read, write } = await costOf(async () => {
      const options = { now: new Date(Date.now() + 11 * DAY), deadline: Date.now() + MINUTE };
      ({ done } = await sendDelayedMessages(worker.table, options, async () => []));
    });
    // The trigger of the last booking is in the list, too.
    expect(done).toBe(hours.length + 1);
    expect(write).toBe(done);
    expect(read).toBeLessThan(done);
  });

  test('7 write units and 7 reads for a reminder, to decide and to send it', async () => {
    const of = await company({ Kinds: { Reminder: { Hours: [2] } } });
    await book(of, '14:00');
    await sentUntil();
    const sum = { decided: { read: 0, write: 0 }, sent: { read: 0, write: 0 } };
    const measured: Work = async (table, batch, now) => {
      let outcome: Awaited<ReturnType<typeof sendMessages>> | undefined;
      const cost = await costOf(async () => {
        outcome = await sendMessages(table, batch, runAt(now), worker.deliveryAt(now));
      });
      const of = batch[0]?.PK.includes('#NOTICE#') ? sum.decided : sum.sent;
      of.read += cost.read;
      of.write += cost.write;
      return outcome;
    };
    await worker.runThrough(Date.now() + 11 * DAY, { work: measured });
    expect(brief(worker.taken())).toEqual(['Email Reminder 2 PM', 'Text  2 PM']);
    // An e-mail and a text.
    expect(sum.decided.write).toBeLessThanOrEqual(2 * 2);
    expect(sum.sent.write).toBeLessThanOrEqual(2 * 4);
    expect(sum.decided.read + sum.sent.read).toBeLessThanOrEqual(2 * 7);
  });
});
