import type { ContactRecord } from '../../entities/contacts.ts';
import type { PreferencesView } from '../../pages/preferences.ts';
import { conflict } from '../../shared/failure.ts';
import { findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { ClientContext } from './client.ts';
import { type LoadedPage, loadCompany } from './load-company.ts';

type Preferences = Pick<PreferencesView, 'noEmail' | 'noText' | 'noMarketing'>;

const findLinked = async ({ table, target }: ClientContext): Promise<ContactRecord | undefined> => {
  const contact = await findContact(table, { accountId: target.account, organizationId: null }, target.id);
  return contact && (contact.LinksRevoked ?? 0) === target.generation ? contact : undefined;
};

/** How the contact of a link may be written to. Two rounds. */
export async function loadPreferencesPage(context: ClientContext): Promise<LoadedPage<PreferencesView> | undefined> {
  const contact = await findLinked(context);
  if (!contact) return undefined;
  const clientCompany = await loadCompany(context.table, context.target.account, contact.OrganizationId);
  const { DoNotEmail: noEmail, DoNotText: noText, Unsubscribed: noMarketing } = contact;
  const contactName = contact.Name || contact.Company;
  return {
    view: { company: clientCompany.company, contactName, noEmail, noText, noMarketing },
    preferencesLink: '',
    ...clientCompany,
  };
}

/** The changes that store how a contact may be written to; none where nothing differs. */
export async function savePreferences(
  context: ClientContext,
  { noEmail, noText, noMarketing }: Preferences,
): Promise<readonly Change[]> {
  const { target, now } = context;
  const before = await findLinked(context);
  if (!before) throw conflict('wrong_state', 'The contact no longer exists.');
  const isSame = before.DoNotEmail === noEmail && before.DoNotText === noText && before.Unsubscribed === noMarketing;
  const after = { ...before, DoNotEmail: noEmail, DoNotText: noText, Unsubscribed: noMarketing };
  return isSame ? [] : updateContactChanges(target.account, { before, after, now });
}
