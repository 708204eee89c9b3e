import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eraseNow } from '../support/erasures.ts';
import { type SomePerson, around, foldedWords, someFiller, somePerson } from '../support/random/persons.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { eventsOf } from '../support/stack/branches.ts';
import { drainEvents, testTable } from '../support/stack/stack.ts';
import { listRecentCalls } from '../../lib/store/contacts/calls.ts';
import { accountStore } from '../../lib/store/store.ts';

const ERASED = '[erased]';

/** One for each run: a report lists what earlier runs left. */
let account: Bookable;

let calls = 0;
async function send(operation: string, body: object): Promise<Record<string, unknown>> {
  const answer = await account.call(operation, body, { headers: { 'Idempotency-Key': `persons ${++calls}` } });
  expect(answer.status, `${operation} ${answer.text}`).toBe(200);
  return answer.body;
}
const idIn = (body: Record<string, unknown>) => (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;

/**
 * Where people write about a contact, with the kinds and fields of a report that has each. A `kept` text of the
 * person's own records stays unless it names the person; the others go.
 */
const places = {
  Terms: { fields: ['Invoice Terms'], kept: true },
  Line: { fields: ['Invoice Lines'], kept: true },
  CustomerNotes: { fields: ['Invoice CustomerNotes'], kept: false },
  Reference: { fields: ['Payment Reference'], kept: true },
  Method: { fields: ['Payment Method'], kept: true },
  Title: { fields: ['Proposal Title'], kept: true },
  ProposalLine: { fields: ['Proposal Lines'], kept: true },
  Option: { fields: ['Proposal Options'], kept: true },
  LineNotes: { fields: ['Proposal Lines'], kept: false },
  ProposalNotes: { fields: ['Proposal CustomerNotes'], kept: false },
  VisitNote: { fields: ['Appointment Notes'], kept: false },
  Property: { fields: ['Appointment CustomProperties'], kept: false },
  Feedback: { fields: ['Appointment Feedback'], kept: false },
  Task: { fields: ['Task Description'], kept: false },
  TaskNote: { fields: ['Task Note'], kept: false },
  ContactNote: { fields: ['Contact Notes'], kept: false },
  Flash: { fields: ['Contact FlashMessage'], kept: false },
  CallNote: { fields: ['Call Text', 'Call Note', 'Contact Notes'], kept: false },
  CallPhone: { fields: ['Call Text', 'Call Phone', 'Contact Notes'], kept: false },
  FileNote: { fields: ['Upload Notes', 'Contact ContactDocuments'], kept: false },
  Filename: { fields: ['Upload Filename', 'Contact ContactDocuments'], kept: false },
} as const;
type Place = keyof typeof places;
const placeNames = Object.keys(places) as Place[];

type Texts = Readonly<Record<Place, string>>;

/** The records of a contact, as an answer of the API each, with what the store has of its calls. */
interface Records {
  readonly ids: Readonly<Record<string, number>>;
  read(): Promise<unknown[]>;
}

/** Writes each text into its place, about a contact. */
async function write(contact: number, texts: Texts): Promise<Records> {
  const ServiceId = account.services['Lawn care'];
  const invoice = await send('invoice/import', {
    Invoice: {
      ContactId: contact,
      Terms: texts.Terms,
      CustomerNotes: texts.CustomerNotes,
      Lines: [{ Description: texts.Line, Rate: 10, Qty: 1 }],
    },
  });
  const Invoice = (invoice['Invoice'] as { Id: number }).Id;
  const paid = await send('payment/import', {
    Payment: { InvoiceId: Invoice, Amount: 4, Reference: texts.Reference, Method: texts.Method },
  });
  const Payment = (paid['Payment'] as { Id: number }).Id;
  const line = { LineDescription: texts.ProposalLine, Notes: texts.LineNotes, UnitPrice: 5, Quantity: 1 };
  const proposal = await send('proposal/create', {
    ContactId: contact,
    ServiceId,
    Title: texts.Title,
    CustomerNotes: texts.ProposalNotes,
    ProposalLines: [{ ...line, ProposalOption: { Name: texts.Option, Selected: true } }],
  });
  const Proposal = Number(proposal['Id']);
  const Appointment = Number((await send('appointments/queue', { ContactId: contact, ServiceId }))['AppointmentId']);
  await send('appointments/update', {
    AppointmentId: Appointment,
    UpdateNote: texts.VisitNote,
    Slots: [{ CustomProperties: { Access: texts.Property } }],
  });
  await send('appointments/feedback', { Id: Appointment, Score: 9, Note: texts.Feedback });
  const created = await send('task/create', { ContactId: contact, Description: texts.Task });
  const Task = Number(created['TaskId']);
  await send('task/complete', { TaskId: Task, Note: texts.TaskNote });
  await send('contacts/addupdate', { Id: contact, FlashMessage: texts.Flash, Notes: [{ Body: texts.ContactNote }] });
  await send('contacts/logcall', { Chars: JSON.stringify({ ContactId: contact, Note: texts.CallNote }) });
  await send('contacts/logcall', { Chars: JSON.stringify({ ContactId: contact, Phone: texts.CallPhone }) });
  const upload = { ContactId: contact, Note: texts.FileNote };
  const Content = Buffer.from(`content of ${contact}`).toString('base64');
  const sent = await send('contacts/upload', { upload, files: [{ Filename: `${texts.Filename}.txt`, Content }] });
  const [Upload = 0] = (sent['upload'] as { UploadIds: number[] }).UploadIds;
  const callsOf = async () => {
    const recent = await listRecentCalls(accountStore(testTable(), account.accountId), {
      count: 200,
      isUnattached: false,
    });
    return recent.filter(({ ContactId }) => ContactId === contact);
  };
  return {
    ids: { Invoice, Payment, Proposal, Appointment, Task, Upload, Contact: contact },
    read: async () => [
      await send('invoice/get', { InvoiceId: Invoice }),
      await send('payment/query', { InvoiceId: Invoice }),
      await send('proposal/details', { Id: Proposal }),
      await send('appointments/query', { ContactId: contact }),
      await send('task/query', { TaskId: Task }),
      await send('contacts/locate', { IdSearch: contact }),
      await callsOf(),
    ],
  };
}

/** Every text of an answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What is written into a place: `certain` and `only` name the person, `none` nobody. */
const someMention = fc.record({
  kind: fc.constantFrom('certain', 'only', 'none', 'none'),
  isFormer: fc.boolean(),
  form: fc.nat(),
  before: someFiller,
  after: someFiller,
});
type Mention = (typeof someMention extends fc.Arbitrary<infer Value> ? Value : never) & object;
type Mentions = Readonly<Record<Place, Mention>>;
const someMentions = fc.record(
  Object.fromEntries(placeNames.map((name) => [name, someMention])),
) as fc.Arbitrary<Mentions>;

const scenario = fc.record({
  now: somePerson,
  once: somePerson,
  own: someMentions,
  others: someMentions,
  redacts: fc.boolean(),
});

/** What names the person in a text, if anything does. */
function formOf({ kind, isFormer, form }: Mention, now: SomePerson, once: SomePerson): string {
  const forms = kind === 'none' ? [] : (isFormer ? once : now)[kind];
  return forms[form % forms.length] ?? '';
}

/** Phones of calls and names of files are texts of their own kind: a number, and words without slashes. */
function textOf(place: Place, mention: Mention, form: string): string {
  const text = form ? around(mention.before, form, mention.after) : `${mention.before}, ${mention.after}`;
  if (place === 'CallPhone') return /^[\d\s()+.-]{7,}$/.test(form) ? form : '';
  return place === 'Filename' ? text.replaceAll('/', '-').replaceAll(/[<>]/g, '') : text;
}

test('random persons leave no word in their own records, and what certainly means them in others is listed', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ now, once, own, others, redacts }) => {
      account = await bookable();
      const contact = idIn(await send('contacts/addupdate', once.fields));
      await send('contacts/addupdate', { Id: contact, ...now.fields });
      const neighbour = idIn(await send('contacts/addupdate', { Name: 'Quentin Quarz', Email: 'quentin@example.com' }));
      // Each text is unlike every other.
      const compose = (of: string, mentions: Mentions) =>
        Object.fromEntries(
          placeNames.map((place) => {
            const mention = { ...mentions[place], before: `${mentions[place].before} ${of}${place}` };
            return [place, textOf(place, mention, formOf(mention, now, once))];
          }),
        ) as Texts;
      const [ownTexts, otherTexts] = [compose('own', own), compose('other', others)];
      const ownRecords = await write(contact, ownTexts);
      const otherRecords = await write(neighbour, otherTexts);
      await drainEvents();
      const { erasure, unfinished } = await eraseNow(account.accountId, contact, { redactMentions: redacts });
      expect(unfinished).toEqual([]);

      const words = new Set([...now.words, ...once.words]);
      const left = textsIn(await ownRecords.read()).filter((text) => foldedWords(text).some((word) => words.has(word)));
      expect(left).toEqual([]);
      const ownLeft = textsIn(await ownRecords.read());
      for (const place of placeNames.filter((name) => places[name].kept))
        if (own[place].kind === 'none') expect(ownLeft, place).toContain(ownTexts[place]);

      const isCertain = (place: Place) => others[place].kind === 'certain' && otherTexts[place] !== '';
      const expected = placeNames.filter(isCertain).flatMap((place) => places[place].fields);
      // The company's own client may have the name of the person: José García.
      const mentions = (erasure.Mentions ?? []).filter(({ Kind, Id }) => Kind !== 'Contact' || Id !== account.contact);
      const listed = mentions.map(({ Kind, Field }) => `${Kind} ${Field}`);
      expect(new Set(listed)).toEqual(new Set(expected));
      for (const { Kind, Id } of mentions) if (Kind !== 'Call') expect(Id, Kind).toBe(otherRecords.ids[Kind]);

      const otherLeft = textsIn(await otherRecords.read()).join('\n');
      for (const place of placeNames) {
        const { before, after } = others[place];
        if (!redacts || !isCertain(place)) expect(otherLeft, place).toContain(otherTexts[place]);
        else if (place !== 'CallPhone') {
          expect(otherLeft, place).not.toContain(otherTexts[place]);
          expect(otherLeft, place).toContain(before);
          expect(otherLeft, place).toContain(after);
        }
      }
      const gone = (texts: Texts, isGone: (place: Place) => boolean) =>
        placeNames.filter((place) => place !== 'CallPhone' && isGone(place)).map((place) => texts[place]);
      const redacted = gone(otherTexts, (place) => redacts && isCertain(place));
      const removed = [...redacted, ...gone(ownTexts, (place) => own[place].kind !== 'none')];
      const events = (await eventsOf(account)).map((event) => textsIn(event).join('\n')).join('\n');
      expect(removed.filter((text) => events.includes(text))).toEqual([]);
      expect(otherLeft.includes(ERASED)).toBe(redacts && placeNames.some(isCertain));
    }),
    { numRuns: Number(process.env['ERASURE_RUNS'] ?? 1), endOnFailure: true },
  );
});
