import { isOpenProposal } from '../entities/proposal-status.ts';
import { isOver } from '../domain/appointments/record.ts';
import { phoneKeys } from '../domain/contacts/apply-input.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import { ownedRecordEntity } from '../entities/entries.ts';
import { invoiceEntity, isOpenInvoice } from '../entities/invoices.ts';
import { proposalEntity } from '../entities/proposals.ts';
import { taskEntity, isOpenTask } from '../entities/tasks.ts';
import { unchangedAppointment, visitItems } from './appointments.ts';
import { callChange, findCalls } from './contacts/calls.ts';
import { toEntryKey, writeUnclaimedRemovals } from './contacts/contact-entries.ts';
import { entryOf, guardKey, guardRanges, indexEntries } from './contacts/contact-index.ts';
import { contactChanges, findContacts, findTaken, newGuardRanges } from './contacts/contacts.ts';
import type { Item } from './dynamodb/changes.ts';
import { StoreConflict, retryOnConflict } from './dynamodb/errors.ts';
import { listIdChunks } from './dynamodb/records.ts';
import { openPartition } from './indexes.ts';
import { findOrganizations } from './organizations/organizations.ts';
import { listAllUsers } from './organizations/users.ts';
import { accountWideGuards, attributes, layout } from './keys.ts';
import { normalizeEmail, writtenEmail } from '../shared/text/text.ts';
import type { StoreWriter } from './store.ts';

const organizationOf = (item: Item): number => ownedRecordEntity.part('OrganizationId').read(item).OrganizationId;

/** Kinds with a range of open records, and whether a stored record is open. */
const openKinds = {
  Task: { keyPattern: layout.task, isOpen: (item: Item) => isOpenTask(taskEntity.part('CompletedAt').read(item)) },
  Appointment: {
    keyPattern: layout.appointment,
    isOpen: (item: Item) => !isOver(appointmentEntity.part('Status').read(item)),
  },
  Proposal: {
    keyPattern: layout.proposal,
    isOpen: (item: Item) => isOpenProposal(proposalEntity.part('Status').read(item).Status),
  },
  Invoice: {
    keyPattern: layout.invoice,
    isOpen: (item: Item) => isOpenInvoice(invoiceEntity.part('Status').read(item).Status),
  },
} as const;

/**
 * Puts the index entries of all contacts, as the current version of the code has them; returns the number of contacts.
 * Entries may be more than the truth, so it is safe to repeat, to interrupt, and to run while contacts change.
 */
async function writeContactIndex(store: StoreWriter): Promise<number> {
  const { table, account } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Contact')) {
    const contacts = await findContacts(store, ids);
    const entries = contacts.flatMap((contact) => indexEntries(store, contact));
    await table.putMany(entries);
    // Those of contacts that changed meanwhile.
    await writeUnclaimedRemovals(table, account, entries.map(toEntryKey));
    count += contacts.length;
  }
  return count;
}

/**
 * Moves open records into the range of open work, each as a new version without an event, because none of its fields
 * changes; returns their number. Safe to repeat: a record that somebody changes meanwhile moves with that change.
 */
async function writeOpenRanges(store: StoreWriter): Promise<number> {
  const { table, account } = store;
  let count = 0;
  for (const [kind, { keyPattern, isOpen }] of Object.entries(openKinds))
    for await (const ids of listIdChunks(store, kind as keyof typeof openKinds)) {
      const items = await table.getMany(ids.map((id) => keyPattern.key({ account, id })));
      for (const item of items.filter(isOpen)) {
        const partition = openPartition(store, kind, organizationOf(item));
        if (item['GSI3PK'] === partition) continue;
        const version = Number(item[attributes.version]);
        const set = { GSI3PK: partition, [attributes.version]: version + 1 };
        const condition = { equals: { [attributes.version]: version } };
        await table.commit([{ update: { PK: item.PK, SK: item.SK }, set, if: condition }]).catch(ignoreConflict);
        count++;
      }
    }
  return count;
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof StoreConflict)) throw error;
}

/**
 * Puts calls of earlier versions into the indexes; returns their number. No event: none of their fields changes. Safe
 * to repeat.
 */
export async function writeCallIndexes(store: StoreWriter): Promise<number> {
  const { table } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Call'))
    for (const call of await findCalls(store, ids)) {
      if (call.PhoneKey !== undefined) continue;
      await table.commit([callChange(store, call, { ...call, NoteId: null, PhoneKey: '' })]).catch(ignoreConflict);
      count++;
    }
  return count;
}

/**
 * Dates the notes of contacts that have none with a time: retention rules count them from now. No event. Safe to
 * repeat.
 */
export async function writeNoteAges(store: StoreWriter, now: Date): Promise<number> {
  const { table } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Contact'))
    for (const before of await findContacts(store, ids)) {
      if (before.OldestNote !== undefined || (!before.Notes.length && !before.NotePages)) continue;
      const after = { ...before, OldestNote: now.getTime() };
      const changes = contactChanges(store, [{ before, after, guards: [] }], { now });
      await table.commit(changes).catch(ignoreConflict);
      count++;
    }
  return count;
}

/**
 * Has contacts found by their phones as this version reads them; returns the number of contacts that change. No event.
 * Safe to repeat.
 */
