import type { OpenDocument } from '../domain/contacts/record.ts';
import type { Change } from './dynamodb/changes.ts';
import { layout } from './keys.ts';

/** What an invoice, a payment, a proposal or an appointment changes of its contact. */
export interface ContactSummary {
  /** By id: what is open from now on, and (`undefined`) what no longer is. */
  readonly invoices?: Readonly<Record<string, OpenDocument | undefined>>;
  readonly proposals?: Readonly<Record<string, OpenDocument | undefined>>;
  /** It is a customer from now on, where it was not. */
  readonly customer?: boolean;
  /** What it has paid; a refund is below 0. */
  readonly paid?: number;
}

/**
 * The change of a contact that goes with the change of something of its: none where nothing of it changes. It is made
 * blindly, whatever else the contact is at that moment, so that a hundred invoices of one contact do not wait for one
 * another to be read; a contact must have one such change a transaction.
 */
export function contactSummaryChanges(
  account: string,
  contactId: number,
  { invoices = {}, proposals = {}, customer = false, paid = 0 }: ContactSummary,
  now: Date,
): Change[] {
  const entries = Object.fromEntries(
    Object.entries({ OpenInvoices: invoices, OpenProposals: proposals }).filter(([, of]) => Object.keys(of).length),
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
