import { languageFor } from '../../domain/messages/language.ts';
import { NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { PreferencesView } from '../../pages/preferences.ts';
import { conflict } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { type ClientContext, findLinkedContact } from './client.ts';
import { type LoadedPage, loadCompany } from './load-company.ts';

/** What a client chooses; a form without a language leaves that of the contact. */
type Preferences = Pick<PreferencesView, 'byEmail' | 'byText' | 'withOffers'> &
  Partial<Pick<PreferencesView, 'language'>>;

/** The contact preferences behind a link. Two rounds. */
export async function loadPreferencesPage(context: ClientContext): Promise<LoadedPage<PreferencesView> | undefined> {
  const contact = await findLinkedContact(context);
  if (!contact) return undefined;
  const [clientCompany, settings] = await Promise.all([
    loadCompany(context.store, contact.OrganizationId),
    findMessageSettings(context.store, contact.OrganizationId),
  ]);
  return {
    view: {
      company: clientCompany.company,
      contactName: contact.Name || contact.Company,
      byEmail: !contact.DoNotEmail,
      byText: !contact.DoNotText,
      withOffers: !contact.Unsubscribed,
      language: languageFor(contact, settings),
    },
    ...NO_CONTACT_LINKS,
    ...clientCompany,
  };
}

/** The changes that store contact preferences; none if nothing differs. */
export async function savePreferences(
  context: ClientContext,
  { byEmail, byText, withOffers, language }: Preferences,
): Promise<readonly Change[]> {
  const { store, now } = context;
  const before = await findLinkedContact(context);
  if (!before) throw conflict('wrong_state', 'The contact no longer exists.');
  const after = {
    ...before,
    DoNotEmail: !byEmail,
    DoNotText: !byText,
    Unsubscribed: !withOffers,
    Language: language ?? before.Language,
  };
  const isSame = isEqual(before, after);
  return isSame ? [] : updateContactChanges(store, { before, after, now });
}
