import type { ContactRecord } from '../entities/contacts.ts';
import { type MessageRecord, type Notice, messageEntity, noticeEntity } from '../entities/messages.ts';
import { type MessageReport, afterReport } from '../domain/messages/reports.ts';
import { VISIT_CHANGES } from '../domain/messages/topics.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { listRange, versionedChange } from './dynamodb/records.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { delayedMessageChange } from './events/delayed-messages.ts';
import { type Key, attributes, layout, sortable } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';
import { ownKey } from './visibility.ts';

/** Messages to clients by contact, and the notices of changed visits without a message yet. */

/** Messages to the office are in the partition of contact 0. */
const OFFICE = 0;

export const messageKey = (
  { account }: StoreAccount,
  { ContactId, Due, Kind: kind, Noun: noun, RecordId: id, Channel: channel }: NewMessage,
): Key => layout.message.key({ account, contact: ContactId ?? OFFICE, due: sortable(Due), kind, noun, id, channel });

const isMessageKey = ({ PK }: Key): boolean => PK.split('#')[2] === 'MESSAGES';

/** The message of a key; `undefined` if there is none, or the key is of something else. */
export async function findMessage(store: StoreReader, key: Key): Promise<MessageRecord | undefined> {
  const item = isMessageKey(key) ? await store.table.get(ownKey(store, key)) : undefined;
  return item && messageEntity.read(item);
}

export type NewMessage = Omit<MessageRecord, 'V' | 'Created' | 'Updated'>;

/**
 * The change that stores a new message, which the stream hands to its queue. Its first version causes no event. A
 * message of the same kind, about the same record and due at the same moment, is the same message.
 */
export function newMessageChange(
  store: StoreAccount,
  message: NewMessage,
  { keptDays, now }: { readonly keptDays: number; readonly now: Date },
): Change {
  const record = messageEntity.blank({ ...message, Created: now.getTime() });
  const { change } = versionedChange(messageEntity, messageKey(store, record), {
    before: undefined,
    after: { ...record, Updated: now.getTime() },
  });
  if (!('put' in change)) return change;
  const waiting = record.State === 'Waiting' ? { Queue: 'outbox' } : {};
  const put = {
    ...change.put,
    ...waiting,
    [attributes.silentVersion]: 1,
    TTL: ttlAfter(now, (keptDays * DAY) / SECOND),
  };
  return { ...change, put };
}

/** For two channels of a message they leave room in a transaction of 100 changes. */
const MAX_FORMER = 40;

/**
 * The checks that a new message is not one that a contact got before it was merged into this one: a decision may be
 * repeated after the merge. They must hold for the new message to be stored. Those of contacts that were merged before
 * the last 40 are left out: no decision is repeated for that long.
 */
export const formerMessageChecks = (
  store: StoreAccount,
  message: NewMessage,
  { MergedContacts }: Pick<ContactRecord, 'MergedContacts'>,
): Change[] =>
  MergedContacts.slice(-MAX_FORMER).map(({ Id: ContactId }) => ({
    check: messageKey(store, { ...message, ContactId }),
    if: 'absent',
  }));

/** Stores changes of a message if it is as it was read; `undefined` if another run changed it meanwhile. */
export async function writeMessage(
  store: StoreWriter,
  before: MessageRecord,
  changes: Partial<MessageRecord>,
  now: Date,
  key = messageKey(store, before),
): Promise<MessageRecord | undefined> {
  const set = { ...changes, Updated: now.getTime(), V: before.V + 1 };
  const update = { update: ownKey(store, key), set, if: { equals: { V: before.V } } } as const;
  try {
    await store.table.commit([update]);
    return { ...before, ...set };
  } catch (error) {
    if (error instanceof StoreConflict && !error.transient) return undefined;
    throw error;
  }
}

/** Postpones a message: it comes to its queue again at `at`. Safe to repeat. */
export const writePostponedMessage = (store: StoreWriter, message: MessageRecord, at: number): Promise<void> =>
  store.table.commit([delayedMessageChange({ queue: 'outbox', message: messageKey(store, message), at })]);

/**
 * Stores at once what became of a message, and returns the message; `undefined` if it is gone, with its contact. Safe
 * to repeat, and in any order: a report that is older than what is known changes nothing.
 */
export async function writeMessageReport(
  store: StoreWriter,
  key: Key,
  report: MessageReport,
): Promise<MessageRecord | undefined> {
  const before = await findMessage(store, key);
  if (!before) return undefined;
  const { State, Reason } = afterReport(before, report);
  if (State === before.State) return before;
  const changed = await writeMessage(store, before, { State, Reason, ClaimedUntil: 0 }, new Date(report.at), key);
  return changed ?? writeMessageReport(store, key, report);
}

const partitionOf = ({ account }: StoreAccount, contact: number | null): string =>
  layout.message.of({ account, contact: contact ?? OFFICE });

/** A page of the messages of contacts, newest first; `null` is the office. A query for each contact. */
export async function listMessages(
  store: StoreReader,
  contacts: readonly (number | null)[],
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly messages: MessageRecord[]; readonly hasMore: boolean }> {
  const limit = skip + take + 1;
  const lists = await Promise.all(
    contacts.map((contact) => {
      const range = { partition: partitionOf(store, contact), descending: true, consistent: true };
      return listRange(store.table, range, { limit });
    }),
  );
  const newest = lists.flat().sort((one, other) => (one.SK < other.SK ? 1 : -1));
  const messages = newest.slice(skip, skip + take).map((item) => messageEntity.read(item));
  return { messages, hasMore: newest.length > skip + take };
}

/** All messages of a contact, oldest first. They are kept for two years, or what the account sets. */
export const listAllMessages = async (store: StoreReader, contact: number | null): Promise<MessageRecord[]> =>
  (await listRange(store.table, { partition: partitionOf(store, contact), consistent: true })).map((item) =>
    messageEntity.read(item),
  );

/** The notice of a changed visit. */
export interface VisitNotice extends Notice {
  readonly visitId: number;
  readonly key: Key;
}

/** More visits of a series than change at once. */
const MAX_NOTICES = 1_000;

/** The notices of a visit, or of the visits of a series. */
export async function listNotices({ account, table }: StoreReader, group: number): Promise<VisitNotice[]> {
  const partition = layout.notice.of({ account, noun: 'Appointment', id: group });
  const range = { partition, from: `${VISIT_CHANGES}#`, to: `${VISIT_CHANGES}#~`, consistent: true };
  return (await listRange(table, range, { limit: MAX_NOTICES })).map(toNotice);
}

const toNotice = (item: Item): VisitNotice => ({
  ...noticeEntity.readDeclared(item),
  visitId: Number(item.SK.split('#')[1]),
  key: { PK: item.PK, SK: item.SK },
});

/** Removes a notice that is decided, unless the visit has changed since. */
export const noticeRemoval = ({ key, At }: VisitNotice): Change => ({ remove: key, if: { equals: { At } } });
