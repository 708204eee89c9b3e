import { NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { PreferencesView } from '../../pages/preferences.ts';
import { conflict } from '../../shared/failure.ts';
import { updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type ClientContext, findLinkedContact } from './client.ts';
import { type LoadedPage, loadCompany } from './load-company.ts';

type Preferences = Pick<PreferencesView, 'byEmail' | 'byText' | 'withOffers'>;

/** The contact preferences behind a link. Two rounds. */
export async function loadPreferencesPage(context: ClientContext): Promise<LoadedPage<PreferencesView> | undefined> {
  const contact = await findLinkedContact(context);
  if (!contact) return undefined;
  const clientCompany = await loadCompany(context.store, contact.OrganizationId);
  return {
    view: {
      company: clientCompany.company,
      contactName: contact.Name || contact.Company,
      byEmail: !contact.DoNotEmail,
      byText: !contact.DoNotText,
      withOffers: !contact.Unsubscribed,
    },
    ...NO_CONTACT_LINKS,
    ...clientCompany,
  };
}

/** The changes that store contact preferences; none if nothing differs. */
export async function savePreferences(
  context: ClientContext,
  { byEmail, byText, withOffers }: Preferences,
): Promise<readonly Change[]> {
  const { store, now } = context;
  const before = await findLinkedContact(context);
  if (!before) throw conflict('wrong_state', 'The contact no longer exists.');
  const after = { ...before, DoNotEmail: !byEmail, DoNotText: !byText, Unsubscribed: !withOffers };
  const isSame = (['DoNotEmail', 'DoNotText', 'Unsubscribed'] as const).every((name) => before[name] === after[name]);
  return isSame ? [] : updateContactChanges(store, { before, after, now });
}
