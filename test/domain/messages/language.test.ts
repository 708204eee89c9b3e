import { expect, test } from 'vitest';
import { languageFor } from '../../../lib/domain/messages/language.ts';

test.each([
  ['es', 'es'],
  ['ES-mx', 'es'],
  [' Español ', 'es'],
  ['Spanish (US)', 'es'],
  ['English', 'en'],
  ['en_GB', 'en'],
  ['inglés', 'en'],
])('%s is the language of the contact, not that of the organization', (Language, expected) => {
  expect(languageFor({ Language }, { language: expected === 'es' ? 'en' : 'es' })).toBe(expected);
});

test.each([[''], [undefined], ['French'], ['esperanto'], ['engineer']])(
  '%s is the language of the organization',
  (Language) => {
    expect(languageFor(Language === undefined ? {} : { Language }, { language: 'es' })).toBe('es');
    expect(languageFor(Language === undefined ? {} : { Language }, { language: 'en' })).toBe('en');
  },
);
