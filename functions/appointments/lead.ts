import { conflict, faulty, notFound } from '../../lib/api/failure.ts';
import { leadField, type LeadFields } from '../../lib/domain/appointments/web-lead.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { Change } from '../../lib/store/changes.ts';
import { engine } from './engine.ts';
import type { Writing } from './writing.ts';

/** Finds or makes the contact of a booking by the rules of contacts/addupdate, a new one in the organization that owns its postal code; nothing is stored yet. */
export async function contactFor({ table, caller, now }: Writing, given: LeadFields, ContactId: number | null | undefined): Promise<{ contact: ContactRecord; changes: readonly Change[] }> {
  const { leadOf, upsertContacts } = await engine();
  const upsert = await upsertContacts(table, caller, [{ given: leadOf(given, ContactId), criteria: undefined, distribute: true }], now);
  if (upsert.kind === 'missing') throw notFound('contact', 'ContactId', ContactId);
  if (upsert.kind === 'faults') throw faulty(upsert.faults.map(({ field, message }) => ({ field: leadField(field), message })));
  const [contact] = upsert.kind === 'ready' ? upsert.records : [];
  if (upsert.kind === 'ready' && contact) return { contact, changes: upsert.changes };
  const ids = upsert.kind === 'ambiguous' ? upsert.candidates.map(({ Id }) => Id).join(', ') : '';
  throw conflict(`Several contacts fit: ${ids}. Name one in ContactId.`);
}
