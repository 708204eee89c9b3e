import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findAppointment } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import type { ClientContext } from './client.ts';
import { officeTaskChange } from './office-task.ts';

/** A client's question, sent by an expired link. */
export interface Question {
  /** Name and phone or e-mail, as typed. */
  readonly from: string;
  readonly message: string;
}

interface Concerned {
  readonly OrganizationId: number;
  readonly ContactId: number | null;
}

/** The person whom the record of a link concerns; `undefined` if it is gone. */
async function findConcerned({ store, target }: ClientContext): Promise<Concerned | undefined> {
  const { page, id } = target;
  switch (page) {
    case 'proposal':
      return findProposal(store, id);
    case 'invoice':
      return findInvoice(store, id);
    case 'visit':
    case 'booked':
    case 'feedback':
      return findAppointment(store, id);
    case 'preferences':
    case 'rebook':
    case 'overview':
    case 'card': {
      const contact = await findContact(store, id);
      return contact && { OrganizationId: contact.OrganizationId, ContactId: contact.Id };
    }
    case 'booking': {
      const organization = await findOrganization(store, id);
      return organization && { OrganizationId: id, ContactId: null };
    }
    // No form asks from there: calendars get a plain answer.
    case 'calendar':
      return undefined;
  }
}

/** The changes that hand a question to the office as a task. The sender learns nothing about the record. */
export async function askCompany(context: ClientContext, { from, message }: Question): Promise<readonly Change[]> {
  const { store, target } = context;
  const { OrganizationId, ContactId } = (await findConcerned(context)) ?? {
    OrganizationId: await findDefaultOrganization(store),
    ContactId: null,
  };
  const contact = ContactId === null ? undefined : await findContact(store, ContactId);
  const Description =
    `Somebody with a link that is over (${target.page} ${target.id}) asks: ${message}\n` +
    `To be reached, as typed: ${from}. Whether it is the contact is not known.`;
  return [await officeTaskChange(context, { OrganizationId, ContactId: contact ? contact.Id : null, Description })];
}
