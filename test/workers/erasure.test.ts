import type { Contact } from '../../lib/entities/contacts.ts';
import type { ErasureRecord } from '../../lib/entities/erasures.ts';
import type { MessageRecord } from '../../lib/entities/messages.ts';
import type { UploadRecord } from '../../lib/entities/uploads.ts';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasureReport } from '../../lib/domain/contacts/erasure-report.ts';
import { ERASED } from '../../lib/domain/contacts/person.ts';
import { verifyEvidence } from '../../lib/domain/signing/verify.ts';
import { keptFileKey } from '../../lib/domain/uploads/record.ts';
import { listRecentCalls } from '../../lib/store/contacts/calls.ts';
import { writeRetentionRules } from '../../lib/store/accounts/retention.ts';
import { uploadChanges } from '../../lib/store/uploads.ts';
import { applyRetention } from '../../lib/workflows/retention/apply-retention.ts';
import { DAY, HOUR } from '../../lib/shared/time/time.ts';
import { planChanges } from '../../lib/store/events/message-plans.ts';
import { listAllMessages, listNotices, writeMessage } from '../../lib/store/messages.ts';
import type { PatientTable } from '../../lib/store/dynamodb/table.ts';
import { findEvidence, sha256 } from '../../lib/store/sales/evidence.ts';
import { layout } from '../../lib/store/keys.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import type { ErasureOptions, ErasureResult } from '../../lib/workflows/erasure/erase-contact.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { findErasure } from '../../lib/store/contacts/erasures.ts';
import { exportContact } from '../../lib/workflows/contacts/export-contact.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { parkRecord } from '../../lib/workflows/parked-records.ts';
import { dying, eraseNow, toolFiles as files, toolTable as table } from '../support/erasures.ts';
import { eventsOf } from '../support/stack/branches.ts';
import { putMessage } from '../support/messages.ts';
import { until } from '../support/stack/process.ts';
import { written } from '../support/images.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type SomePerson, around, foldedWords, someFiller, somePerson } from '../support/random/persons.ts';
import { pngUri, somePng } from '../support/signatures.ts';
import { drainEvents, onStack, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { startOwnStack } from '../support/stack/start-stack.ts';
import { accountStore } from '../../lib/store/store.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/**
 * What must not be found: parts of name, e-mails, phones and street. Each is longer than what random handles, of which
 * each item has some, contain by chance: four digits are in one of some thousand.
 */
const traces = [
  'Zweigenbaum',
  'zweigenbaum',
  'q.zw@',
  'former.quirina',
  '5557731',
  '5567731',
  '555-7731',
  '556 7731',
  'Unsichtbar',
  'secret',
];
const person = {
  Name: 'Quirina Zweigenbaum',
  Email: 'q.zw@example.com',
  Phone: '(217) 555-7731',
  AltPhone: '217 556 7731',
  Address1: '77 Unsichtbar Lane',
  City: 'Springfield',
  Zip: '62701',
  Tags: ['VIP'],
  DigitalTrackingId: 'secret-tracking',
};

let account: Bookable;
/** The person of the first test, whom the second erases. */
let exported: Made | undefined;
let stopStack: () => Promise<void>;
beforeAll(async () => {
  stopStack = await startOwnStack();
  account = await bookable();
});
afterAll(() => stopStack());

interface Made {
  readonly contact: number;
  readonly invoice: number;
  readonly proposal: number;
  readonly signed: number;
  readonly appointment: number;
  readonly friend: number;
}

const onlyMessage = async (contact: number): Promise<MessageRecord> => {
  const [message] = await listAllMessages(accountStore(testTable(), account.accountId), contact);
  if (!message) throw new Error(`no message to contact ${contact}`);
  return message;
};

/** A person with everything that the API stores of one. */
async function makePerson({ signs = false } = {}): Promise<Made> {
  let calls = 0;
  const send = async (operation: string, body: object) => {
    const headers = { 'Idempotency-Key': `${operation} ${++calls} ${Math.random()}` };
    const answer = await account.call(operation, body, { headers });
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer.body;
  };
  const idIn = (body: Record<string, unknown>, name = 'Matches') => (body[name] as { Id: number }[])[0]?.Id ?? 0;
  await send('contacts/logcall', { Chars: JSON.stringify({ Phone: '2175557731', Note: 'before, secret' }) });
  const contact = idIn(
    await send('contacts/addupdate', { ...person, Email: 'former.quirina@example.com', Nickname: 'Zweigenbaumchen' }),
  );
  const body = `secret ${'ä'.repeat(9_000)}`;
  await send('contacts/addupdate', {
    Id: contact,
    Email: person.Email,
    Nickname: '',
    Notes: Array.from({ length: 8 }, () => ({ Title: 'secret', Body: body })),
  });
  await send('contacts/logcall', { Chars: JSON.stringify({ ContactId: contact, Note: 'a secret' }) });
  const friend = idIn(
    await send('contacts/addupdate', {
      Name: `Friend ${contact}`,
      ReferredByContactId: contact,
      ManagedByContactId: contact,
    }),
  );
  await send('task/create', { ContactId: contact, Description: `Call ${person.Name}` });
  const ServiceId = account.services['Lawn care'];
  const queued = await send('appointments/queue', { ContactId: contact, ServiceId });
  const appointment = Number(queued['AppointmentId']);
  await send('appointments/update', {
    AppointmentId: appointment,
    UpdateNote: `secret of ${person.Email}`,
    NotificationUri: 'https://example.com/?secret',
  });
  const store = accountStore(testTable(), account.accountId);
  const Due = Date.now();
  const sent = { ContactId: contact, Due, Address: person.Email, Reason: `Not known: ${person.Name}` };
  await putMessage(account, { Id: contact, ...sent });
  await writeMessage(store, await onlyMessage(contact), { State: 'Sent' }, new Date());
  const is = { Status: 1, Start: Due, Through: null };
  const visit = { id: appointment, was: null, is, changed: Due };
  const untold = { noun: 'Appointment', id: appointment, topic: 'Visit', at: Due + HOUR, visit } as const;
  await store.table.commit(planChanges(store, [untold], new Date()));
  const propose = async (Title: string) => {
    const request = { ContactId: contact, ServiceId, Title, CustomerNotes: 'secret', Status: 'Open' };
    return Number((await send('proposal/create', request))['Id']);
  };
  const proposal = await propose(`For ${person.Name}`);
  const signed = signs ? await propose('Lawn') : 0;
  if (signs) await send('proposal/accept', { ProposalId: signed, Name: person.Name, SignatureData: pngUri });
  const imported = await send('invoice/import', {
    Invoice: {
      ContactId: contact,
      CustomerNotes: 'secret',
      Lines: [{ Description: `Lawn of ${person.Name}, ${person.Phone}`, Rate: 100, Qty: 1 }],
    },
  });
  const invoice = (imported['Invoice'] as { Id: number }).Id;
  await send('payment/import', {
    Payment: {
      InvoiceId: invoice,
      Amount: 40,
      Reference: `Card of ${person.Name}`,
      TransactionId: `pay:${person.Email}:${invoice}`,
      Method: 'Card',
    },
  });
  const Content = Buffer.from(`secret of ${person.Email}`).toString('base64');
  await send('contacts/upload', {
    upload: { ContactId: contact, Note: 'secret' },
    files: [
      { Filename: 'Zweigenbaum.txt', Content },
      { Filename: 'Zweigenbaum.mp4', Size: 9_000_000 },
    ],
  });
  await send('proposal/upload', { upload: { ProposalId: proposal }, files: [{ Filename: 'plan.txt', Content }] });
  return { contact, invoice, proposal, signed, appointment, friend };
}

/** The text in stored bytes, however it is compressed. */
function textIn(bytes: Uint8Array): string {
  const forms = [() => gunzipSync(bytes).toString(), () => brotliDecompressSync(bytes).toString()];
  for (const read of forms)
    try {
      return read();
    } catch {
      // Another form.
    }
  return Buffer.from(bytes).toString('latin1');
}

/** Where traces are left in the account's items of the table, by key. */
async function tracesInTable(texts: readonly string[] = traces): Promise<string[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const found: string[] = [];
  for await (const items of openScan({ tableName, endpoint })({ accounts: [account.accountId], isWhole: true }))
    for (const item of items) {
      const text = JSON.stringify(item, (_, value: unknown) => (value instanceof Uint8Array ? textIn(value) : value));
      for (const trace of texts) if (text.includes(trace)) found.push(`${item.PK} ${item.SK}: ${trace}`);
    }
  return found;
}

async function tracesInBucket(): Promise<string[]> {
  const found: string[] = [];
  for (const key of await files().list('')) {
    const text = textIn((await files().getBytes(key)) ?? new Uint8Array());
    if (text.includes(person.Email)) found.push(key);
  }
  return found;
}

const erase = (contactId: number, options?: Partial<ErasureOptions>, on?: PatientTable): Promise<ErasureResult> =>
  eraseNow(account.accountId, contactId, options, on);

const park = (contact: number) =>
  parkRecord(
    'event-queue',
    {
      dynamodb: {
        ApproximateCreationDateTime: contact,
        SequenceNumber: '1',
        Keys: { PK: { S: `A#${account.accountId}#CONTACT#1` }, SK: { S: 'CONTACT' } },
        NewImage: written({ E: 'Contact', Id: contact, Email: person.Email, V: 0 }),
      },
    },
    new Error('cannot be read'),
    new Date(),
  );

async function problems(ofAccount = account.accountId): Promise<string[]> {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const found: string[] = [];
  await checkTable(table(), openScan({ tableName, endpoint }), {
    accounts: [ofAccount],
    repair: false,
    now: () => new Date(),
    onFinding: ({ key, message }) => found.push(`${key.PK} ${key.SK} ${message}`),
    settleMilliseconds: 0,
  });
  return found;
}

test('an export has everything about the person: records, evidence, signature, files and events', async () => {
  const made = await makePerson({ signs: true });
  exported = made;
  await drainEvents();
  const options = { account: account.accountId, contactId: made.contact, files: files(), now: new Date() };
  const found: Record<string, unknown> = {};
  for await (const { path, content } of exportContact(accountStore(table(), options.account), options))
    found[path] = content;
  const evidence = `evidence/proposal-${made.signed}`;
  expect(found).toMatchObject({
    'README.md': expect.stringContaining('| calls.json |') as string,
    'contact.json': { Id: made.contact, Name: person.Name, Email: person.Email },
    'calls.json': [{ ContactId: null, Note: 'before, secret' }, { ContactId: made.contact }],
    'tasks.json': [{ ContactId: made.contact }],
    'appointments.json': [{ AppointmentId: made.appointment }],
    'proposals.json': [{ Id: made.proposal }, { Id: made.signed }],
    'invoices.json': expect.arrayContaining([expect.objectContaining({ Id: made.invoice, Total: 100 })]) as object,
    'payments.json': [{ Amount: 40 }],
    'messages.json': [{ Kind: 'Invoice', State: 'Sent', Address: person.Email }],
    'files.json': [{ Filename: 'Zweigenbaum.txt' }, { Filename: 'plan.txt' }],
    [`${evidence}.json`]: { ProposalId: made.signed },
  });
  const file = Object.keys(found).find((path) => path.startsWith('files/')) ?? '';
  expect([file, Buffer.from(found[file] as Uint8Array).toString()]).toEqual([
    expect.stringMatching(/^files\/\d+-Zweigenbaum\.txt$/),
    `secret of ${person.Email}`,
  ]);
  expect((found['contact.json'] as { Notes: object[] }).Notes).toHaveLength(9);
  expect(Buffer.from(found[`${evidence}-signature.png`] as Uint8Array)).toEqual(somePng);
  const kinds = (found['events.json'] as { Payload: { Kind: string } }[]).map(({ Payload }) => Payload.Kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['contact.created', 'call.logged', 'proposal.accepted', 'payment.recorded']),
  );
  const present = (await tracesInTable()).map((place) => place.slice(place.lastIndexOf(': ') + 2));
  expect(new Set(present), 'each trace that an erasure must remove').toEqual(new Set(traces));
});

