import { type Language, type Wording, fillIn, wordingOf } from '../language.ts';
import { type OfficeTexts, officeEnglish } from './texts/en.ts';
import { officeSpanish } from './texts/es.ts';

const languages: Readonly<Record<Language, OfficeTexts>> = { en: officeEnglish, es: officeSpanish };

/** The wording of the office: that of all pages, with texts of its own. */
export interface OfficeWording extends Wording {
  say(name: keyof OfficeTexts, values?: Readonly<Record<string, string | number>>): string;
}

export function officeWording(language: Language, country: string): OfficeWording {
  const texts = languages[language];
  return { ...wordingOf(language, country), say: (name, values = {}) => fillIn(texts[name], values) };
}
