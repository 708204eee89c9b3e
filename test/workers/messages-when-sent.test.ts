import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Status, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { IMPORT_ACTOR } from '../../lib/domain/imports/import-actor.ts';
import { VISIT_CHANGES } from '../../lib/domain/messages/topics.ts';
import { blankInvoice } from '../../lib/domain/invoices/record.ts';
import { blankProposal } from '../../lib/domain/proposals/record.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import type { ContactRecord } from '../../lib/entities/contacts.ts';
import { InvoiceStatus } from '../../lib/entities/invoices.ts';
import { type MessageSettingsRecord, messageSettingsEntity } from '../../lib/entities/messages.ts';
import type { CheckoutRecord } from '../../lib/entities/payments.ts';
import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/shared/time/time.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { checkoutKey, findCheckout, writeCheckout, writeCheckoutState } from '../../lib/store/client-payments.ts';
import { appointmentChanges, findAppointment } from '../../lib/store/appointments.ts';
import { findContact } from '../../lib/store/contacts/contacts.ts';
import { planChanges } from '../../lib/store/events/message-plans.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { findInvoice, invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { findProposal, proposalChanges } from '../../lib/store/sales/proposals.ts';
import { type StoreWriter, accountStore } from '../../lib/store/store.ts';
import { decideMessages } from '../../lib/workflows/messages/decide-messages.ts';
import { deliverMessage } from '../../lib/workflows/messages/deliver-message.ts';
import { writeFailedAttempt } from '../../lib/workflows/payments/failed-attempt.ts';
import { contactItem, someContact } from '../support/contacts.ts';
import { SimulatedServices } from '../support/messages/simulated-services.ts';
import { seeded } from '../support/stream.ts';
import { endSimulation, simulateStage } from '../support/messages/environment.ts';

/** 15:00 in New York, where the company is; 10:00 in Honolulu. */
const NOON = Date.UTC(2027, 2, 9, 20);
const ZONE = 'America/New_York';

beforeEach(simulateStage);
afterEach(endSimulation);

let accounts = 0;

/** A company with messages on, and a client with an e-mail address and a phone. */
async function company({ now = NOON, zip = '10001' } = {}) {
  const account = `messages${++accounts}`;
  const services = new SimulatedServices({ random: seeded(accounts), now, setClock: (at) => vi.setSystemTime(at) });
  const table = services.tableOf('Office', 'abcdefghijkl');
  const store = accountStore(table, account);
  await writeAccount(table, { account, name: 'Springfield Lawns', timeZone: ZONE, now: new Date(now) });
  const setUp = (Kinds: NonNullable<MessageSettingsRecord['Kinds']> = []) => {
    const settings = messageSettingsEntity.blank({ OrganizationId: 0, On: true, Since: now, Kinds });
    return table.commit([messageSettingsChange(store, settings)]);
  };
  await setUp();
  const client = { Zip: zip, Email: 'ann@example.com', Phone: '+12125550101', PhoneKey: '+12125550101' };
  await table.commit([{ put: contactItem(account, someContact(1, client)) }]);
  const today = () => new Date(services.now);
  return {
    services,
    store,
    imports: services.tableOf(IMPORT_ACTOR),
    today,
    setUp,
    /** What was sent since the last call: `VisitBooked Email ann@example.com`, with the ids of the visits. */
    async sentUntil(until: number): Promise<string[]> {
      const before = services.sent.length;
      await services.advance(until);
      return services.sent.slice(before).map(({ channel, to, stored }) => {
        const visits = (stored['Visits'] ?? []) as { Id: number }[];
        return [stored['Kind'], channel, to.join(), ...visits.map(({ Id }) => Id)].join(' ');
      });
    },
    async changeContact(fields: Partial<ContactRecord>): Promise<void> {
      const before = (await findContact(store, 1)) as ContactRecord;
      await table.commit([{ put: contactItem(account, { ...before, ...fields, V: before.V + 1 }) }]);
    },
    async visit(id: number, fields: Partial<AppointmentRecord>, by = table): Promise<void> {
      const before = await findAppointment(store, id);
      const ids = { Id: id, OrganizationId: 1, ContactId: 1, HashKey: `hash-${id}`, Zone: ZONE, Created: services.now };
      const after = { ...(before ?? blankAppointment({ ...ids, Duration: 60 })), ...fields };
      await by.commit(appointmentChanges(store, { before, after, now: today() }).changes);
    },
    async proposal(fields: object): Promise<void> {
      const before = await findProposal(store, 1);
      const ids = { Id: 1, OrganizationId: 1, ContactId: 1, Zone: ZONE, Date: '2027-03-09', Created: services.now };
      const after = { ...(before ?? blankProposal(ids)), ...fields };
      await table.commit([proposalChanges(store, { before, after, now: today() }).change]);
    },
    async invoice(fields: object): Promise<void> {
      const before = await findInvoice(store, 1);
      const ids = { Id: 1, OrganizationId: 1, ContactId: 1, Number: 'N-1', Zone: ZONE, Created: services.now };
      const after = { ...(before ?? blankInvoice({ ...ids, Total: 100, BalanceDue: 100 })), ...fields };
      await table.commit(invoiceChanges(store, { before, after, now: today() }).changes);
    },
  };
}

