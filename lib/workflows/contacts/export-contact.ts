import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { messageEntity } from '../../entities/messages.ts';
import { callToResource } from '../../domain/calls.ts';
import { fileKey } from '../../domain/uploads/record.ts';
import { type EventRelations, noRelations } from '../../events/entity-kind.ts';
import { eventPayload } from '../../events/event-text.ts';
import { recordResource } from '../../events/kinds.ts';
import type { Files } from '../../files/s3.ts';
import { notFound } from '../../shared/failure.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import { listContactRecordIds, listPersonCalls } from '../../store/contacts/erasures.ts';
import { listAllMerges } from '../../store/contacts/merges.ts';
import { findQueue, listStoredEvents } from '../../store/events/events.ts';
import { findEvidence } from '../../store/sales/evidence.ts';
import { layout } from '../../store/keys.ts';
import { settingsOf } from '../../store/settings.ts';
import { listContactUploads } from '../../store/uploads.ts';
import { listMessagesOf } from '../messages/list-contact-messages.ts';
import { loadContactResources } from './load-contact.ts';
import type { StoreReader } from '../../store/store.ts';

/** A file of an export; JSON unless it holds bytes. */
export interface ExportedFile {
  readonly path: string;
  readonly content: Uint8Array | object | string;
}

export interface ExportOptions {
  readonly contactId: number;
  /** `undefined` on a stack without a bucket. */
  readonly files: Files | undefined;
  readonly now: Date;
}

const kinds = [
  { kind: 'Task', keyPattern: layout.task, path: 'tasks.json' },
  { kind: 'Appointment', keyPattern: layout.appointment, path: 'appointments.json' },
  { kind: 'Proposal', keyPattern: layout.proposal, path: 'proposals.json' },
  { kind: 'Invoice', keyPattern: layout.invoice, path: 'invoices.json' },
  { kind: 'Payment', keyPattern: layout.payment, path: 'payments.json' },
] as const;

/**
 * Everything that is stored about a person, one file after another: the contact with all notes, calls, appointments,
 * proposals with evidence and signature, invoices, payments, tasks, uploaded files and the events still held. Reads
 * bounded ranges of the account: those of the contact, and its stored events.
 */
export async function* exportContact(store: StoreReader, options: ExportOptions): AsyncGenerator<ExportedFile> {
  const { table, account } = store;
  const { contactId, now, files } = options;
  const [contact] = await findContacts(store, [contactId]);
  if (!contact) throw notFound('contact', 'ContactId', contactId);
  const mergedIds = (await listAllMerges(store, contactId)).map(({ MergedId }) => MergedId);
  const merged = await findContacts(store, mergedIds, { asRecorded: true });
  const persons = [contactId, ...mergedIds];
  yield { path: 'README.md', content: README };
  const [resource, ...mergedResources] = await loadContactResources(store, [contact, ...merged], {
    caller: { role: 'ReadOnly' },
    now,
    paymentOnFile: true,
  });
  yield { path: 'contact.json', content: resource ?? {} };
  if (mergedResources.length) yield { path: 'merged-contacts.json', content: mergedResources };
  const calls = await Promise.all([contact, ...merged].map((each) => listPersonCalls(store, each)));
  const byId = new Map(calls.flat().map((call) => [call.Id, call]));
  yield { path: 'calls.json', content: [...byId.values()].map(callToResource) };

  const relations = await loadRelations(store);
  for (const { kind, keyPattern, path } of kinds) {
    const ids = (await Promise.all(persons.map((id) => listContactRecordIds(store, id, kind)))).flat();
    const items = ids.length ? await table.getMany(ids.map((id) => keyPattern.key({ account, id }))) : [];
    yield { path, content: items.sort(oldestFirst).map((item) => recordResource(kind, item, relations)) };
    if (kind === 'Proposal') yield* exportEvidence(store, ids);
  }

  const messages = await listMessagesOf(store, contactId);
  yield { path: 'messages.json', content: messages.map((message) => messageEntity.toResource(message)) };

  const uploads = (await Promise.all(persons.map((id) => listContactUploads(store, id)))).flat();
  yield { path: 'files.json', content: uploads.map((upload) => recordResource('Upload', upload, relations)) };
  for (const upload of uploads) {
    const bytes = await files?.getBytes(fileKey(account, upload));
    if (bytes) yield { path: `files/${upload.Id}-${upload.Filename.replaceAll(/[^\w.-]+/g, '_')}`, content: bytes };
  }
  yield { path: 'events.json', content: await loadEvents(store, now, persons) };
}

const oldestFirst = (one: Item, other: Item): number => (one['Id'] as number) - (other['Id'] as number);

/** Data of the account that records quote. */
async function loadRelations(store: StoreReader): Promise<EventRelations> {
  const [customFields, taxRates] = await Promise.all([
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
  ]);
  return { ...noRelations, lists: { customFields, taxRates } };
}

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/svg+xml': 'svg' };

/** The evidence of each signed proposal, in the form that `proposal verify` reads, and the picture of its signature. */
async function* exportEvidence(store: StoreReader, ids: readonly number[]): AsyncGenerator<ExportedFile> {
  for (const id of ids) {
    const found = await findEvidence(store, id);
    if (found.kind !== 'found') continue;
    const { Signature, SignatureType } = found.evidence;
    yield { path: `evidence/proposal-${id}.json`, content: found.evidence };
    const ending = endings[SignatureType] ?? 'bin';
    yield { path: `evidence/proposal-${id}-signature.${ending}`, content: Buffer.from(Signature, 'base64') };
  }
}

const STRETCH = 500;

/** The readable events about the contact, oldest first, as datasubscriber/fetch returns them. */
async function loadEvents(store: StoreReader, now: Date, persons: readonly number[]): Promise<object[]> {
  const { next, last } = await findQueue(store, '', now);
  const events: object[] = [];
  for (let first = next; first <= last; first += STRETCH)
    for (const { id, payload } of await listStoredEvents(store, first, Math.min(last, first + STRETCH - 1))) {
      const event = eventPayload(payload);
      if (persons.some((id) => id === event.ContactId)) events.push({ Id: id, Payload: event });
    }
  return events;
}

const README = `# Everything that is stored about one person

| file | content |
| --- | --- |
| contact.json | name, addresses, numbers, consents, tags, custom fields and all notes |
| merged-contacts.json | contacts that were merged into it, as they were |
| calls.json | logged calls, with the whole records as sent |
| tasks.json | tasks about the person |
| appointments.json | appointments, with notes, tips and feedback |
| proposals.json | proposals with their lines and prices |
| evidence/ | of each signed proposal the signed content with its hashes, and the signature |
| invoices.json, payments.json | invoices with their lines; payments and refunds |
| messages.json | e-mails and texts that were sent, without their content |
| files.json, files/ | uploaded pictures and documents |
| events.json | the changes of the last weeks, as other systems receive them |

Times are in UTC (ISO 8601), amounts in the currency of the company. The fields are those of the API's documentation.
`;
