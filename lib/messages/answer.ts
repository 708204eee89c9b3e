import type { TextWord } from '../domain/messages/reports.ts';
import { shortestSpelling } from '../domain/messages/segments.ts';
import type { MessageLanguage } from '../domain/messages/settings.ts';
import type { Company } from '../pages/frame.ts';
import { enAnswers } from './texts/en.ts';
import { esAnswers } from './texts/es.ts';

const answers = { en: enAnswers, es: esAnswers } as const;

/** The company of who texts a word, and the language of its messages. */
export interface TextedCompany {
  readonly company: Pick<Company, 'name' | 'phone' | 'email'>;
  readonly language: MessageLanguage;
}

/** For a number of no contact. */
const UNKNOWN: TextedCompany = { company: { name: '', phone: '', email: '' }, language: 'en' };

/** The text that answers a word. Carriers ask for the name of the company, and in help for a way to reach it. */
export function renderAnswer(word: TextWord, { company, language }: TextedCompany = UNKNOWN): string {
  const { name, phone, email } = company;
  const { reach, ...byWord } = answers[language];
  const parts = [name && `${name}:`, byWord[word], ...(word === 'help' ? [phone || email || reach] : [])];
  return shortestSpelling(parts.filter(Boolean).join(' '));
}
