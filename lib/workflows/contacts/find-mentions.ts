import { appointmentEntity } from '../../entities/appointments.ts';
import { callEntity } from '../../entities/calls.ts';
import { type ContactRecord, contactEntity, isErased } from '../../entities/contacts.ts';
import { invoiceEntity } from '../../entities/invoices.ts';
import { paymentEntity } from '../../entities/payments.ts';
import { proposalEntity } from '../../entities/proposals.ts';
import { taskEntity } from '../../entities/tasks.ts';
import { isSigned } from '../../domain/contacts/erasure.ts';
import {
  type Mention,
  type MentioningKind,
  mentionsIn,
  mentioningKinds,
  redactMentions,
} from '../../domain/contacts/mentions.ts';
import type { Person } from '../../domain/contacts/person.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { callChange } from '../../store/contacts/calls.ts';
import { listOlderNotePages, writeNotePage } from '../../store/contacts/contact-notes.ts';
import { contactChanges } from '../../store/contacts/contacts.ts';
import { contactSummaryChanges } from '../../store/contacts/contact-summary.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/client.ts';
import { listIdChunks } from '../../store/dynamodb/ids.ts';
import { retryUnavailable } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { invoiceChanges } from '../../store/sales/invoices.ts';
import { paymentChanges } from '../../store/sales/payments.ts';
import { proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { taskChanges } from '../../store/tasks.ts';

interface Search {
  readonly account: string;
  /** Whose own records are left out. */
  readonly contactId: number;
  readonly person: Person;
}

const kinds = {
  Contact: { entity: contactEntity, keyPattern: layout.contact },
  Call: { entity: callEntity, keyPattern: layout.call },
  Task: { entity: taskEntity, keyPattern: layout.task },
  Appointment: { entity: appointmentEntity, keyPattern: layout.appointment },
  Proposal: { entity: proposalEntity, keyPattern: layout.proposal },
  Invoice: { entity: invoiceEntity, keyPattern: layout.invoice },
  Payment: { entity: paymentEntity, keyPattern: layout.payment },
} as const;

/** The contact that a record is of. */
const contactOf = (kind: MentioningKind, item: Item): unknown => item[kind === 'Contact' ? 'Id' : 'ContactId'];

/** Texts of other records that mention a person. Reads every record of the account, by id, 100 at once. */
export async function findMentions(table: TableReader, search: Search): Promise<Mention[]> {
  const found: Mention[] = [];
  for (const kind of mentioningKinds)
    for await (const ids of listIdChunks(table, search.account, kind)) {
      const items = await table.getMany(ids.map((id) => kinds[kind].keyPattern.key({ account: search.account, id })));
      for (const item of items) found.push(...(await mentionsOf(table, kind, item, search)));
    }
  return found;
}

async function mentionsOf(
  table: TableReader,
  kind: MentioningKind,
  item: Item,
  { account, contactId, person }: Search,
): Promise<Mention[]> {
  if (contactOf(kind, item) === contactId || isErased(item)) return [];
  const record = kinds[kind].entity.read(item);
  const own = mentionsIn(kind, record, person);
  if (kind !== 'Contact' || own.some(({ Field }) => Field === 'Notes')) return own;
  const pages = await listOlderNotePages(table, account, record as ContactRecord);
  const [older] = pages.flatMap(({ notes }) => mentionsIn('Contact', { Id: record.Id, Notes: notes } as never, person));
  return [...own, ...(older ? [older] : [])];
}

/** The changes by which a record loses a person in what people wrote; none for a signed contract, which stays whole. */
async function redactionChanges(
  table: TableWriter,
  { Kind, Id: id }: Mention,
  { account, person }: Search,
  now: Date,
): Promise<Change[]> {
  const item = await table.get(kinds[Kind].keyPattern.key({ account, id }));
  if (!item || isErased(item)) return [];
  const versions = <RecordType extends object>(before: RecordType) => ({
    before,
    after: redactMentions(Kind, before, person),
    now,
  });
  switch (Kind) {
    case 'Contact': {
      const { before, after } = versions(contactEntity.read(item));
      for (const { key, notes } of await listOlderNotePages(table, account, before)) {
        const redacted = redactMentions('Contact', { Notes: notes }, person);
        if (mentionsIn('Contact', { Id: id, Notes: notes } as never, person).length)
          await writeNotePage(table, key, redacted.Notes);
      }
      return contactChanges(account, [{ before, after, guards: [] }], { now });
    }
    case 'Call': {
      const { before, after } = versions(callEntity.read(item));
      return [callChange(account, before, after)];
    }
    case 'Task':
      return [taskChanges(account, versions(taskEntity.read(item))).change];
    case 'Appointment':
      return [...appointmentChanges(account, versions(appointmentEntity.read(item))).changes];
    case 'Proposal': {
      const before = proposalEntity.read(item);
      if (isSigned(before)) return [];
      const { changes, contactSummary } = await proposalWithParentChanges(table, account, versions(before));
      return [...changes, ...contactSummaryChanges(account, before.ContactId, contactSummary, now)];
    }
    case 'Invoice': {
      const before = invoiceEntity.read(item);
      const { changes, contactSummary } = invoiceChanges(account, versions(before));
      const summary = { ...contactSummary, customer: false };
      return [...changes, ...contactSummaryChanges(account, before.ContactId, summary, now)];
    }
    case 'Payment':
      return paymentChanges(account, versions(paymentEntity.read(item))).changes;
  }
}

/** Redacts the records that mention a person. Writes at once. Safe to repeat: what is redacted mentions nobody. */
export async function writeRedactedMentions(
  table: TableWriter,
  mentions: readonly Mention[],
  search: Search,
  now: () => Date,
): Promise<void> {
  const records = new Map(mentions.map((mention) => [`${mention.Kind} ${mention.Id}`, mention]));
  for (const mention of records.values())
    await retryUnavailable(async () => table.commit(await redactionChanges(table, mention, search, now())));
}
