import type { ClientPage } from '../../domain/client-pages.ts';
import { orNotFound } from '../../shared/failure.ts';
import { appointmentChanges, findAppointment } from '../../store/appointments.ts';
import { contactSummaryChanges, findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findOrganization, organizationChanges } from '../../store/organizations/organizations.ts';
import { findInvoice, invoiceChanges } from '../../store/sales/invoices.ts';
import { findProposal, proposalChanges } from '../../store/sales/proposals.ts';
import type { WriteContext } from '../context.ts';

/** Records that clients get links to. */
export const LINKED_KINDS = ['proposal', 'invoice', 'visit', 'contact', 'organization'] as const;
export type LinkedKind = (typeof LINKED_KINDS)[number];

const pagesOf: Readonly<Record<LinkedKind, readonly ClientPage[]>> = {
  proposal: ['proposal'],
  invoice: ['invoice'],
  visit: ['visit', 'feedback'],
  contact: ['overview', 'preferences', 'card', 'rebook'],
  organization: ['booking'],
};

interface Linked {
  /** The id of the record; for a merged contact, that of the one that it became. */
  readonly id: number;
  /** How often its links were revoked. */
  readonly revoked: number;
  /** The changes that revoke them once more. */
  revoke(): readonly Change[];
}

async function findLinked({ store, now }: WriteContext, kind: LinkedKind, id: number): Promise<Linked> {
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
      const revoke = () => organizationChanges({ account }, before, raised(before)).changes;
      return { id: before.Id, revoked: before.LinksRevoked ?? 0, revoke };
    }
  }
}

/** The current links of a record, by page. Throws notFound. */
export async function listLinks(
  context: WriteContext,
  kind: LinkedKind,
  id: number,
): Promise<Readonly<Partial<Record<ClientPage, string>>>> {
  const [{ id: linked, revoked }, link] = await Promise.all([
    findLinked(context, kind, id),
    findAccountLinks(context.store, context.now),
  ]);
  return Object.fromEntries(pagesOf[kind].map((page) => [page, link(page, linked, revoked)]));
}

/** The changes that invalidate all earlier links of a record. Throws notFound. */
export const revokeLinks = async (context: WriteContext, kind: LinkedKind, id: number): Promise<readonly Change[]> =>
  (await findLinked(context, kind, id)).revoke();