/** A checkout of the invoice, whose attempts to pay fail. */
function checkoutOf(store: StoreWriter, id: string, now: () => Date) {
  const target = { Page: 'invoice', RecordId: 1 } as const;
  const key = checkoutKey(store, target, id);
  const stored = async () => (await findCheckout(store, key)) as CheckoutRecord;
  return {
    start: () =>
      writeCheckout(store, {
        ...target,
        Checkout: id,
        OrganizationId: 1,
        Cents: 10_000,
        Currency: 'USD',
        Url: 'https://checkout.example.com',
        ExpiresAt: now().getTime() + HOUR,
        State: 'open',
        Queue: 'checkouts',
        Created: now().getTime(),
      }),
    fail: async (attempt: string) => writeFailedAttempt(await stored(), attempt, { store, now: now() }),
    become: async (state: CheckoutRecord['State']) => writeCheckoutState(store, key, (await stored()).State, state),
  };
}

/** Nothing is sent until the service takes it again. */
const BUSY = { killed: 0, away: 0, busy: 1, unknown: 0, again: 0, twice: 0 };
const WELL = { ...BUSY, busy: 0 };
const start = (hours: number) => ({ Status: Status.Scheduled, Start: NOON + hours * HOUR });

test('a message goes to the address that its contact has when it is sent', async () => {
  const { services, sentUntil, visit, changeContact } = await company();
  await visit(1, start(100));
  services.faults = BUSY;
  expect(await sentUntil(NOON + 5 * MINUTE)).toEqual([]);
  await changeContact({ Email: 'new@example.com', Phone: '', PhoneKey: '' });
  services.faults = WELL;
  expect(await sentUntil(NOON + 10 * MINUTE)).toEqual(['VisitBooked Email new@example.com 1']);
  const stored = services.items().find(({ E, Channel }) => E === 'Message' && Channel === 'Email');
  expect(stored).toMatchObject({ State: 'Sent', Address: 'new@example.com' });
});

test('a visit that moves before its first message leaves is booked at the new time, and a canceled one is silent', async () => {
  const { services, sentUntil, visit } = await company();
  for (const id of [1, 2]) await visit(id, { ...start(100 + id), NotificationOptions: ['Email'] });
  services.faults = BUSY;
  expect(await sentUntil(NOON + 3 * MINUTE)).toEqual([]);
  await visit(1, start(200));
  await visit(2, { Status: Status.Canceled });
  expect(await sentUntil(NOON + 6 * MINUTE)).toEqual([]);
  services.faults = WELL;
  expect(await sentUntil(NOON + 15 * MINUTE)).toEqual(['VisitBooked Email ann@example.com 1']);
});

test('of a series it lists the visits that still are as they were decided', async () => {
  const { services, sentUntil, visit } = await company();
  for (const id of [1, 2, 3]) await visit(id, { SeriesId: 1, ...start(100 + id), NotificationOptions: ['Email'] });
  services.faults = BUSY;
  expect(await sentUntil(NOON + 3 * MINUTE)).toEqual([]);
  await visit(1, { Status: Status.Canceled });
  services.faults = WELL;
  expect(await sentUntil(NOON + 10 * MINUTE)).toEqual([
    'VisitBooked Email ann@example.com 2 3',
    'VisitCanceled Email ann@example.com 1',
  ]);
});

