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

/** Replaces what was removed. */
export const ERASED = '[erased]';

/** Tells whether texts are about a person. */
export interface Person {
  /** Whether a text in the person's own records has any word of the names, streets, e-mails or phones. */
  isNamedIn(text: string): boolean;
  /** Whether somebody else's text certainly means the person: by full name, street with number, e-mail or phone. */
  isMeantIn(text: string): boolean;
  /** Replaces what means the person in somebody else's text by `[erased]`. */
  redact(text: string): string;
}

/** Shorter handles and tracking ids occur in other texts by chance. */
const MIN_HANDLE = 6;
const MIN_MAIL_WORD = 4;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const anyOf = (sources: readonly string[], flags: string): RegExp | undefined =>
  sources.length ? new RegExp(sources.join('|'), flags) : undefined;

const spansOf = (text: string, pattern: RegExp | undefined): Span[] =>
  pattern ? [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]) : [];

const WORD_BEFORE = /[\p{L}\p{N}._%+-]$/u;
const WORD_AFTER = /^[._%+-]?[\p{L}\p{N}]/u;
/** How many UTF-16 units around a match are examined. */
const NEIGHBOURS = 3;

/** Whether a match is part of a longer e-mail, handle or tracking id. A pattern for this takes 14 ms to compile. */
const isPart = (text: string, [start, end]: Span): boolean =>
  WORD_BEFORE.test(text.slice(Math.max(0, start - NEIGHBOURS), start)) ||
  WORD_AFTER.test(text.slice(end, end + NEIGHBOURS));

/** The distinct values of fields in all states. */
const valuesOf = (states: readonly Identity[], ...names: (keyof Identity)[]): string[] => [
  ...new Set(states.flatMap((state) => names.map((name) => state[name].trim())).filter(Boolean)),
];

/**
 * The person of a contact, by current and former names, streets, e-mails and phones. Worked, for Maria Kowalczyk, 77
 * Blueberry Lane: her own line `Mowing for Maria` is about her; a neighbor's note is if it has `Kowalczyk, Maria` or
 * `77 blueberry ln`.
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

/** Replaces each span by `[erased]`, overlapping ones together. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  let [result, end] = ['', 0];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from >= end) result += text.slice(end, from) + ERASED;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

/** A person whose fields are already erased: any text that people wrote may name them. */
export const forgottenPerson: Person = {
  isNamedIn: (text) => text !== '',
  isMeantIn: () => false,
  redact: (text) => text,
};

type Reached = Pick<Identity, 'Email' | 'PhoneKey' | 'AltPhoneKey'>;

/** Drops e-mails and phones that other contacts share, so that they do not identify the person in others' texts. */
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
