import type { Appointment } from '../../../lib/entities/appointments.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../../../functions/proposal/accept.ts';
import { openFiles } from '../../../lib/files/s3.ts';
import { DAY, MINUTE } from '../../../lib/shared/time/time.ts';
import { writeRetentionRules } from '../../../lib/store/accounts/retention.ts';
import { newDownloadChanges } from '../../../lib/store/downloads.ts';
import type { Change, Item } from '../../../lib/store/dynamodb/changes.ts';
import { ttlAfter } from '../../../lib/store/dynamodb/table.ts';
import { findCallbacks, callbackKey, writeDead } from '../../../lib/store/events/callbacks.ts';
import { writeBacklog } from '../../../lib/store/events/event-backlog.ts';
import { asImportRun, listImportRuns, writeImportRun } from '../../../lib/store/import-runs.ts';
import { listImported } from '../../../lib/store/imported-records.ts';
import { listImportedEntries, writeImportedEntries } from '../../../lib/store/imported-entries.ts';
import { findImportedLines, importedLinesChange } from '../../../lib/store/imports.ts';
import { type Key, layout } from '../../../lib/store/keys.ts';
import { listCallCounts, writeCallCounts } from '../../../lib/store/requests/audit.ts';
import { newState } from '../../../lib/domain/private-events/own-calendars.ts';
import type { OutgoingMessage } from '../../../lib/shared/queues.ts';
import {
  agentCalendarsKey,
  findAgentCalendars,
  writeCalendarEntry,
  writeCalendarStates,
} from '../../../lib/store/agent-calendars.ts';
import { sendDueCalendars } from '../../../lib/workflows/private-events/send-due-calendars.ts';
import { keyNoticeChanges } from '../../../lib/store/requests/key-notices.ts';
import { giveKeyNotices } from '../../../lib/workflows/keys/give-notice.ts';
import { parseKey } from '../../../lib/store/requests/api-keys.ts';
import {
  MESSAGE_SHARDS,
  listDueMessages,
  writeDelayedMessages,
  writeMessageRemovals,
} from '../../../lib/store/events/delayed-messages.ts';
import { findForecasts, forecastChange } from '../../../lib/store/organizations/organizations.ts';
import { findInvoiceNumbers, invoiceNumbersChange } from '../../../lib/store/sales/invoices.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { findHost, writeFreedSlot, writeTakenSlot } from '../../../lib/store/events/callback-hosts.ts';
import { findEvidence } from '../../../lib/store/sales/evidence.ts';
import { expiryAt } from '../../../lib/store/sales/proposals.ts';
import { findAddressPlaces, findRoadFactors, writeAddressPlace, writeRoadFactors } from '../../../lib/store/roads.ts';
import { releaseChanges } from '../../../lib/store/visit-releases.ts';
import { releaseVisits } from '../../../lib/workflows/appointments/release-visits.ts';
import { goOnWithMerge } from '../../../lib/workflows/contacts/move-merged-records.ts';
import { eraseContact } from '../../../lib/workflows/erasure/erase-contact.ts';
import { drainBacklogs } from '../../../lib/workflows/events/drain-backlogs.ts';
import { createLeadForm } from '../../../lib/workflows/leads/create-form.ts';
import { findLeadAddress } from '../../../lib/store/links.ts';
import { listLinks } from '../../../lib/workflows/pages/revoke-links.ts';
import { countFigures } from '../../../lib/workflows/figures/count-figures.ts';
import { expireProposals } from '../../../lib/workflows/proposals/expire-proposals.ts';
import { applyRetention } from '../../../lib/workflows/retention/apply-retention.ts';
import { undoBookings } from '../../../lib/workflows/pages/stranger-bookings.ts';
import { toolTable } from '../../support/erasures.ts';
import { someone } from '../../support/booking-forms.ts';
import { exampleAccount } from '../../support/documents/examples.ts';
import { type OpenedPage, openPage, sendForm } from '../../support/pages.ts';
import { type TestStripe, checkoutId, connectStripe } from '../../support/payments.ts';
import { type Bookable, bookable, slotIn, weekdays } from '../../support/scheduling.ts';
import { type TestAnswer, drainEvents, onStack, testStack, testTable } from '../../support/stack/stack.ts';
import {
  bookKindOf,
  callMakers,
  entities,
  itemsOf,
  kindOf,
  nameOf,
  rewritten,
  withoutDefaults,
} from '../../support/stored-records.ts';
import { messageSettingsEntity } from '../../../lib/entities/messages.ts';
import { VISIT_CHANGES } from '../../../lib/domain/messages/topics.ts';
import { planChanges } from '../../../lib/store/events/message-plans.ts';
import {
  WHOLE_ACCOUNT,
  findStoredMessageSettings,
  messageSettingsChange,
} from '../../../lib/store/message-settings.ts';
import { listNotices } from '../../../lib/store/messages.ts';
import { Status } from '../../../lib/domain/appointments/record.ts';
import { callerContext } from '../../../lib/workflows/context.ts';
import { accountStore } from '../../../lib/store/store.ts';

