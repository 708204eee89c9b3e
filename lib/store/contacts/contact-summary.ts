import type { OpenDocument } from '../../entities/contacts.ts';
import type { Change } from '../dynamodb/changes.ts';
import { layout } from '../keys.ts';

/** What an invoice, payment, proposal or appointment changes in its contact. */
export interface ContactSummary {
  /** By id: the document as open from now on, or `undefined` if it is no longer open. */
  readonly invoices?: Readonly<Record<string, OpenDocument | undefined>>;
  readonly proposals?: Readonly<Record<string, OpenDocument | undefined>>;
  /** Makes it a customer. */
  readonly customer?: boolean;
  /** An amount that it has paid; negative for a refund. */
  readonly paid?: number;
}

/**
 * The change of a contact that goes with the change of one of its records; none for an empty summary. It does not read
 * the contact, so 100 invoices of one contact do not wait for each other. At most one such change of a contact fits in
 * a transaction.
 */
export function contactSummaryChanges(
  account: string,
  contactId: number,
  { invoices = {}, proposals = {}, customer = false, paid = 0 }: ContactSummary,
  now: Date,
): Change[] {
  const entries = Object.fromEntries(
    Object.entries({ OpenInvoices: invoices, OpenProposals: proposals }).filter(
      ([, documents]) => Object.keys(documents).length,
    ),
  );
  if (!Object.keys(entries).length && !customer && !paid) return [];
  const at = now.getTime();
  return [
    {
      update: layout.contact.key({ account, id: contactId }),
      entries,
      set: { Updated: at, ...(customer ? { IsCustomer: true } : {}) },
      setOnce: customer ? { CustomerSince: at } : {},
      add: { V: 1, ...(paid ? { LifetimeValue: paid } : {}) },
      if: 'present',
    },
  ];
}
