import { type ClientPage, WHOLE_ORGANIZATION } from '../../domain/client-pages.ts';
import { orNotFound } from '../../shared/failure.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { contactSummaryChanges, findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findOrganization, organizationChanges } from '../../store/organizations/organizations.ts';
import { agentChanges, listAllAgents } from '../../store/organizations/service-agents.ts';
import { findInvoice, invoiceChanges } from '../../store/sales/invoices.ts';
import { findProposal, proposalChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';

/** Records that clients get links to, and those with a calendar. */
export const LINKED_KINDS = ['proposal', 'invoice', 'visit', 'contact', 'organization', 'agent'] as const;
export type LinkedKind = (typeof LINKED_KINDS)[number];

const pagesOf: Readonly<Record<LinkedKind, readonly ClientPage[]>> = {
  proposal: ['proposal'],
  invoice: ['invoice'],
  visit: ['visit', 'feedback'],
  contact: ['overview', 'preferences', 'card', 'rebook'],
  organization: ['booking', 'calendar'],
  agent: ['calendar'],
};

/** Pages of an organization, whose links are revoked together or alone. */
export const ORGANIZATION_PAGES = ['booking', 'calendar'] as const;
export type OrganizationPage = (typeof ORGANIZATION_PAGES)[number];

interface Linked {
  /** The id of the record; for a merged contact, that of the one that it became. */
  readonly id: number;
  /** How often its links were revoked. */
  readonly revoked: number;
  /** Makes the links of its calendar; absent without one. */
  readonly calendar?: { readonly organization: number; readonly id: number; readonly revoked: number };
  /** The changes that revoke them once more. */
  revoke(): readonly Change[];
}

async function findLinked(
  { store, now }: WriteContext,
  kind: LinkedKind,
  id: number,
  pages: readonly OrganizationPage[] = ORGANIZATION_PAGES,
): Promise<Linked> {
  const account = store.account;
  const raised = <Of extends { readonly LinksRevoked?: number | undefined }>(before: Of) => ({
    ...before,
    LinksRevoked: (before.LinksRevoked ?? 0) + 1,
  });
  switch (kind) {
    case 'proposal': {
      const before = orNotFound(await findProposal(store, id), kind, 'Id', id);
      const { DepositInvoiceId } = before;
      const invoice = DepositInvoiceId === null ? undefined : await findInvoice(store, DepositInvoiceId);
      const revoke = () => {
        const { change, contactSummary } = proposalChanges({ account }, { before, after: raised(before), now });
        // Its page led to the invoice of its deposit.
        const deposit = invoice && invoiceChanges({ account }, { before: invoice, after: raised(invoice), now });
        const summary = { ...deposit?.contactSummary, ...contactSummary, customer: false };
        const contact = contactSummaryChanges({ account }, before.ContactId, summary, now);
        return [change, ...(deposit?.changes ?? []), ...contact];
      };
      return { id: before.Id, revoked: before.LinksRevoked ?? 0, revoke };
    }
    case 'invoice': {
      const before = orNotFound(await findInvoice(store, id), kind, 'Id', id);
      const revoke = () => {
        const { changes, contactSummary } = invoiceChanges({ account }, { before, after: raised(before), now });
        const summary = contactSummaryChanges(
          { account },
          before.ContactId,
          { ...contactSummary, customer: false },
          now,
        );
        return [...changes, ...summary];
      };
      return { id: before.Id, revoked: before.LinksRevoked ?? 0, revoke };
    }
    case 'visit': {
      const before = orNotFound(await findAppointment(store, id), kind, 'Id', id);
      const revoke = () => appointmentChanges({ account }, { before, after: raised(before), now }).changes;
      return { id: before.Id, revoked: before.LinksRevoked ?? 0, revoke };
    }
    case 'contact': {
      const before = orNotFound(await findContact(store, id), kind, 'Id', id);
      const revoke = () => updateContactChanges({ account }, { before, after: raised(before), now });
      return { id: before.Id, revoked: before.LinksRevoked ?? 0, revoke };
    }
    case 'organization': {
      const before = orNotFound(await findOrganization(store, id), kind, 'Id', id);
      const { LinksRevoked = 0, CalendarLinksRevoked = 0 } = before;
      const after = {
        ...before,
        ...(pages.includes('booking') && { LinksRevoked: LinksRevoked + 1 }),
        ...(pages.includes('calendar') && { CalendarLinksRevoked: CalendarLinksRevoked + 1 }),
      };
      const revoke = () => organizationChanges({ account }, before, after).changes;
      const calendar = { organization: before.Id, id: WHOLE_ORGANIZATION, revoked: CalendarLinksRevoked };
      return { id: before.Id, revoked: LinksRevoked, calendar, revoke };
    }
    case 'agent': {
      const agents = await listAllAgents(store);
      const found = agents.find(({ Id }) => Id === id);
      const before = orNotFound(found, 'service agent', 'Id', id);
      const { Id, OrganizationId: organization, LinksRevoked: revoked = 0 } = before;
      const revoke = () => [agentChanges({ account }, before, raised(before)).change];
      return { id: Id, revoked, calendar: { organization, id: Id, revoked }, revoke };
    }
  }
}

/** The current links of a record, by page. Throws notFound. */
export async function listLinks(
  context: WriteContext,
  kind: LinkedKind,
  id: number,
): Promise<Readonly<Partial<Record<ClientPage, string>>>> {
  const [{ id: linked, revoked, calendar }, link] = await Promise.all([
    findLinked(context, kind, id),
    findAccountLinks(context.store, context.now),
  ]);
  return Object.fromEntries(
    pagesOf[kind].map((page) => [
      page,
      page === 'calendar' && calendar
        ? link(page, calendar.id, calendar.revoked, calendar.organization)
        : link(page, linked, revoked),
    ]),
  );
}

/** The changes that invalidate all earlier links of a record, of an organization those of `pages`. Throws notFound. */
export const revokeLinks = async (
  context: WriteContext,
  kind: LinkedKind,
  id: number,
  pages?: readonly OrganizationPage[],
): Promise<readonly Change[]> => (await findLinked(context, kind, id, pages)).revoke();
