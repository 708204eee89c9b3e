import type { CardView } from '../../pages/card.ts';
import { conflict } from '../../shared/failure.ts';
import { updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findPageLinks } from '../../store/links.ts';
import { type ClientContext, findLinkedContact } from './client.ts';
import { type LoadedPage, loadCompany, contactLinks } from './load-company.ts';
import { loadPaymentState } from './payment-state.ts';

export interface LoadedCardPage extends LoadedPage<CardView> {
  readonly organization: number;
  readonly email: string;
  /** The id at the provider; `""` before the first card. */
  readonly customer: string;
}

/** The card on file of the contact of a link; `undefined` if the link was revoked. Two rounds. */
export async function loadCardPage({ store, target, now }: ClientContext): Promise<LoadedCardPage | undefined> {
  const { id } = target;
  const contact = await findLinkedContact({ store, target });
  if (!contact) return undefined;
  const { OrganizationId: organization, PmtOnFileKind, PmtOnFileLast4, PmtOnFileExpDate } = contact;
  const [clientCompany, state, link] = await Promise.all([
    loadCompany(store, organization),
    loadPaymentState(store, { Page: 'card', RecordId: id }),
    findPageLinks(store, target, now),
  ]);
  const view: CardView = {
    company: clientCompany.company,
    contactName: contact.Name || contact.Company,
    card: PmtOnFileLast4 ? { kind: PmtOnFileKind, last4: PmtOnFileLast4, expires: PmtOnFileExpDate } : undefined,
    canSave: state.takesPayments(organization),
    isTest: state.isTest(organization),
  };
  const { Email: email, PmtOnFileCustomer: customer = '' } = contact;
  return { view, organization, email, customer, ...contactLinks(link, target, contact), ...clientCompany };
}

/** The changes that remove the card on file of the contact of a link. Throws conflict if the link was revoked. */
export async function removeCard({ store, target, now }: ClientContext): Promise<readonly Change[]> {
  const before = await findLinkedContact({ store, target });
  if (!before) throw conflict('wrong_state', 'The link was revoked.');
  // PmtOnFileSavedAt keeps a late report of the provider from restoring a card saved earlier.
  const none = { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '', PmtOnFileSavedAt: now.getTime() };
  return before.PmtOnFileLast4 ? updateContactChanges(store, { before, after: { ...before, ...none }, now }) : [];
}