describe('an import that changes a visit within the delay after the office did', () => {
  const BOOKED = 'VisitBooked Email ann@example.com';
  /** A visit that the office booked a week ago, and its client knows. */
  async function known() {
    const of = await company();
    await of.visit(1, { ...start(100), NotificationOptions: ['Email'] });
    expect(await of.sentUntil(NOON + HOUR)).toEqual([`${BOOKED} 1`]);
    return of;
  }

  test('and not what the message says leaves the message as it is', async () => {
    const { sentUntil, visit, imports } = await known();
    await visit(1, start(200));
    await sentUntil(NOON + HOUR + 20 * SECOND);
    await visit(1, { Notes: 'Gate code 1234' }, imports);
    expect(await sentUntil(NOON + 2 * HOUR)).toEqual(['VisitMoved Email ann@example.com 1']);
  });

  test('to another time writes to nobody, and leaves nothing behind', async () => {
    const { services, sentUntil, visit, imports } = await known();
    await visit(1, start(200));
    await sentUntil(NOON + HOUR + 20 * SECOND);
    await visit(1, start(300), imports);
    expect(await sentUntil(NOON + 2 * HOUR)).toEqual([]);
    expect(services.items().filter(({ PK }) => PK.includes('#NOTICE#'))).toEqual([]);
    await visit(1, start(310));
    expect(await sentUntil(NOON + 3 * HOUR)).toEqual(['VisitMoved Email ann@example.com 1']);
  });

  test('and back, or before the office changes it once more, leaves the last change of the office', async () => {
    const { sentUntil, visit, imports } = await known();
    await visit(1, start(200));
    await visit(1, start(300), imports);
    await visit(1, start(200), imports);
    expect(await sentUntil(NOON + 2 * HOUR)).toEqual(['VisitMoved Email ann@example.com 1']);
    await visit(1, start(210));
    await visit(1, start(300), imports);
    await visit(1, start(220));
    expect(await sentUntil(NOON + 3 * HOUR)).toEqual(['VisitMoved Email ann@example.com 1']);
  });

  test('of a series leaves the messages about the others', async () => {
    const { sentUntil, visit, imports } = await company();
    for (const id of [1, 2, 3]) await visit(id, { SeriesId: 1, ...start(100 + id), NotificationOptions: ['Email'] });
    await visit(2, start(300), imports);
    expect(await sentUntil(NOON + HOUR)).toEqual([`${BOOKED} 1 3`]);
  });

  test('and created it, or cancels it, writes to nobody', async () => {
    const { sentUntil, visit, imports } = await company();
    await visit(1, { ...start(100), NotificationOptions: ['Email'] }, imports);
    expect(await sentUntil(NOON + HOUR)).toEqual([]);
    await visit(1, start(101));
    await visit(1, { Status: Status.Canceled }, imports);
    expect(await sentUntil(NOON + 2 * HOUR)).toEqual([]);
  });
});

test('each visit of a series is announced as its own words say', async () => {
  const { sentUntil, visit } = await company();
  const words = [['None'], ['Email'], ['Text'], ['Email']];
  for (const [index, NotificationOptions] of words.entries())
    await visit(index + 1, { SeriesId: 1, ...start(100 + index), NotificationOptions });
  expect((await sentUntil(NOON + 5 * MINUTE)).sort()).toEqual([
    'VisitBooked Email ann@example.com 2 4',
    'VisitBooked Text +12125550101 3',
  ]);
});

test('what the company or the visit does not want any more is not sent', async () => {
  const { services, setUp, sentUntil, visit } = await company();
  await visit(1, { ...start(100) });
  await visit(2, { ...start(101) });
  services.faults = BUSY;
  expect(await sentUntil(NOON + 5 * MINUTE)).toEqual([]);
  await visit(1, { NotificationOptions: ['None'] });
  await setUp([{ Kind: 'VisitBooked', Channels: ['Text'] }]);
  services.faults = WELL;
  expect(await sentUntil(NOON + 10 * MINUTE)).toEqual(['VisitBooked Text +12125550101 2']);
});

test('a text that waits for the morning does not say that the agent is on the way', async () => {
  // 7:00 in Honolulu.
  const now = NOON - 3 * HOUR;
  const { sentUntil, visit } = await company({ now, zip: '96813' });
  await visit(1, { ...start(-2), NotificationOptions: ['OnTheWay'] });
  await visit(1, { Status: Status.Started });
  expect(await sentUntil(now + 3 * HOUR)).toEqual([]);
});