describe('the erasure of a contact', () => {
  test('ends every link of the person at once, also for a form that was open', async () => {
    const made = await makePerson();
    const booked = await account.book('Ann', '2035-03-05T09:00', { ContactId: made.contact });
    const context = callerContext(testTable(), accountCaller(account.accountId, { role: 'Owner' }), new Date());
    const visit = onStack(slotIn(booked).TrackingUrl);
    const links = [
      visit,
      ...Object.values(await listLinks(context, 'contact', made.contact)),
      ...Object.values(await listLinks(context, 'proposal', made.proposal)),
      ...Object.values(await listLinks(context, 'invoice', made.invoice)),
    ].map((link) => onStack(link));
    const statuses = () => Promise.all(links.map(async (link) => (await openPage(link)).status));
    // No provider is connected: no card can be saved, but the page says how to reach the company.
    expect(await statuses()).toEqual(links.map(() => 200));
    const form = await openPage(visit);
    await erase(made.contact);
    expect(await statuses()).toEqual(links.map(() => 404));
    expect((await sendForm(visit, form, 'another-time', { message: 'Later' })).status).toBe(404);
  });

  test('keeps the signed document with its evidence, and nothing else of the person', async () => {
    const made = exported ?? (await makePerson({ signs: true }));
    await erase(made.contact);
    await drainEvents();
    const places = (await tracesInTable()).map((trace) => trace.split(': ')[0]);
    const key = layout.proposal.key({ account: account.accountId, id: made.signed });
    expect(new Set(places)).toEqual(new Set([`${key.PK} ${key.SK}`, `${key.PK} EVIDENCE`]));
    const found = await findEvidence(accountStore(table(), account.accountId), made.signed);
    const checks = found.kind === 'found' ? verifyEvidence(found.evidence, sha256) : [];
    expect(checks.map(({ Passed }) => Passed)).toEqual([true, true, true, true]);
    // Later that goes too, though nothing tells any more who the person was.
    const { erasure, unfinished } = await erase(made.contact, { removeSigned: true });
    expect([erasure.RemoveSigned, unfinished]).toEqual([true, []]);
    await drainEvents();
    expect(await tracesInTable()).toEqual([]);
    expect(await findEvidence(accountStore(table(), account.accountId), made.signed)).toEqual({ kind: 'lost' });
    expect((await account.call('proposal/details', { Id: made.signed })).body).toMatchObject({ Title: ERASED });
    const repeated = await erase(made.contact);
    expect(repeated).toEqual({ erasure, unfinished: [] });
  });

  test('leaves no byte of name, e-mail, phones and street in table and bucket, and the books whole', async () => {
    const made = await makePerson();
    const book = async (time: string, more: object) =>
      slotIn(await account.book('Ann', time, { ContactId: made.contact, ...more })).AppointmentId;
    const visit = await book('2035-03-06T09:00', {});
    const over = await book('2026-03-09T09:00', { SkipConflictChecks: true });
    await drainEvents();
    await park(made.contact);
    const started = await account.call('datasubscriber/startdownload', { Kind: 'contacts' });
    const DownloadId = started.body['DownloadId'];
    const isReady = async () =>
      (await account.call('datasubscriber/downloadstatus', { DownloadId })).body['Ready'] === true;
    await until(isReady, 15_000);
    const context = callerContext(testTable(), accountCaller(account.accountId, { role: 'Owner' }), new Date());
    for (const [kind, id] of [
      ['invoice', made.invoice],
      ['proposal', made.proposal],
    ] as const) {
      const { [kind]: link = '' } = await listLinks(context, kind, id);
      expect((await openPage(`${onStack(link)}/pdf`)).status).toBe(200);
    }
    const pdfs = () => files().list(`pdf/${account.accountId}/`);
    expect(await pdfs()).toHaveLength(2);
    // The parked record, the download twice, and the files, which may be copied already.
    expect((await tracesInBucket()).length).toBeGreaterThanOrEqual(5);
    expect((await tracesInTable()).length).toBeGreaterThan(30);
    const store = accountStore(testTable(), account.accountId);
    const untold = () => listNotices(store, made.appointment);
    expect((await untold()).map(({ visitId }) => visitId)).toEqual([made.appointment]);
    const { erasure, unfinished } = await erase(made.contact);
    expect([await untold(), await listAllMessages(store, made.contact)]).toEqual([[], []]);
    expect(unfinished).toEqual([]);
    await drainEvents();
    expect([await tracesInTable(), await tracesInBucket(), await pdfs()]).toEqual([[], [], []]);
    expect(erasure).toMatchObject({
      Calls: 2,
      Tasks: 1,
      Appointments: 2,
      Proposals: 1,
      Invoices: 1,
      Payments: 1,
      Messages: 1,
      Links: 1,
      ParkedRecords: 1,
      NotePages: 2,
      Downloads: 1,
      // The announced one too.
      Files: 3,
    });
    expect(erasure.Callbacks).toBeGreaterThan(0);
    const gone = await account.call('datasubscriber/getdownload', { DownloadId });
    expect([gone.status, gone.body['Message']]).toEqual([409, expect.stringContaining('was erased')]);
    expect(erasure.SavedResponses).toBeGreaterThan(5);
    expect(erasure).not.toHaveProperty('Contact');
    // Nobody drives to a visit ahead: it is canceled, its time is free, and the report names it.
    expect(erasureReport({ ...erasure }, []).CanceledVisits).toEqual([
      { AppointmentId: made.appointment, Start: null },
      { AppointmentId: visit, Start: '2035-03-06T15:00:00Z' },
    ]);
    expect(slotIn(await account.book('Ann', '2035-03-06T09:00'))).toMatchObject({ Status: 1 });
    const past = await account.call('appointments/find', { AppointmentId: over });
    expect(slotIn(past)).toMatchObject({ Status: 1, CancelReason: '' });
    // Nobody finds or writes the contact; its documents are answered and can be paid.
    const status = async (operation: string, body: object) => (await account.call(operation, body)).status;
    expect((await account.call('contacts/locate', { IdSearch: made.contact })).body['Matches']).toEqual([]);
    expect(await status('contacts/addnote', { ContactId: made.contact, Note: { Body: 'x' } })).toBe(404);
    expect(await status('contacts/addupdate', { Id: made.contact, Name: 'x' })).toBe(404);
    expect(await status('proposal/details', { Id: made.proposal })).toBe(200);
    expect(await status('appointments/find', { AppointmentId: made.appointment, IncludeContact: true })).toBe(200);
    const read = await account.call('invoice/get', { InvoiceId: made.invoice });
    expect(read.body['Invoice']).toMatchObject({ Total: 100, BalanceDue: 60, ContactId: made.contact });
    const paid = await account.call('payment/import', { Payment: { InvoiceId: made.invoice, Amount: 60 } });
    expect(paid.status, paid.text).toBe(200);
    const [friend] = (await account.call('contacts/locate', { IdSearch: made.friend })).body['Matches'] as object[];
    expect(friend).toMatchObject({ ReferredByContactId: null, ManagedByContactId: null });
    const events = await eventsOf(account);
    const deleted = events.filter(({ Kind, ContactId }) => Kind === 'contact.deleted' && ContactId === made.contact);
    expect(deleted).toMatchObject([{ Id: made.contact, Data: null, Changed: [], ContactName: null }]);
    expect(await problems()).toEqual([]);
  });

  /** Between two deaths; `npm run prove -- random` kills it at every step and write. */
  const STRIDE = process.env['ERASURE_RUNS'] ? 1 : 12;

  test('killed at every step and between writes ends the same, also with --remove-signed', async () => {
    const made = await makePerson({ signs: true });
    let runs = 0;
    for (let outcome: ErasureResult | undefined; !outcome?.erasure.FinishedAt;) {
      const steps = (runs += STRIDE) * 2;
      let seen = 0;
      const onStep = () => {
        if (++seen > steps) throw new Error('killed');
      };
      outcome = await erase(made.contact, { onStep, removeSigned: true }, dying(table(), runs)).catch(() => undefined);
    }
    expect(runs).toBeGreaterThan(STRIDE);
    await drainEvents();
    expect(await tracesInTable()).toEqual([]);
    expect(await problems()).toEqual([]);
  });
});

