import { isOver } from '../domain/appointments/record.ts';
import { phoneKeys } from '../domain/contacts/apply-input.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import { ownedRecordEntity } from '../entities/entries.ts';
import { invoiceEntity } from '../entities/invoices.ts';
import { proposalEntity } from '../entities/proposals.ts';
import { taskEntity } from '../entities/tasks.ts';
import { unchangedAppointment, visitItems } from './appointments.ts';
import { callChange, findCalls } from './contacts/calls.ts';
import { toEntryKey, writeUnclaimedRemovals } from './contacts/contact-entries.ts';
import { entryOf, guardKey, guardRanges, indexEntries } from './contacts/contact-index.ts';
import { contactChanges, findContacts, findTaken, newGuardRanges } from './contacts/contacts.ts';
import type { Item } from './dynamodb/changes.ts';
import type { TableWriter } from './dynamodb/table.ts';
import { StoreConflict, retryOnConflict } from './dynamodb/errors.ts';
import { listIdChunks } from './dynamodb/records.ts';
import { openPartition } from './indexes.ts';
import { findOrganizations } from './organizations/organizations.ts';
import { listAllUsers } from './organizations/users.ts';
import { isOpenInvoice } from './sales/invoices.ts';
import { accountWideGuards, attributes, layout } from './keys.ts';
import { normalizeEmail, writtenEmail } from '../shared/text/text.ts';
import { isOpenProposal } from './sales/proposals.ts';
import { isOpenTask } from './tasks.ts';

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
async function writeContactIndex(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Contact')) {
    const contacts = await findContacts(table, account, ids);
    const entries = contacts.flatMap((contact) => indexEntries(account, contact));
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
async function writeOpenRanges(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for (const [kind, { keyPattern, isOpen }] of Object.entries(openKinds))
    for await (const ids of listIdChunks(table, account, kind as keyof typeof openKinds)) {
      const items = await table.getMany(ids.map((id) => keyPattern.key({ account, id })));
      for (const item of items.filter(isOpen)) {
        const partition = openPartition(account, kind, organizationOf(item));
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
export async function writeCallIndexes(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Call'))
    for (const call of await findCalls(table, account, ids)) {
      if (call.PhoneKey !== undefined) continue;
      await table.commit([callChange(account, call, { ...call, NoteId: null, PhoneKey: '' })]).catch(ignoreConflict);
      count++;
    }
  return count;
}

/**
 * Dates the notes of contacts that have none with a time: retention rules count them from now. No event. Safe to
 * repeat.
 */
export async function writeNoteAges(table: TableWriter, account: string, now: Date): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Contact'))
    for (const before of await findContacts(table, account, ids)) {
      if (before.OldestNote !== undefined || (!before.Notes.length && !before.NotePages)) continue;
      const after = { ...before, OldestNote: now.getTime() };
      const changes = contactChanges(account, [{ before, after, guards: [] }], { now });
      await table.commit(changes).catch(ignoreConflict);
      count++;
    }
  return count;
}

/**
 * Has contacts found by their phones as this version reads them; returns the number of contacts that change. No event.
 * Safe to repeat.
 */
export async function writePhoneKeys(table: TableWriter, account: string, now: Date): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Contact')) {
    const contacts = await findContacts(table, account, ids);
    const organizationIds = [...new Set(contacts.map(({ OrganizationId }) => OrganizationId))];
    const organizations = await findOrganizations(table, account, organizationIds);
    for (const before of contacts) {
      const organization = organizations.find(({ Id }) => Id === before.OrganizationId);
      if (!organization) continue;
      const { phone, altPhone } = phoneKeys(before, organization);
      const after = { ...before, PhoneKey: phone ?? '', AltPhoneKey: altPhone ?? '' };
      if (after.PhoneKey === before.PhoneKey && after.AltPhoneKey === before.AltPhoneKey) continue;
      const guards = await Promise.all(
        newGuardRanges(account, { before, after }).map((range) => findTaken(table, range, before.OrganizationId)),
      );
      await table.commit(contactChanges(account, [{ before, after, guards }], { now })).catch(ignoreConflict);
      count++;
    }
  }
  return count;
}

/**
 * Gives contacts whose domain of e-mail was written as `xn--` the entry of its Unicode form; returns how many. Safe to
 * repeat: one that has it gets no other.
 */
export async function writeEmailEntries(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Contact'))
    for (const contact of await findContacts(table, account, ids)) {
      const { Id, Email, OrganizationId } = contact;
      const [range] = guardRanges(account, contact);
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
export async function moveEmailGuards(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for (const { Id, Email, OrganizationId: organization } of await listAllUsers(table, account)) {
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
export async function writeAgentVisits(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for await (const ids of listIdChunks(table, account, 'Appointment')) {
    const items = await table.getMany(ids.map((id) => layout.appointment.key({ account, id })));
    for (const item of items) {
      const appointment = appointmentEntity.read(item);
      const puts = visitItems(account, appointment).map((put) => ({ put }));
      if (puts.length) await table.commit([...puts, unchangedAppointment(account, appointment)]).catch(ignoreConflict);
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
export async function moveGuards(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for (const [kind, { place, guard, former }] of Object.entries(guarded))
    for await (const ids of listIdChunks(table, account, kind as keyof typeof guarded))
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
export const writeIndex = async (table: TableWriter, account: string): Promise<number> =>
  (await writeContactIndex(table, account)) + (await writeOpenRanges(table, account));