test('a text that waits for the morning does not warn of a date that has changed', async () => {
  // 3:00 in Honolulu, and 8:00 in New York.
  const now = NOON - 7 * HOUR;
  const { setUp, sentUntil, proposal, invoice } = await company({ now, zip: '96813' });
  await setUp(
    (['ProposalExpiring', 'InvoiceDue', 'InvoiceOverdue'] as const).map((Kind) => ({ Kind, Channels: ['Text'] })),
  );
  await proposal({ Status: ProposalStatus.Open, OpenedAt: now, ExpiresAt: now + 4 * DAY });
  await invoice({ Date: now, Day: '2027-03-09', Terms: 'Net 4' });
  await sentUntil(now + DAY + 2 * HOUR);
  await proposal({ ExpiresAt: now + 20 * DAY });
  await invoice({ Terms: 'Net 30' });
  expect(await sentUntil(now + 2 * DAY)).toEqual([]);
  expect(await sentUntil(now + 17 * DAY + 10 * HOUR)).toEqual(['ProposalExpiring Text +12125550101']);
  expect(await sentUntil(now + 28 * DAY)).toEqual(['InvoiceDue Text +12125550101']);
  await sentUntil(now + 31 * DAY + 2 * HOUR);
  await invoice({ Terms: 'Net 60' });
  expect(await sentUntil(now + 32 * DAY)).toEqual([]);
});

describe('of attempts to pay an invoice that failed, its client hears', () => {
  /** An open invoice, and the client on the page of the provider. */
  async function paying() {
    const of = await company();
    await of.setUp([
      { Kind: 'CardFailed', Channels: ['Email'] },
      { Kind: 'Invoice', Channels: [] },
      { Kind: 'InvoiceDue', Channels: [] },
      { Kind: 'InvoiceOverdue', Channels: [] },
    ]);
    await of.invoice({ Status: InvoiceStatus.Open, Date: NOON, Day: '2027-03-09', Terms: 'Net 30' });
    const checkout = (id: string) => checkoutOf(of.store, id, of.today);
    const first = checkout('cs_1');
    await first.start();
    return { ...of, checkout, first };
  }
  const FAILED = 'CardFailed Email ann@example.com';

  test('after the delay, once, however often the attempt is reported', async () => {
    const { sentUntil, first } = await paying();
    await Promise.all([first.fail('ch_1'), first.fail('ch_1')]);
    await first.fail('ch_1');
    expect(await sentUntil(NOON + 55 * SECOND)).toEqual([]);
    expect(await sentUntil(NOON + 3 * MINUTE)).toEqual([FAILED]);
    await first.fail('ch_1');
    expect(await sentUntil(NOON + DAY)).toEqual([]);
  });

  test('of the last one alone, while the client tries one card after the other', async () => {
    const { sentUntil, first } = await paying();
    for (const attempt of [1, 2, 3]) {
      await first.fail(`ch_${attempt}`);
      expect(await sentUntil(NOON + attempt * 30 * SECOND)).toEqual([]);
    }
    expect(await sentUntil(NOON + HOUR)).toEqual([FAILED]);
  });

  test('nothing, if the client pays within the delay, or a bank is at it', async () => {
    const { sentUntil, first } = await paying();
    await first.fail('ch_1');
    await sentUntil(NOON + 30 * SECOND);
    await first.become('processing');
    expect(await sentUntil(NOON + HOUR)).toEqual([]);
    const paid = await paying();
    await paid.first.fail('ch_1');
    await paid.invoice({ Status: InvoiceStatus.Paid, BalanceDue: 0 });
    expect(await paid.sentUntil(NOON + HOUR)).toEqual([]);
  });

  test('nothing, if the client pays while the message waits for the service', async () => {
    const { services, sentUntil, first, checkout } = await paying();
    services.faults = BUSY;
    await first.fail('ch_1');
    expect(await sentUntil(NOON + 5 * MINUTE)).toEqual([]);
    const second = checkout('cs_2');
    await second.start();
    await second.become('processing');
    services.faults = WELL;
    expect(await sentUntil(NOON + HOUR)).toEqual([]);
    const stored = services.items().find(({ E }) => E === 'Message');
    expect(stored).toMatchObject({ State: 'Suppressed', Reason: 'The client has tried again since.' });
  });

  test('of one in a later checkout by a message of its own', async () => {
    const { sentUntil, first, checkout } = await paying();
    await first.fail('ch_1');
    expect(await sentUntil(NOON + HOUR)).toEqual([FAILED]);
    await first.become('over');
    const second = checkout('cs_2');
    await second.start();
    await second.fail('ch_2');
    expect(await sentUntil(NOON + 2 * HOUR)).toEqual([FAILED]);
  });

  test('nothing while messages are off, and nothing later of what failed then', async () => {
    const { sentUntil, first, store, setUp } = await paying();
    const off = messageSettingsEntity.blank({ OrganizationId: 0, On: false, Since: NOON, Kinds: [] });
    await store.table.commit([messageSettingsChange(store, off)]);
    await first.fail('ch_1');
    expect(await sentUntil(NOON + HOUR)).toEqual([]);
    await setUp();
    await first.fail('ch_1');
    expect((await sentUntil(NOON + 2 * HOUR)).filter((each) => each.includes('CardFailed'))).toEqual([]);
  });
});

