import type { ContactRecord } from '../../entities/contacts.ts';
import type { PreferencesView } from '../../pages/preferences.ts';
import { conflict } from '../../shared/failure.ts';
import { findContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { ClientContext } from './client.ts';
import { type LoadedPage, loadCompany } from './load-company.ts';

type Preferences = Pick<PreferencesView, 'byEmail' | 'byText' | 'withOffers'>;

const findLinked = async ({ table, target }: ClientContext): Promise<ContactRecord | undefined> => {
  const contact = await findContact(table, { accountId: target.account, organizationId: null }, target.id);
  return contact && (contact.LinksRevoked ?? 0) === target.generation ? contact : undefined;
};

/** How the contact of a link may be written to. Two rounds. */
export async function loadPreferencesPage(context: ClientContext): Promise<LoadedPage<PreferencesView> | undefined> {
  const contact = await findLinked(context);
  if (!contact) return undefined;
  const clientCompany = await loadCompany(context.table, context.target.account, contact.OrganizationId);
  return {
    view: {
      company: clientCompany.company,
      contactName: contact.Name || contact.Company,
      byEmail: !contact.DoNotEmail,
      byText: !contact.DoNotText,
      withOffers: !contact.Unsubscribed,
    },
    preferencesLink: '',
    ...clientCompany,
  };
}

/** The changes that store how a contact may be written to; none where nothing differs. */
export async function savePreferences(
  context: ClientContext,
  { byEmail, byText, withOffers }: Preferences,
): Promise<readonly Change[]> {
  const { target, now } = context;
  const before = await findLinked(context);
  if (!before) throw conflict('wrong_state', 'The contact no longer exists.');
  const after = { ...before, DoNotEmail: !byEmail, DoNotText: !byText, Unsubscribed: !withOffers };
  const isSame = (['DoNotEmail', 'DoNotText', 'Unsubscribed'] as const).every((name) => before[name] === after[name]);
  return isSame ? [] : updateContactChanges(target.account, { before, after, now });
}
