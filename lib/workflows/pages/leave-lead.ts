import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { conflict } from '../../shared/failure.ts';
import { clientBookingChange, findClientBooking } from '../../store/client-calls.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findBooker, organizationContext } from './booker.ts';
import { findGivenContact } from './booking-person.ts';
import type { ClientContext } from './client.ts';
import { officeTaskChange } from './office-task.ts';

/** What a stranger leaves if nobody comes to the address. */
interface LeadForm {
  /** Random token of the form: sent again, it stores nothing more. */
  readonly form: string;
  readonly service: Pick<ServiceRecord, 'Name'>;
  /** For example `2026-12`, a month without free times; `undefined` if nobody comes to the postal code. */
  readonly month: string | undefined;
  readonly contact: ContactInput;
  readonly note: string;
}

/** Marks a form that made no visit. */
const NO_VISIT = 0;

/**
 * The changes that store a lead: the contact that contacts/addupdate would find, which does not change, or a new one
 * with a note; and a task for the office. Throws invalid with fields of the contact.
 */
export async function leaveLead(
  context: ClientContext,
  { form, service, month, contact: input, note }: LeadForm,
): Promise<readonly Change[]> {
  const { store, now } = context;
  const [stored, booker] = await Promise.all([findClientBooking(store, form), findBooker(context)]);
  if (stored !== undefined) return [];
  if (!booker || booker.client) throw conflict('wrong_state', 'The link was revoked.');
  const why = month === undefined ? 'where nobody can come' : `where no time is free in ${month}`;
  const asked = `Asked on the booking page for ${service.Name} at ${input.Zip ?? ''}, ${why}.`;
  const { contact, changes, notes } = await findGivenContact(input, organizationContext(booker), {
    source: asked,
    notes: [{ Body: [asked, note].filter(Boolean).join('\n') }],
  });
  const typed = [input.Name, input.Phone, input.Email].filter(Boolean).join(', ');
  const Description = [`${typed}. ${notes}`, note].filter(Boolean).join('\n');
  const task = { OrganizationId: booker.organization.Id, ContactId: contact.Id, Description };
  return [...changes, await officeTaskChange(context, task), clientBookingChange(store, form, NO_VISIT, now)];
}