describe('where two runs meet', () => {
  /** A visit whose booking waits for the service of e-mails. */
  async function waiting() {
    const of = await company();
    await of.visit(1, { ...start(100), NotificationOptions: ['Email'] });
    of.services.faults = BUSY;
    await of.sentUntil(NOON + 3 * MINUTE);
    const stored = of.services.items().find(({ E }) => E === 'Message');
    if (!stored) throw new Error('no message');
    return { ...of, key: { PK: stored.PK, SK: stored.SK } };
  }

  test('a message that a run is sending is not sent by another one, which asks again once the claim is over', async () => {
    const { store, key, today } = await waiting();
    const sent: string[] = [];
    let other: number | undefined;
    const run = (name: string, between: () => Promise<unknown>) =>
      deliverMessage(store, key, today(), {
        sendText: async () => ({ kind: 'sent', serviceId: name }),
        async sendEmail() {
          sent.push(name);
          await between();
          return { kind: 'sent', serviceId: name };
        },
      });
    await run('first', async () => {
      other = await run('second', async () => undefined);
    });
    expect(sent).toEqual(['first']);
    expect(other).toBeGreaterThan(30);
    expect(await store.table.get(key)).toMatchObject({ State: 'Sent', Uncertain: false, ServiceId: 'first' });
  });

  test('a change whose event comes while the one before is decided keeps its notice, and is announced', async () => {
    const { services, store, sentUntil, visit, today } = await company();
    await visit(1, { ...start(100), NotificationOptions: ['Email'] });
    await sentUntil(NOON + 30 * SECOND);
    const trigger = { noun: 'Appointment', id: 1, topic: VISIT_CHANGES, at: 0 } as const;
    const notices = () => services.items().filter(({ PK }) => PK.includes('#NOTICE#'));
    const [notice] = notices();
    const moved = { id: 1, was: null, is: { Status: Status.Scheduled, Start: NOON, Through: null }, changed: NOON };
    const at = NOON + 10 * MINUTE;
    const later = planChanges(store, [{ ...trigger, at, visit: moved }], today());
    const interrupted: StoreWriter = {
      ...store,
      table: {
        ...store.table,
        commit: async (changes) => {
          await store.table.commit(later);
          await store.table.commit(changes);
        },
      },
    };
    await decideMessages(interrupted, trigger, new Date(NOON + 2 * MINUTE));
    expect(notices()).toEqual([{ ...notice, At: at, Is: moved.is }]);
    expect(services.items().filter(({ E }) => E === 'Message')).toEqual([]);
  });
});

test('an invoice that is opened, taken back and opened again is sent once', async () => {
  const { setUp, sentUntil, invoice } = await company();
  await setUp([{ Kind: 'Invoice', Channels: ['Email'] }]);
  const open = { Status: InvoiceStatus.Open, Date: NOON, Day: '2027-03-09', Terms: 'Net 30' };
  await invoice(open);
  expect(await sentUntil(NOON + HOUR)).toEqual(['Invoice Email ann@example.com']);
  await invoice({ Status: InvoiceStatus.Unapproved });
  await sentUntil(NOON + 2 * HOUR);
  await invoice(open);
  expect(await sentUntil(NOON + 4 * HOUR)).toEqual([]);
});
