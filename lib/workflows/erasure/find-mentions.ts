import { isErased } from '../../entities/erased-contacts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type PersonalNoun, nouns, personalNouns } from '../../entities/nouns.ts';
import { hasEvent } from '../../events/event.ts';
import { isSigned } from '../../domain/contacts/erasure.ts';
import { type Mention, likenessOf, mentionsIn, redactMentions } from '../../domain/contacts/mentions.ts';
import type { Person } from '../../domain/contacts/person.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { callChange } from '../../store/contacts/calls.ts';
import {
  contactChanges,
  contactSummaryChanges,
  listOlderNotePages,
  writeNotePage,
} from '../../store/contacts/contacts.ts';
import { isEqual } from '../../shared/objects.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import { listIdChunks } from '../../store/dynamodb/records.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { type Key, layout } from '../../store/keys.ts';
import { invoiceChanges } from '../../store/sales/invoices.ts';
import { paymentChanges } from '../../store/sales/payments.ts';
import { proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { taskChanges } from '../../store/tasks.ts';
import { uploadChanges } from '../../store/uploads.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

interface Search {
  /** The contact whose own records are left out. */
  readonly contactId: number;
  /** The person as identified in texts of others. */
  readonly person: Person;
  /** The person including what other contacts share. */
  readonly likeness: Person;
}

interface RedactingSearch extends Search {
  readonly now: () => Date;
}

const patterns: Readonly<Record<PersonalNoun, { key(of: { account: string; id: number }): Key }>> = {
  Contact: layout.contact,
  Call: layout.call,
  Task: layout.task,
  Appointment: layout.appointment,
  Proposal: layout.proposal,
  Invoice: layout.invoice,
  Payment: layout.payment,
  Upload: layout.upload,
};

/** The contact that a record belongs to. */
const contactOf = (kind: PersonalNoun, item: Item): unknown => item[kind === 'Contact' ? 'Id' : 'ContactId'];

/** Texts of other records that mention a person. Reads every record of the account, by id, 100 at once. */
export async function findMentions(store: StoreReader, search: Search): Promise<Mention[]> {
  const { table, account } = store;
  const found: Mention[] = [];
  for (const kind of personalNouns)
    for await (const ids of listIdChunks(store, kind)) {
      const items = await table.getMany(ids.map((id) => patterns[kind].key({ account, id })));
      for (const item of items) found.push(...(await mentionsOf(store, kind, item, search)));
    }
  return found;
}

async function mentionsOf(
  store: StoreReader,
  kind: PersonalNoun,
  item: Item,
  { contactId, person, likeness }: Search,
): Promise<Mention[]> {
  if (contactOf(kind, item) === contactId || isErased(item)) return [];
  const record = nouns[kind].read(item);
  const written = mentionsIn(kind, record, person);
  if (kind === 'Call' && !item['ContactId']) return callMentions(written, record, likeness);
  if (kind !== 'Contact') return written;
  const own = [...written, ...likenessOf(record as ContactRecord, likeness)];
  if (own.some(({ Field }) => Field === 'Notes')) return own;
  const pages = await listOlderNotePages(store, record as ContactRecord);
  const [older] = pages.flatMap(({ notes }) => mentionsIn('Contact', { Id: record.Id, Notes: notes } as never, person));
  return [...own, ...(older ? [older] : [])];
}

/** A call that may belong to the person or to another contact with the number is listed by its Phone. */
const callMentions = (written: readonly Mention[], record: { readonly Id: number }, likeness: Person): Mention[] => [
  ...written,
  ...mentionsIn('Call', record, likeness).filter(
    ({ Field }) => Field === 'Phone' && !written.some((mention) => mention.Field === Field),
  ),
];

/** A record without a person: the changes that store it, and the name of the change if it becomes an event. */
interface Redaction {
  readonly changes: readonly Change[];
  readonly written: readonly string[];
}

const nothing: Redaction = { changes: [], written: [] };

/** Removes a person from what people wrote in a record; a signed contract stays whole. */
async function redaction(
  store: StoreWriter,
  { Kind, Id: id }: Mention,
  { person, now: at }: RedactingSearch,
): Promise<Redaction> {
  const { table, account } = store;
  const item = await table.get(patterns[Kind].key({ account, id }));
  if (!item || isErased(item)) return nothing;
  const now = at();
  const versions = <RecordType extends object>(before: RecordType) => ({
    before,
    after: redactMentions(Kind, before, person),
    now,
  });
  const redacted = (
    { before, after }: { readonly before: { readonly V: number }; readonly after: object },
    changes: readonly Change[],
  ): Redaction =>
    isEqual(before, after)
      ? nothing
      : { changes, written: hasEvent(Kind, before, after) ? [`${Kind}.${id}.${before.V + 1}`] : [] };
  switch (Kind) {
    case 'Contact': {
      const both = versions(nouns.Contact.read(item));
      for (const { key, notes } of await listOlderNotePages(store, both.before)) {
        const older = redactMentions('Contact', { Notes: notes }, person);
        if (mentionsIn('Contact', { Id: id, Notes: notes } as never, person).length)
          await writeNotePage(store, key, older.Notes);
      }
      return redacted(both, contactChanges(store, [{ ...both, guards: [] }], { now }));
    }
    case 'Call': {
      const { before, after } = versions(nouns.Call.read(item));
      // A partly redacted address leads nowhere.
      const RecordingUrl = before.RecordingUrl === after.RecordingUrl ? after.RecordingUrl : '';
      const PhoneKey = before.Phone === after.Phone ? after.PhoneKey : '';
      const both = { before, after: { ...after, RecordingUrl, PhoneKey } };
      return redacted(both, [callChange(store, both.before, both.after)]);
    }
    case 'Task': {
      const both = versions(nouns.Task.read(item));
      return redacted(both, [taskChanges(store, both).change]);
    }
    case 'Appointment': {
      const both = versions(nouns.Appointment.read(item));
      return redacted(both, appointmentChanges(store, both).changes);
    }
    case 'Proposal': {
      const both = versions(nouns.Proposal.read(item));
      if (isSigned(both.before)) return nothing;
      const { changes, contactSummary } = await proposalWithParentChanges(store, both);
      const summary = contactSummaryChanges(store, both.before.ContactId, contactSummary, now);
      return redacted(both, [...changes, ...summary]);
    }
    case 'Invoice': {
      const both = versions(nouns.Invoice.read(item));
      const { changes, contactSummary } = invoiceChanges(store, both);
      const summary = { ...contactSummary, customer: false };
      return redacted(both, [...changes, ...contactSummaryChanges(store, both.before.ContactId, summary, now)]);
    }
    case 'Payment': {
      const both = versions(nouns.Payment.read(item));
      return redacted(both, paymentChanges(store, both).changes);
    }
    case 'Upload': {
      const both = versions(nouns.Upload.read(item));
      return redacted(both, uploadChanges(store, both).changes);
    }
  }
}

/**
 * Redacts the records that mention a person. `commit` stores the changes of one record, and the names of those that
 * become events: once these are queued, no event of an earlier state comes later. Writes at once. Safe to repeat: a
 * redacted record mentions nobody.
 */
export async function writeRedactedMentions(
  store: StoreWriter,
  mentions: readonly Mention[],
  search: RedactingSearch,
  commit: (changes: readonly Change[], written: readonly string[]) => Promise<void>,
): Promise<void> {
  const records = new Map(mentions.map((mention) => [`${mention.Kind} ${mention.Id}`, mention]));
  for (const mention of records.values())
    await retryUnavailable(async () => {
      const { changes, written } = await redaction(store, mention, search);
      await commit(changes, written);
    });
}
