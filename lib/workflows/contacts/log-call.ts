import type { StoredNote } from '../../entities/contact-parts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { CallRecord } from '../../domain/calls.ts';
import { callNote, notesError } from '../../domain/contacts/record.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import { newCallChange, reserveCallId } from '../../store/contacts/calls.ts';
import { findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { RangeTooLarge } from '../../store/dynamodb/errors.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import type { WriteContext } from '../context.ts';
import { searchVisibleContacts } from './find-contacts.ts';

export interface LoggedCall {
  readonly callId: number;
  readonly contact: ContactRecord | undefined;
  /** The note of the contact that describes the call; `undefined` without a contact, or if its notes are full. */
  readonly noteId: number | undefined;
  readonly changes: readonly Change[];
}

/**
 * Stores a call record, attached to the contact that it names or to the only one with its phone, if one exists. The
 * contact gets a note of the call.
 */
export async function logCall(call: CallRecord, context: WriteContext): Promise<LoggedCall> {
  const { store, now } = context;
  const organization = await callerOrganization(store);
  const phone = call.Phone ? normalizePhone(call.Phone, organization.Country) : null;
  const contact = call.ContactId ? await findContact(store, call.ContactId) : await findOnlyContact(phone, context);
  const callId = await reserveCallId(store);
  const note = contact && (await describeCall(call, callId, contact, context));
  const stored = {
    ...call,
    ContactId: contact?.Id ?? null,
    OrganizationId: contact?.OrganizationId ?? organization.Id,
    NoteId: note?.Id ?? null,
    PhoneKey: phone ?? '',
  };
  const change = newCallChange(store, callId, stored, now);
  const after = contact && note && { ...contact, Notes: [...contact.Notes, note] };
  const contactChanges = after ? updateContactChanges(store, { before: contact, after, now }) : [];
  return { callId, contact, noteId: note?.Id, changes: [change, ...contactChanges] };
}

/** The note of a call; `undefined` if the contact has the maximum number, and then the call is stored without one. */
async function describeCall(
  call: CallRecord,
  CallId: number,
  contact: ContactRecord,
  { store, now }: WriteContext,
): Promise<StoredNote | undefined> {
  const { Timezone: zone } = await getOrganization(store, contact.OrganizationId);
  const note = { Id: 0, ...callNote(call, { zone, at: now.getTime() }), CallId };
  if (notesError({ ...contact, Notes: [...contact.Notes, note] })) return undefined;
  const [Id = 0] = await reserveIds(store, 'Note', 1);
  return { ...note, Id };
}

/** The contact with a phone number, if only one has it. */
async function findOnlyContact(phone: string | null, { store }: WriteContext): Promise<ContactRecord | undefined> {
  if (!phone) return undefined;
  try {
    const { records } = await searchVisibleContacts(store, { phone }, { skip: 0, limit: 2 });
    const [contact, ...others] = records;
    return others.length ? undefined : contact;
  } catch (error) {
    if (error instanceof RangeTooLarge) return undefined;
    throw error;
  }
}