describe('an erasure', () => {
  const send = async (operation: string, body: object) => {
    const answer = await account.call(operation, body);
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer.body;
  };
  const idIn = (body: Record<string, unknown>) => (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
  const importInvoice = async (contact: number, more: object = {}) =>
    (
      await send('invoice/import', {
        Invoice: { ContactId: contact, Lines: [{ Description: 'Mowing', Rate: 100, Qty: 1 }], ...more },
      })
    )['Invoice'] as { Id: number; Number: string };

  test('replaces whole every text of own records with a present or former name, street, mail or number', async () => {
    const contact = idIn(
      await send('contacts/addupdate', {
        Name: 'Maria Vornamewski',
        Email: 'maria.v@example.com',
        Phone: '217 555 3301',
        Address1: '77 Blaubeer Lane',
      }),
    );
    await send('contacts/addupdate', {
      Id: contact,
      Name: 'Maria Kowalczykova',
      Email: 'mk@example.com',
      Phone: '217 555 3302',
    });
    const descriptions = [
      'Kowalczykova, Maria',
      'Maria J. Kowalczykova',
      'for Kowalczykova',
      'at 77 Blaubeer Ln',
      'once Vornamewski',
      'maria.v@example.com',
      'call 555-3301',
      'Mowing',
    ];
    const { Id } = await importInvoice(contact, {
      Terms: 'Net 30, Maria',
      Lines: descriptions.map((Description) => ({ Description, Rate: 1, Qty: 1 })),
    });
    await send('contacts/logcall', { Chars: JSON.stringify({ Phone: '2175553301', Note: 'a former number' }) });
    await drainEvents();
    await erase(contact);
    const { Invoice } = await send('invoice/get', { InvoiceId: Id });
    const { Terms, Lines } = Invoice as { Terms: string; Lines: { Description: string }[] };
    expect([Terms, Lines.map(({ Description }) => Description)]).toEqual([
      ERASED,
      [...Array.from({ length: 7 }, () => ERASED), 'Mowing'],
    ]);
    await drainEvents();
    expect(await tracesInTable(['owalczykova', 'ornamewski', 'laubeer', 'maria.v@', '5553301'])).toEqual([]);
  });

  test('lists other records that mention the person, and takes it out of them with --mentions', async () => {
    const neighbour = idIn(await send('contacts/addupdate', { Name: 'Nora Nachbar', Email: 'nora.n@example.com' }));
    const person1 = idIn(await send('contacts/addupdate', { Name: 'Ottilie Zwicknagel', Phone: '217 555 4401' }));
    const person2 = idIn(await send('contacts/addupdate', { Name: 'Ruprecht Zwiebelfisch', Phone: '217 555 4402' }));
    for (const name of ['Ottilie Zwicknagel', 'Zwiebelfisch, Ruprecht'])
      await send('contacts/addnote', { ContactId: neighbour, Note: { Body: `Friend of ${name}. Ottilie waves.` } });
    const task = await send('task/create', { ContactId: neighbour, Description: 'Ask Ruprecht Zwiebelfisch' });
    await send('contacts/logcall', { Chars: JSON.stringify({ Note: 'Ruprecht Zwiebelfisch called' }) });
    await drainEvents();
    const household = idIn(await send('contacts/addupdate', { Name: 'Zwicknagel, Ottilie', Phone: '(217) 555-4402' }));
    await drainEvents();
    const listed = await erase(person1);
    expect(listed.erasure.Mentions).toEqual([
      { Kind: 'Contact', Id: neighbour, Field: 'Notes' },
      { Kind: 'Contact', Id: household, Field: 'Name' },
    ]);
    let awaited: Promise<ErasureRecord | undefined> | undefined;
    const onStep = (step: string) => {
      if (step === 'events') awaited = findErasure(accountStore(table(), account.accountId), person2);
    };
    const { erasure } = await erase(person2, { redactMentions: true, onStep });
    // Until their events are queued, an event of an earlier state, which names the person, may still come.
    const redacted = Object.keys((await awaited)?.Changes ?? {});
    expect(redacted).toEqual(expect.arrayContaining([`Task.${Number(task['TaskId'])}.2`]));
    expect(redacted.some((name) => name.startsWith(`Contact.${neighbour}.`))).toBe(true);
    expect(erasure.Mentions).toEqual([
      { Kind: 'Contact', Id: neighbour, Field: 'Notes' },
      { Kind: 'Contact', Id: household, Field: 'Phone' },
      expect.objectContaining({ Kind: 'Call', Field: 'Text' }) as object,
      expect.objectContaining({ Kind: 'Call', Field: 'Note' }) as object,
      { Kind: 'Task', Id: Number(task['TaskId']), Field: 'Description' },
    ]);
    const [found] = (await send('contacts/locate', { IdSearch: neighbour }))['Matches'] as {
      Notes: { Body: string }[];
    }[];
    expect(found?.Notes.map(({ Body }) => Body)).toEqual([
      'Friend of Ottilie Zwicknagel. Ottilie waves.',
      `Friend of ${ERASED}. Ottilie waves.`,
    ]);
    const kept = (await send('contacts/locate', { IdSearch: household }))['Matches'];
    expect(kept).toMatchObject([{ Name: 'Zwicknagel, Ottilie', Phone: '(217) 555-4402' }]);
    await drainEvents();
    expect(await tracesInTable(['wiebelfisch'])).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test('leaves who shares the mailbox and the phone whole: contact, entries, texts, responses and events', async () => {
    const shared = { Email: 'office@zwetschgenhof.example', Phone: '217 555 4405' };
    const first = idIn(await send('contacts/addupdate', { ...shared, Name: 'Hedwig Zwetschge' }));
    const bob = { ...shared, Name: 'Bodo Ray', Address1: '9 Oak Street' };
    const headers = { 'Idempotency-Key': 'bodo' };
    const second = idIn(await send('contacts/addupdate', bob));
    const note = {
      ContactId: second,
      Note: { Body: `Mail ${shared.Email}, call ${shared.Phone}, not Hedwig Zwetschge.` },
    };
    expect((await account.call('contacts/addnote', note, { headers })).status).toBe(200);
    await send('contacts/addnote', { ContactId: first, Note: { Body: `Mail ${shared.Email}` } });
    const plain = { ContactId: second, Note: { Body: `Mail ${shared.Email}` } };
    const response = await account.call('contacts/addnote', plain, { headers: { 'Idempotency-Key': 'plain' } });
    for (const Note of ['Asked for a quote', 'It was Hedwig Zwetschge'])
      await send('contacts/logcall', { Chars: JSON.stringify({ Phone: shared.Phone, Note }) });
    await drainEvents();
    const { erasure, unfinished } = await erase(first, { redactMentions: true });
    expect(unfinished).toEqual([]);
    const recent = await listRecentCalls(accountStore(testTable(), account.accountId), {
      count: 50,
      isUnattached: true,
    });
    const kept = recent.filter(({ Phone }) => Phone === shared.Phone);
    expect(kept.map(({ Note }) => Note)).toEqual(['Asked for a quote']);
    expect(erasure.Mentions).toContainEqual({ Kind: 'Call', Id: kept[0]?.Id, Field: 'Phone' });
    expect(erasure.Mentions?.filter(({ Kind }) => Kind === 'Contact')).toEqual([
      { Kind: 'Contact', Id: second, Field: 'Notes' },
      { Kind: 'Contact', Id: second, Field: 'Phone' },
      { Kind: 'Contact', Id: second, Field: 'Email' },
    ]);
    for (const search of [{ EmailSearch: shared.Email }, { PhoneSearch: shared.Phone }]) {
      const [found, ...others] = (await send('contacts/locate', search))['Matches'] as Contact[];
      expect(others).toEqual([]);
      expect(found).toMatchObject({ ...bob, Id: second });
      expect(found?.Notes.map(({ Body }) => Body)).toEqual([
        `Mail ${shared.Email}, call ${shared.Phone}, not ${ERASED}.`,
        `Mail ${shared.Email}`,
      ]);
    }
    const repeated = await account.call('contacts/addnote', plain, { headers: { 'Idempotency-Key': 'plain' } });
    expect([repeated.status, repeated.text]).toEqual([200, response.text]);
    expect(idIn(await send('contacts/addupdate', bob))).toBe(second);
    await drainEvents();
    const data = (await eventsOf(account))
      .filter(({ Kind, Id }) => Kind === 'contact.created' && Id === second)
      .map(({ Data }) => Data);
    expect(data).toMatchObject([bob]);
    expect(await tracesInTable(['wetschge,', 'edwig'])).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  /** A text that names the person in one of its forms, or nobody. */
  const someText = fc.record({ form: fc.option(fc.nat(), { nil: undefined }), filler: someFiller });
  const someRecord = fc.record({
    kind: fc.constantFrom('proposal', 'signed', 'invoice', 'task', 'appointment', 'payment'),
    title: someText,
    note: someText,
    line: someText,
  });
  type SomeRecord = (typeof someRecord extends fc.Arbitrary<infer Value> ? Value : never) & object;

  /** Makes a record of a contact; returns how to read it. */
  async function makeRecord(contact: number, person: SomePerson, some: SomeRecord): Promise<() => Promise<unknown>> {
    const forms = [...person.certain.filter((form) => !form.includes('@')), ...person.only];
    const textOf = ({ form, filler }: SomeRecord['title']) =>
      form === undefined ? filler : around(filler, forms[form % forms.length] ?? '', filler);
    const { kind } = some;
    const [title = '', note = '', line = ''] = [some.title, some.note, some.line].map(textOf);
    const ServiceId = account.services['Lawn care'];
    if (kind === 'task') {
      const TaskId = (await send('task/create', { ContactId: contact, Description: title }))['TaskId'];
      return () => send('task/query', { TaskId });
    }
    if (kind === 'appointment') {
      const { AppointmentId } = await send('appointments/queue', { ContactId: contact, ServiceId });
      await send('appointments/update', { AppointmentId, UpdateNote: note });
      return () => send('appointments/find', { AppointmentId });
    }
    if (kind === 'invoice' || kind === 'payment') {
      const Lines = [{ Description: line, Rate: 10, Qty: 1 }];
      const { Id } = await importInvoice(contact, { Terms: title, CustomerNotes: note, Lines });
      if (kind === 'payment')
        await send('payment/import', { Payment: { InvoiceId: Id, Amount: 4, Reference: note, Method: 'Card' } });
      return async () => [await send('invoice/get', { InvoiceId: Id }), await send('payment/query', { InvoiceId: Id })];
    }
    const request = { ContactId: contact, ServiceId, Title: title, CustomerNotes: note, Status: 'Open' };
    const { Id } = await send('proposal/create', request);
    if (kind === 'signed')
      await send('proposal/accept', { ProposalId: Id, Name: person.fields.Name, SignatureData: pngUri });
    return () => send('proposal/details', { Id });
  }

  /** Every text of an answer with its place, without what differs between two records that were made alike. */
  function textsIn(value: unknown, place = ''): string[] {
    if (typeof value === 'string') return [`${place} ${value.replaceAll(/\d+/g, '#')}`];
    if (typeof value !== 'object' || value === null) return [];
    const inner = Object.entries(value).filter(([name]) => !/Hash|Url|Link|Date|Time|At$|Created|Updated/.test(name));
    return inner.flatMap(([name, each]) => textsIn(each, `${place}.${name}`));
  }

  test('with --remove-signed at once leaves of random records what erasing first and --remove-signed after leaves', async () => {
    let people = 0;
    const left = async (person: SomePerson, records: readonly SomeRecord[], inTwoSteps: boolean) => {
      const fields = { ...person.fields, Email: person.fields.Email.replace('@', `@s${++people}.`) };
      const contact = idIn(await send('contacts/addupdate', fields));
      const reads = [];
      for (const record of records) reads.push(await makeRecord(contact, person, record));
      await drainEvents();
      if (inTwoSteps) await erase(contact);
      await erase(contact, { removeSigned: true });
      return (await Promise.all(reads.map((read) => read()))).flatMap((answer, index) => textsIn(answer, `[${index}]`));
    };
    const run = fc.record({ person: somePerson, some: fc.array(someRecord, { minLength: 3, maxLength: 6 }) });
    await fc.assert(
      fc.asyncProperty(run, async ({ person, some }) => {
        const named = { form: 0, filler: 'Mowing' };
        const signed = { kind: 'signed', title: named, note: named, line: named } as const;
        const atOnce = await left(person, [...some, signed], false);
        expect(atOnce).toEqual(await left(person, [...some, signed], true));
        expect(atOnce.filter((text) => foldedWords(text).some((word) => person.words.has(word)))).toEqual([]);
        expect(atOnce.some((text) => text.includes(ERASED))).toBe(true);
      }),
      { numRuns: Number(process.env['ERASURE_RUNS'] ?? 1), endOnFailure: true },
    );
  });

  test('keeps business keys: the number is not given again, and a repeated payment books nothing twice', async () => {
    const contact = idIn(await send('contacts/addupdate', { Name: 'Rosa Diazowa', Email: 'rd@example.com' }));
    const other = idIn(await send('contacts/addupdate', { Name: 'Someone Else', Email: 'else@example.com' }));
    const { Id } = await importInvoice(contact, { Number: '2026-Rosa Diazowa-1' });
    const Payment = { InvoiceId: Id, Amount: 40, TransactionId: 'card of Rosa Diazowa' };
    const paid = (await send('payment/import', { Payment }))['Payment'] as { Id: number };
    await drainEvents();
    await erase(contact);
    const { Invoice } = await send('invoice/get', { InvoiceId: Id });
    expect(Invoice).toMatchObject({ Number: `erased-${Id}`, BalanceDue: 60 });
    const repeated = (await send('payment/import', { Payment }))['Payment'] as { Id: number; TransactionId: string };
    expect([repeated.Id, repeated.TransactionId]).toEqual([paid.Id, `erased-${paid.Id}`]);
    expect((await send('invoice/get', { InvoiceId: Id }))['Invoice']).toMatchObject({ BalanceDue: 60 });
    const again = await account.call('invoice/import', {
      Invoice: { ContactId: other, Number: '2026-ROSA diazowa-1', Lines: [{ Description: 'Other', Rate: 1, Qty: 1 }] },
    });
    expect(again.status, again.text).toBe(409);
    const second = await account.call('payment/import', { Payment: { ...Payment, Amount: 41 } });
    expect(second.status, second.text).toBe(409);
    expect(await tracesInTable(['Diazowa', 'diazowa'])).toEqual([]);
    expect(await problems()).toEqual([]);
  });
});

describe('retention rules', () => {
  const later = (days: number) => new Date(Date.now() + days * DAY);
  const apply = (now: Date, on = table()) =>
    applyRetention(on, { now, deadline: Date.now() + 20_000, openFiles: async () => files() });

  test('remove what is older than its account keeps it, and nothing else', async () => {
    const own = await testAccount();
    const { accountId } = own;
    const added = await own.call('contacts/addupdate', { Name: 'Kept', Notes: [{ Body: 'first' }] });
    const [{ Id } = { Id: 0 }] = added.body['Matches'] as { Id: number }[];
    const long = Array.from({ length: 8 }, () => ({ Body: 'x'.repeat(9_000) }));
    await own.call('contacts/addupdate', { Id, Notes: long });
    const logCall = (ContactId: number | undefined) =>
      own.call(
        'contacts/logcall',
        { Chars: JSON.stringify({ ContactId, Note: 'a call' }) },
        { headers: { 'idempotency-key': `call of ${ContactId}` } },
      );
    const [, logged] = [await logCall(Id), await logCall(undefined)];
    const upload: UploadRecord = {
      Id: 5,
      OrganizationId: 1,
      ContactId: Id,
      ProposalId: null,
      AppointmentId: null,
      Filename: 'a.pdf',
      Notes: '',
      Bytes: 3,
      ContentType: 'application/pdf',
      Width: 0,
      Height: 0,
      IsPicture: false,
      Handle: 'h',
      IsKept: true,
      Queue: 'copies',
      Secret: 's',
      Created: Date.now(),
      Updated: Date.now(),
      V: 0,
    };
    await table().commit(uploadChanges({ account: accountId }, { before: undefined, after: upload }).changes);
    await files().put(keptFileKey(accountId, upload), 'pdf');
    const state = async () => {
      const { body } = await own.call('contacts/locate', { IdSearch: Id });
      const [contact] = body['Matches'] as { Notes: { Body: string }[] }[];
      const calls = await listRecentCalls(accountStore(testTable(), accountId), { count: 10, isUnattached: false });
      const kept = await files().list(`uploads/${accountId}/`);
      return { notes: contact?.Notes.length, calls: calls.length, files: kept.length };
    };
    // An account without rules is not looked at.
    expect((await apply(later(1_000))).removed).toBe(0);
    await writeRetentionRules(accountStore(table(), accountId), { CallDays: 30, NoteDays: 60, FileDays: 90 });
    await apply(later(29.9));
    expect(await state()).toEqual({ notes: 10, calls: 2, files: 1 });
    await apply(later(31));
    // A call with its Idempotency-Key is not logged again.
    expect((await logCall(undefined)).body).toEqual(logged.body);
    expect(await state()).toEqual({ notes: 9, calls: 0, files: 1 });
    expect((await apply(later(61), dying(table(), 0))).failures).toHaveLength(1);
    await apply(later(61));
    expect(await state()).toEqual({ notes: 0, calls: 0, files: 1 });
    await own.call('contacts/addnote', { ContactId: Id, Note: { Body: 'new' } });
    await apply(later(91));
    expect(await state()).toEqual({ notes: 0, calls: 0, files: 0 });
    expect(await apply(later(91))).toEqual({ removed: 0, failures: [] });
    await writeRetentionRules(accountStore(table(), accountId), {});
    expect(await problems(accountId)).toEqual([]);
  });
});
