import type { ContactRecord } from '../../entities/contacts.ts';
import { fold } from '../../shared/text/text.ts';
import type { MessageLanguage } from './settings.ts';

/** A language as forms, files and programs name it: `es-MX`, `Español`, `Spanish`; `undefined` for others and none. */
function languageNamed(name: string): MessageLanguage | undefined {
  const [word = ''] = fold(name)
    .trim()
    .split(/[^a-z]/, 1);
  if (['es', 'spa', 'spanish', 'espanol', 'castellano'].includes(word)) return 'es';
  if (['en', 'eng', 'english', 'ingles'].includes(word)) return 'en';
  return undefined;
}

/** The language of messages to a contact: its own, else that of the organization's messages. */
export const languageFor = (
  { Language }: Partial<Pick<ContactRecord, 'Language'>>,
  { language }: { readonly language: MessageLanguage },
): MessageLanguage => languageNamed(Language ?? '') ?? language;
