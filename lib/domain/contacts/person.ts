import type { ContactRecord } from '../../entities/contacts.ts';
import { pick } from '../../shared/objects.ts';
import { fold, normalizeEmail, wordsOf } from '../../shared/text/text.ts';
import { type Identity, identityFields } from './former.ts';
import {
  type Span,
  abbreviated,
  addressWords,
  certainNumbers,
  formsOf,
  fullNames,
  isOfStreet,
  isOneNumber,
  isTelling,
  nameWordsOf,
  numberedStreet,
  numbersOf,
  ownNumbers,
  runsOf,
  spellingsOf,
  tokensOf,
} from './person-words.ts';

/** Stands for what was removed. */
export const ERASED = '[erased]';

/** Tells whether texts are about a person. */
export interface Person {
  /** Whether a text of the person's own records has any word of names, streets, e-mails or phones. */
  isNamedIn(text: string): boolean;
  /** Whether a text of somebody else certainly means the person: by whole name, street with number, e-mail or phone. */
  isMeantIn(text: string): boolean;
  /** A text of somebody else, with `[erased]` for what means the person. */
  redact(text: string): string;
}

/** Shorter handles and tracking ids are parts of other texts by chance. */
const MIN_HANDLE = 6;
const MIN_MAIL_WORD = 4;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const anyOf = (sources: readonly string[], flags: string): RegExp | undefined =>
  sources.length ? new RegExp(sources.join('|'), flags) : undefined;

const spansOf = (text: string, pattern: RegExp | undefined): Span[] =>
  pattern ? [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]) : [];

const WORD_BEFORE = /[\p{L}\p{N}._%+-]$/u;
const WORD_AFTER = /^[._%+-]?[\p{L}\p{N}]/u;
/** Units of UTF-16 that decide it. */
const NEIGHBOURS = 3;

/** Whether a place is part of a longer e-mail, handle or tracking id. A pattern that says it takes 14 ms to compile. */
const isPart = (text: string, [start, end]: Span): boolean =>
  WORD_BEFORE.test(text.slice(Math.max(0, start - NEIGHBOURS), start)) ||
  WORD_AFTER.test(text.slice(end, end + NEIGHBOURS));

/** The values of a field in all states, once. */
const valuesOf = (states: readonly Identity[], ...names: (keyof Identity)[]): string[] => [
  ...new Set(states.flatMap((state) => names.map((name) => state[name].trim())).filter(Boolean)),
];

/**
 * The person of a contact by its present and former names, streets, e-mails and phones. Worked: of Maria Kowalczyk,
 * 77 Blueberry Lane, an own line `Mowing for Maria` is about her, and a note of a neighbour if it has
 * `Kowalczyk, Maria` or `77 blueberry ln`.
 */
export function personOf(
  contact: Pick<ContactRecord, 'Hash' | 'DigitalTrackingId'> & Identity,
  former: readonly Identity[],
): Person {
  const states: Identity[] = [contact, ...former];
  const names = valuesOf(states, 'Name', 'Nickname', 'Company').flatMap(spellingsOf);
  const streets = valuesOf(states, 'Address1', 'Address2').flatMap(spellingsOf);
  const emails = valuesOf(states, 'Email').map((email) => email.toLowerCase());
  const numbers = states.flatMap(({ Phone, PhoneKey, AltPhone, AltPhoneKey }) => [
    ...numbersOf(Phone, PhoneKey),
    ...numbersOf(AltPhone, AltPhoneKey),
  ]);
  const handles = [contact.Hash, contact.DigitalTrackingId].filter(({ length }) => length >= MIN_HANDLE);
  const mailWords = emails.flatMap((email) => wordsOf(email.split('@')[0] ?? ''));
  const own = new Set([
    ...names.flatMap(wordsOf).filter(isTelling),
    ...streets.flatMap(addressWords).filter(isOfStreet),
    ...mailWords.filter((word) => word.length >= MIN_MAIL_WORD && isTelling(word)),
  ]);
  const ownSequences = [...names, ...streets].map(addressWords).filter((words) => words.length);
  const exact = anyOf([...emails, ...handles].map(escapePattern), 'giu');
  const [ownNumber, certainNumber] = [ownNumbers, certainNumbers].map((patterns) => anyOf(patterns(numbers), 'g'));
  const exactSpans = (text: string) => spansOf(text, exact).filter((span) => !isPart(text, span));
  const numberSpans = (text: string, pattern: RegExp | undefined) =>
    spansOf(text, pattern).filter((span) => isOneNumber(text.slice(...span)));
  const sought = [
    ...valuesOf(states, 'Name').flatMap(spellingsOf).flatMap(fullNames),
    ...states.flatMap(({ Address1, Address2 }) =>
      spellingsOf(Address1).flatMap((address) => numberedStreet(address, Address2)),
    ),
  ];
  const spans = (text: string): Span[] => {
    const tokens = tokensOf(text);
    return [
      ...exactSpans(text),
      ...numberSpans(text, certainNumber),
      ...sought.flatMap((words) => runsOf(text, tokens, words)),
    ];
  };
  return {
    isNamedIn(text) {
      if (!text) return false;
      const words = nameWordsOf(text);
      const abbreviatedText = ` ${words.map(abbreviated).join(' ')} `;
      return (
        words.some((word) => own.has(abbreviated(word)) || formsOf(word).some((form) => own.has(form))) ||
        ownSequences.some((sequence) => abbreviatedText.includes(` ${sequence.join(' ')} `)) ||
        [text, fold(text)].some((each) => exactSpans(each).length > 0 || numberSpans(each, ownNumber).length > 0)
      );
    },
    isMeantIn: (text) => spans(text).length > 0,
    redact: (text) => replaceSpans(text, spans(text)),
  };
}

/** The text with `[erased]` for each span; those that overlap are one. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  let [result, end] = ['', 0];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from >= end) result += text.slice(end, from) + ERASED;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

/** A person whose fields are already erased: any text that people wrote may name that person. */
export const forgottenPerson: Person = {
  isNamedIn: (text) => text !== '',
  isMeantIn: () => false,
  redact: (text) => text,
};

type Reached = Pick<Identity, 'Email' | 'PhoneKey' | 'AltPhoneKey'>;

/** What others write that means a person: not an e-mail or phone that other contacts have too. */
export function withoutShared<State extends Identity>(state: State, others: readonly Reached[]): State {
  const email = normalizeEmail(state.Email);
  const isShared = (phone: string): boolean =>
    others.some(({ PhoneKey, AltPhoneKey }) => phone !== '' && [PhoneKey, AltPhoneKey].includes(phone));
  return {
    ...state,
    ...(others.some(({ Email }) => normalizeEmail(Email) === email) ? { Email: '' } : {}),
    ...(isShared(state.PhoneKey) ? { Phone: '', PhoneKey: '' } : {}),
    ...(isShared(state.AltPhoneKey) ? { AltPhone: '', AltPhoneKey: '' } : {}),
  };
}

export const identityOf = (contact: ContactRecord): Identity =>
  pick(contact, ...identityFields, 'PhoneKey', 'AltPhoneKey');