const START = Date.now();
let company: Bookable;
let stripe: TestStripe;

beforeAll(async () => {
  const lawnCare = { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true };
  company = await bookable({ services: [lawnCare], agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
  stripe = await connectStripe(company);
});

const done = ({ status, text, body }: TestAnswer): Record<string, unknown> => {
  expect(status, text).toBe(200);
  return body;
};

const account = () => company.accountId;
const companyStore = () => accountStore(testTable(), account());
const soon = () => ({ now: new Date(), deadline: Date.now() + 10_000 });

const files = () => {
  const { AwsEndpoint, Bucket } = testStack();
  return openFiles({ bucket: Bucket, endpoint: AwsEndpoint });
};

const callWithKey = () =>
  company.call('contacts/addupdate', { Name: 'Once' }, { headers: { 'Idempotency-Key': 'key-of-once' } });

/** Repeats the call. A response without its form is one of another version, which is refused. */
const repeatCall = async () => {
  const { status, body } = await callWithKey();
  expect(status === 200 || body['Code'] === 'idempotency_mismatch').toBe(true);
};

/** Its calendars are in the table alone: no worker reads them meanwhile. */
const noAgent = { OrganizationId: 1, AgentId: 99 };

const holdASlot = async () => {
  const search = { ContactId: company.contact, ServiceName: 'Lawn care', TargetDate: '2035-03-06', Hold: 1 };
  const headers = { 'Idempotency-Key': randomUUID() };
  const { Holds } = done(await company.call('appointments/slotsearch', search, { headers }));
  expect(Holds).toHaveLength(1);
};

/** A page of a list of three tasks. */
const taskPage = async (Skip: number) => {
  const { Tasks } = done(await company.call('task/query', { ContactId: company.contact, Skip, Take: 1 }));
  expect(Tasks).toHaveLength(1);
};

const beginList = async () => {
  for (const Description of ['One', 'Two', 'Three'])
    done(await company.call('task/create', { ContactId: company.contact, Description }));
  await taskPage(0);
};

let payLink = '';
const startPaying = async (): Promise<string> => {
  const answer = await sendForm(payLink, await openPage(payLink), 'pay', {});
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.get('location') ?? '';
};
const newInvoice = async () => {
  const Lines = [{ Description: 'Work', Rate: 100, Qty: 1 }];
  const { body } = await company.call('invoice/import', { Invoice: { ContactId: company.contact, Lines } });
  payLink = (body['Invoice'] as Invoice).ClientPayUrl;
};

let payment = '';
const pay = async () => {
  await newInvoice();
  const url = await startPaying();
  await openPage(await stripe.press(url, 'card'));
  const session = await stripe.client.checkout.sessions.retrieve(checkoutId(url));
  payment = (session.payment_intent as { id: string }).id;
  expect((await stripe.notify('checkout.session.completed', session)).status).toBe(200);
};

let bookingLink = '';
let details: OpenedPage;
let client = someone();
/** Sends one form of the booking page; the second time it shows the same booking. */
const sendBooking = async () => {
  const booked = await sendForm(bookingLink, details, 'book', client);
  expect(booked.text).toContain('We hold this time for you');
};
const bookVisit = async () => {
  const caller = accountCaller(account(), { role: 'Owner' });
  const links = await listLinks(callerContext(testTable(), caller, new Date()), 'organization', 1);
  bookingLink = onStack(links.booking);
  const times = `${bookingLink}?service=${company.services['Lawn care']}&zip=62701`;
  const [, slot] = /name="slot" value="(\d+)"/.exec((await openPage(times)).text) ?? [];
  details = await openPage(`${times}&slot=${slot}`);
  await sendBooking();
};

const openBooking = async () => {
  client = someone();
  await bookVisit();
};

let announced: { readonly id: number; readonly url: string };
const uploadFiles = (upload: object, sent: object[]) =>
  company.call('contacts/upload', { upload: { ContactId: company.contact, ...upload }, files: sent });
const announceFile = async () => {
  const body = done(await uploadFiles({}, [{ Filename: 'plan.txt', ContentType: 'text/plain', Size: 5 }]));
  const { UploadIds } = body['upload'] as { UploadIds: number[] };
  announced = { id: UploadIds[0] ?? 0, url: (body['UploadUrls'] as string[])[0] ?? '' };
};

let leadPath = '';
const postLead = async () => {
  const answer = await fetch(`${testStack().BaseUrl}${leadPath}`, { method: 'POST', body: 'email=form@example.com' });
  expect(answer.status, await answer.text()).toBe(200);
};

/** The secret of the account, without the Id of a webhook. */
const rotateSecret = async () => done(await company.call('webhooks/rotatesecret', {}));

let erased = 0;
const erase = (removeSigned: boolean) =>
  eraseContact(accountStore(testTable(), account()), {
    contactId: erased,
    files: files(),
    discardedPrefix: 'none/',
    settleMilliseconds: 0,
    removeSigned,
  });

let merged = { kept: 0, id: 0 };
const goOnMerging = async () => {
  const key = layout.contactMerge.key({ account: account(), id: merged.kept, merged: merged.id });
  const options = { ...soon(), deadline: Date.now() + 60_000, settleMilliseconds: 0 };
  expect(await goOnWithMerge(accountStore(toolTable(), account()), key, options)).toEqual({ kind: 'done' });
};
/** Merges a contact with a task and, where its notes are long, a page of older notes. */
const mergeContacts = async (Body: string) => {
  const Notes = Array.from({ length: 8 }, () => ({ Title: 'Note', Body }));
  const names = [{ Name: 'One' }, { Name: 'Two', Notes }];
  const { Matches } = done(await company.call('contacts/addupdate', { Matches: names }));
  const [kept = 0, id = 0] = (Matches as { Id: number }[]).map(({ Id }) => Id);
  merged = { kept, id };
  done(await company.call('task/create', { ContactId: id, Description: 'Call back' }));
  done(await company.call('contacts/merge', { ContactId: kept, MergeId: id }));
};
const mergeAndMove = async (Body: string) => {
  await mergeContacts(Body);
  await goOnMerging();
};
const unmerge = async () => {
  done(await company.call('contacts/unmerge', { MergeId: merged.id }));
  await goOnMerging();
  const { Tasks } = done(await company.call('task/query', { ContactId: merged.id }));
  expect(Tasks).toHaveLength(1);
};

const callback = () => ({ event: 990, target: 'webhook-1' });
const FILE = 'a-file';

const bookTransaction = async () =>
  done(await company.book('Ann', '2035-03-07T10:00', { CallCenterTransactionId: 1001 }));

let importRun = 0;
let repeated = 0;
const bookSeries = async () => {
  ({ AppointmentId: repeated } = slotIn(await company.book('Ann', '2035-03-08T10:00', { Repeat: 'weekly', Count: 2 })));
  await drainEvents();
};
const moveSeries = async () => {
  const Slots = [{ DateTime: '2035-03-08T13:00' }];
  done(await company.call('appointments/update', { AppointmentId: repeated, Scope: 'following', Slots }));
  await expect.poll(visitsOfSeries).toEqual(['2035-03-08T13:00:00-06:00', '2035-03-15T13:00:00-05:00']);
};
const visitsOfSeries = async (): Promise<string[]> => {
  const { Appointments } = done(await company.call('appointments/query', { ContactId: company.contact, Take: 500 }));
  const visits = (Appointments as Appointment[]).filter(({ SeriesId }) => SeriesId === repeated);
  return visits.map(({ DateTime }) => DateTime).sort();
};

const takeHost = async () => {
  const store = companyStore();
  const host = await findHost(store, 'hooks.example.com');
  const slot = await writeTakenSlot(store, host, Date.now());
  await writeFreedSlot(store, host, slot ?? 0, host.state, Date.now());
};

let proposal = 0;
const acceptProposal = async () => {
  const { Id } = done(
    await company.call('proposal/create', { ContactId: company.contact, ServiceName: 'Lawn care', Status: 'Open' }),
  );
  proposal = Number(Id);
  done(await company.call('proposal/accept', { ...(accept.example as object), ProposalId: proposal }));
};

const publicPart = () => parseKey(company.key)?.publicPart ?? '';
const countCalls = (count: number) =>
  writeCallCounts(testTable(), publicPart(), { counts: { 'task/query 200': count }, network: '', now: new Date() });
/** Ahead, so that no clock of another test sends it. */
const delayed = () =>
  [{ queue: 'copies', message: layout.upload.key({ account: account(), id: 77 }), at: START + 2 * DAY }] as const;

/** What makes a kind of record, and what then reads it, and changes it where anything does. */
interface Case {
  readonly make: () => Promise<unknown>;
  readonly use: () => Promise<unknown>;
  /** Whether the use removes the record, or another takes its place. */
  readonly ends?: true;
  /** Where it is, if not in the partitions of the company. */
  readonly at?: () => Key;
}

const cases: Readonly<Record<string, Case>> = {
  Idempotency: { make: async () => done(await callWithKey()), use: repeatCall },
  Cursor: { make: beginList, use: () => taskPage(1) },
  CallCenter: { make: bookTransaction, use: bookTransaction },
  Series: { make: bookSeries, use: moveSeries },
  CallbackHost: { make: takeHost, use: takeHost },
  Evidence: {
    make: acceptProposal,
    use: async () => expect((await findEvidence(accountStore(testTable(), account()), proposal)).kind).toBe('found'),
  },
  Hold: { make: holdASlot, use: holdASlot },
  PaymentProvider: { make: async () => undefined, use: newInvoice },
  Checkout: {
    make: async () => {
      await newInvoice();
      await startPaying();
    },
    use: startPaying,
  },
  ClientPayment: {
    make: pay,
    use: async () => {
      const dispute = await stripe.dispute(payment);
      expect((await stripe.notify('charge.dispute.created', dispute)).status).toBe(200);
    },
  },
  ClientBooking: { make: openBooking, use: sendBooking },
  VisitRelease: {
    make: async () => {
      const HeldUntil = Date.now() - MINUTE;
      await testTable().commit(releaseChanges({ account: account() }, { Id: 99, HeldUntil }));
    },
    use: async () => expect((await releaseVisits(testTable(), soon())).failures).toEqual([]),
    ends: true,
  },
  KeyNotice: {
    make: async () => {
      const ended = { Account: account(), Public: 'gone', CreatedAt: 0, ExpiresAt: Date.now() };
      await testTable().commit(keyNoticeChanges(ended));
    },
    use: async () => expect((await giveKeyNotices(testTable(), soon())).failures).toEqual([]),
    ends: true,
  },
  AgentCalendars: {
    make: () =>
      testTable().putMany([{ ...agentCalendarsKey({ account: account() }, noAgent), ...noAgent, Calendars: [], V: 1 }]),
    use: async () => {
      const store = companyStore();
      const before = await findAgentCalendars(store, noAgent);
      if (!before) throw new Error('no calendars');
      expect((await writeCalendarStates(store, { before, calendars: [newState('a1b2c3d4')] })).V).toBe(before.V + 1);
    },
  },
  CalendarEntry: {
    make: () => writeCalendarEntry(accountStore(testTable(), account()), noAgent),
    use: async () => {
      const sent: OutgoingMessage[] = [];
      await sendDueCalendars(testTable(), soon(), (messages) => Promise.resolve((sent.push(...messages), [])));
      expect(sent.map(({ message }) => message)).toContainEqual(agentCalendarsKey({ account: account() }, noAgent));
    },
  },
  ClientPlace: { make: openBooking, use: bookVisit },
  CallbackSecret: { make: rotateSecret, use: rotateSecret },
  ClientDay: { make: openBooking, use: bookVisit },
  PageVisit: {
    make: openBooking,
    use: async () => {
      const since = new Date(Date.now() - DAY);
      const wave = { account: account(), since, networks: [], now: new Date() };
      expect((await undoBookings(accountStore(testTable(), wave.account), wave)).Canceled).toBeGreaterThan(0);
    },
  },
  PendingUpload: {
    make: announceFile,
    use: async () => {
      await fetch(announced.url, { method: 'PUT', body: 'Hello', headers: { 'content-type': 'text/plain' } });
      done(await uploadFiles({ UploadIds: [announced.id] }, []));
    },
    ends: true,
  },
  DownloadSlot: {
    make: async () => {
      const input = {
        Id: 'waiting',
        Account: account(),
        Kind: 'contacts',
        Format: 'csv',
        Filter: { spans: {}, settings: {}, organizationId: null, agentId: null },
        FirstId: 1,
        UserId: null,
        Key: publicPart(),
        Slot: 0,
        WithTaxpayer: false,
      } as const;
      // A worker that took the download would free its slot.
      const withoutQueue = (change: Change): Change =>
        'put' in change ? { ...change, put: { ...change.put, Queue: undefined } } : change;
      await testTable().commit(newDownloadChanges(input, undefined, new Date()).map(withoutQueue));
    },
    use: async () => done(await company.call('datasubscriber/startdownload', { Kind: 'contacts' })),
  },
  DeadCallback: {
    make: async () => {
      const { event, target } = callback();
      const key = callbackKey({ account: account() }, event, target);
      const stored = { EventId: event, Target: target, Address: 'https://a.example/', Kind: 'contact.created' };
      const now = Date.now();
      const TTL = ttlAfter(new Date(), 1_000);
      await testTable().putMany([{ ...key, ...stored, State: 'waiting', Created: now, At: now, TTL }]);
      const [waiting] = await findCallbacks(testTable(), [key]);
      if (!waiting) throw new Error('no callback');
      await writeDead(
        accountStore(testTable(), waiting.Account),
        waiting,
        { reason: 'HTTP 500', attempts: 10, payload: '{"Kind":"contact.created","Data":{}}' },
        new Date(),
      );
    },
    use: async () => {
      const { Calls } = done(await company.call('webhooks/calls', { Dead: true }));
      expect(Calls).toHaveLength(1);
    },
  },
  MessageSettings: {
    make: async () => {
      const settings = messageSettingsEntity.blank({ OrganizationId: 0, On: true, Since: START, Notify: [] });
      await testTable().commit([messageSettingsChange({ account: account() }, settings)]);
    },
    use: async () => {
      const stored = await findStoredMessageSettings(accountStore(testTable(), account()), WHOLE_ACCOUNT);
      expect(stored?.OrganizationId).toBe(WHOLE_ACCOUNT);
    },
  },
  Notice: {
    make: async () => {
      const was = { Status: Status.Scheduled, Start: START, Through: null };
      const visit = { id: 900_001, was, is: { ...was, Start: START + 1 }, changed: START };
      const planned = { noun: 'Appointment', id: 900_001, topic: VISIT_CHANGES, at: START, visit } as const;
      const changes = planChanges({ account: account() }, [planned], new Date(START));
      await testTable().commit(changes.filter((change) => 'update' in change));
    },
    use: async () => {
      const notices = await listNotices(accountStore(testTable(), account()), 900_001);
      expect(notices).toMatchObject([{ visitId: 900_001, At: START }]);
    },
  },
  LeadForm: {
    make: async () => {
      const input = { Name: 'Website', OrganizationId: 1, Channel: '', Campaign: '', Sites: [], Thanks: '' };
      const store = companyStore();
      const { Id } = await createLeadForm(store, input, new Date());
      leadPath = (await findLeadAddress(store, Id))?.path ?? '';
    },
    use: postLead,
  },
  LeadReceipt: { make: postLead, use: postLead },
  InvoiceNumbers: {
    make: async () => {
      const before = await findInvoiceNumbers(accountStore(testTable(), account()), 1);
      await testTable().commit([invoiceNumbersChange({ account: account() }, before, { Prefix: 'N', Next: 7 })]);
    },
    use: async () => {
      const before = await findInvoiceNumbers(accountStore(testTable(), account()), 1);
      await testTable().commit([invoiceNumbersChange({ account: account() }, before, { Prefix: '', Next: null })]);
    },
  },
  Forecast: {
    make: async () => {
      const before = await findForecasts(accountStore(testTable(), account()), 1);
      await testTable().commit([forecastChange({ account: account() }, before, [{ Year: 2035, Month: 1, Target: 5 }])]);
    },
    use: async () => {
      done(await company.call('datasubscriber/forecasts', {}));
      const before = await findForecasts(accountStore(testTable(), account()), 1);
      await testTable().commit([forecastChange({ account: account() }, before, [])]);
    },
  },
  ImportedLines: {
    make: () => testTable().commit([importedLinesChange({ account: account() }, FILE, [1, 2], new Date())]),
    use: () => findImportedLines(accountStore(testTable(), account()), FILE),
  },
  ImportRun: {
    make: async () => {
      const now = new Date();
      ({ Id: importRun } = await writeImportRun(accountStore(testTable(), account()), {
        Kind: 'contacts',
        Files: ['a.csv'],
        now,
      }));
    },
    use: () => listImportRuns(accountStore(testTable(), account())),
  },
  ImportedRecord: {
    make: async () => {
      const { table } = asImportRun(accountStore(testTable(), account()), importRun);
      await table.commit([importedLinesChange({ account: account() }, 'run', [1], new Date())]);
    },
    use: async () => {
      const noted = listImported(accountStore(testTable(), account()), importRun, 'Lines');
      expect((await noted.next()).value).toHaveLength(1);
    },
  },
  ImportedEntry: {
    make: () =>
      writeImportedEntries(accountStore(testTable(), account()), importRun, [{ entry: 0, text: '{"section":""}' }]),
    use: async () => {
      const noted = await listImportedEntries(accountStore(testTable(), account()), importRun);
      expect(noted).toMatchObject([{ entry: 0, text: '{"section":""}' }]);
    },
  },
  Retention: {
    make: () => writeRetentionRules(accountStore(testTable(), account()), { CallDays: 400, NoteDays: 400 }),
    use: async () => {
      const { failures } = await applyRetention(testTable(), { ...soon(), openFiles: async () => files() });
      expect(failures).toEqual([]);
      await writeRetentionRules(accountStore(testTable(), account()), { CallDays: 500 });
    },
  },
  RetentionProgress: {
    make: () => testTable().update({ update: layout.retentionProgress.key({}), set: { Account: account() } }),
    use: () => applyRetention(testTable(), { ...soon(), openFiles: async () => files() }),
    at: () => layout.retentionProgress.key({}),
  },
  ContactErasure: {
    make: async () => {
      const { body } = await company.call('contacts/addupdate', { Name: 'Forgotten', Email: 'f@example.com' });
      erased = (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
      await erase(false);
    },
    use: async () => expect((await erase(true)).unfinished).toEqual([]),
  },
  ContactMerge: { make: () => mergeContacts('Short'), use: goOnMerging },
  ContactMoved: { make: () => mergeAndMove('Short'), use: unmerge, ends: true },
  ContactMovedNotes: { make: () => mergeAndMove('ä'.repeat(9_000)), use: unmerge, ends: true },
  EventBacklog: {
    make: () => writeBacklog(accountStore(testTable(), account()), { order: '1', text: '[]' }, new Date()),
    use: async () => expect((await drainBacklogs(testTable(), soon())).failures).toEqual([]),
    ends: true,
  },
  BacklogAccount: {
    make: () => writeBacklog(accountStore(testTable(), account()), { order: '2', text: '[]' }, new Date()),
    use: async () => expect((await drainBacklogs(testTable(), soon())).failures).toEqual([]),
    ends: true,
  },
  AuditCounts: {
    make: () => countCalls(1),
    use: async () => {
      await countCalls(2);
      expect(
        (await listCallCounts(testTable(), [publicPart()], { from: START, through: Date.now() })).length,
      ).toBeGreaterThan(0);
    },
    at: () => layout.auditCounts.key({ public: publicPart(), day: new Date().toISOString().slice(0, 10) }),
  },
  DelayedMessage: {
    make: () => writeDelayedMessages(testTable(), delayed()),
    use: async () => {
      const shards = Array.from({ length: MESSAGE_SHARDS }, (_, shard) => shard);
      const due = await Promise.all(
        shards.map((shard) => listDueMessages(testTable(), { shard, through: START + 3 * DAY, after: undefined })),
      );
      const [message] = delayed();
      const own = due.flatMap(({ messages }) => messages).filter((each) => each.message.PK === message.message.PK);
      expect(own).toMatchObject([message]);
      await writeMessageRemovals(
        testTable(),
        own.map(({ key }) => key),
      );
    },
    ends: true,
  },
  ExpiryProgress: {
    make: () => expireProposals(testTable(), soon()),
    use: () => expireProposals(testTable(), soon()),
    at: () => layout.expiryProgress.key({}),
  },
  FiguresProgress: {
    make: () => countFigures(testTable(), soon()),
    use: () => countFigures(testTable(), soon()),
    at: () => layout.figuresProgress.key({}),
  },
  RoadFactors: {
    make: () => writeRoadFactors(companyStore(), { Area: '1,1', Factors: [{ To: '1,2', Factor: 2 }] }, new Date()),
    use: async () => expect(await findRoadFactors(companyStore(), ['1,1'], new Date())).toHaveLength(1),
    at: () => layout.roadFactors.key({ account: account(), area: '1,1' }),
  },
  AddressPlace: {
    make: () =>
      writeAddressPlace(companyStore(), { owner: { organization: 1 }, address: 'hash', position: null }, new Date()),
    use: async () =>
      expect(await findAddressPlaces(companyStore(), [{ organization: 1 }])).toEqual([
        { address: 'hash', position: null },
      ]),
    at: () => layout.startPlace.key({ account: account(), organization: 1 }),
  },
  ProposalExpiry: {
    make: () => testTable().putMany([expiryAt({ account: account() }, 99, Date.now() - MINUTE)]),
    use: async () => expect((await expireProposals(testTable(), soon())).failures).toEqual([]),
    ends: true,
  },
};

/** The items of a kind: one where that is said, else all of the company. */
async function find(kind: string, at: Case['at']): Promise<Item[]> {
  if (!at) return (await itemsOf(company)).filter((item) => kindOf(item) === kind);
  const item = await testTable().get(at());
  return item ? [item] : [];
}

describe.each(Object.entries(cases))('a stored %s', (kind, { make, use, ends, at }) => {
  test('without fields that have a default is used, and keeps one of the future', async () => {
    await make();
    const made = await find(kind, at);
    expect(made.length).toBeGreaterThan(0);
    await testTable().putMany(made.map((item) => rewritten(item, withoutDefaults)));
    await use();
    if (ends) return;
    const names = new Set(made.map(nameOf));
    const kept = (await find(kind, at)).filter((item) => names.has(nameOf(item)));
    expect(kept).toHaveLength(made.length);
    expect(kept.filter(({ FromTheFuture }) => FromTheFuture === undefined)).toEqual([]);
  });
});

/** Declared for every record that has an organization, and for all that leads to a record. */
const general = ['Record', 'Entry'];

test('an item of every declared kind is made here or by the examples', async () => {
  const example = await exampleAccount();
  await callMakers(example);
  const items = await itemsOf(example);
  const kinds = new Set([...items.map(kindOf), ...items.map(bookKindOf), ...Object.keys(cases), ...general]);
  expect([...entities.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
});