export async function writePhoneKeys(store: StoreWriter, now: Date): Promise<number> {
  const { table } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Contact')) {
    const contacts = await findContacts(store, ids);
    const organizationIds = [...new Set(contacts.map(({ OrganizationId }) => OrganizationId))];
    const organizations = await findOrganizations(store, organizationIds);
    for (const before of contacts) {
      const organization = organizations.find(({ Id }) => Id === before.OrganizationId);
      if (!organization) continue;
      const { phone, altPhone } = phoneKeys(before, organization);
      const after = { ...before, PhoneKey: phone ?? '', AltPhoneKey: altPhone ?? '' };
      if (after.PhoneKey === before.PhoneKey && after.AltPhoneKey === before.AltPhoneKey) continue;
      const guards = await Promise.all(
        newGuardRanges(store, { before, after }).map((range) => findTaken(table, range, before.OrganizationId)),
      );
      await table.commit(contactChanges(store, [{ before, after, guards }], { now })).catch(ignoreConflict);
      count++;
    }
  }
  return count;
}

/**
 * Gives contacts whose domain of e-mail was written as `xn--` the entry of its Unicode form; returns how many. Safe to
 * repeat: one that has it gets no other.
 */
export async function writeEmailEntries(store: StoreWriter): Promise<number> {
  const { table } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Contact'))
    for (const contact of await findContacts(store, ids)) {
      const { Id, Email, OrganizationId } = contact;
      const [range] = guardRanges(store, contact);
      if (!Email || !range || normalizeEmail(Email) === writtenEmail(Email)) continue;
      await retryOnConflict(async () => {
        const taken = await findTaken(table, range, OrganizationId);
        if (taken.ids.includes(Id)) return;
        const put = entryOf(guardKey(range, OrganizationId, taken.next.get(OrganizationId) ?? 0), contact);
        await table.commit([{ put, if: 'absent' }]);
        count++;
      });
    }
  return count;
}

/**
 * Moves the guard of each user's e-mail from the domain as it was written to its Unicode form; returns how many. Where
 * two users have one mailbox, the second keeps its own. Safe to repeat.
 */
export async function moveEmailGuards(store: StoreWriter): Promise<number> {
  const { account, table } = store;
  let count = 0;
  for (const { Id, Email, OrganizationId: organization } of await listAllUsers(store)) {
    const [key, former] = [normalizeEmail(Email), writtenEmail(Email)].map((email) =>
      layout.userEmail.key({ account, organization, email }),
    );
    if (!key || !former || key.PK === former.PK) continue;
    const found = await table.get(former);
    if (found?.['Id'] !== Id) continue;
    const removal = { remove: former, if: { equals: { Id } } };
    await table.commit([{ put: { ...found, ...key }, if: 'absent' }, removal]).then(() => count++, ignoreConflict);
  }
  return count;
}

/**
 * Puts the visits of all agents into their lists; returns the number of appointments. Safe to repeat: an appointment
 * that changes meanwhile writes its own, and `fs check` removes one that is not its record's any more.
 */
export async function writeAgentVisits(store: StoreWriter): Promise<number> {
  const { table, account } = store;
  let count = 0;
  for await (const ids of listIdChunks(store, 'Appointment')) {
    const items = await table.getMany(ids.map((id) => layout.appointment.key({ account, id })));
    for (const item of items) {
      const appointment = appointmentEntity.read(item);
      const puts = visitItems(store, appointment).map((put) => ({ put }));
      if (puts.length) await table.commit([...puts, unchangedAppointment(store, appointment)]).catch(ignoreConflict);
      count++;
    }
  }
  return count;
}

/** Records with a guard that was unique in the account, and its former and its present key. */
const guarded = {
  User: { place: layout.user, guard: layout.userEmail, former: accountWideGuards.userEmail },
  Payment: { place: layout.payment, guard: layout.transaction, former: accountWideGuards.transaction },
  Appointment: { place: layout.appointment, guard: layout.callCenter, former: accountWideGuards.callCenter },
} as const;

/** What a guard is of, if the record has one. */
const guardedValues = ({ Email, TransactionId, CallCenterTransactionId }: Item) => ({
  email: normalizeEmail(typeof Email === 'string' ? Email : ''),
  transaction: (TransactionId ?? CallCenterTransactionId ?? '') as string | number,
});

/** Gives guards to the organization of their record; returns their number. Safe to repeat. */
export async function moveGuards(store: StoreWriter): Promise<number> {
  const { table, account } = store;
  let count = 0;
  for (const [kind, { place, guard, former }] of Object.entries(guarded))
    for await (const ids of listIdChunks(store, kind as keyof typeof guarded))
      for (const item of await table.getMany(ids.map((id) => place.key({ account, id })))) {
        const values = guardedValues(item);
        if (!values.email && !values.transaction) continue;
        const key = guard.key({ account, organization: organizationOf(item), ...values });
        const found = await table.get({ PK: key.PK, SK: former });
        if (found?.['Id'] !== item['Id']) continue;
        const removal = { remove: { PK: key.PK, SK: former }, if: { equals: { Id: item['Id'] } } };
        await table.commit([{ put: { ...found, ...key }, if: 'absent' }, removal]).catch(ignoreConflict);
        count++;
      }
  return count;
}

/** Writes the index of an account as this version has it; returns the number of records. Safe to repeat. */
export const writeIndex = async (store: StoreWriter): Promise<number> =>
  (await writeContactIndex(store)) + (await writeOpenRanges(store));
