import type { OrganizationRecord } from '../organizations.ts';
import { wordsOf } from '../words.ts';

/** Words of a name from which on it can be found, and characters that count: keys have at most 1,024 bytes. */
const MOST_STARTS = 6;
const MOST_CHARACTERS = 150;

const cut = (words: readonly string[]): string => [...words.join(' ')].slice(0, MOST_CHARACTERS).join('');

/** Both names of an organization, as organizations/query asks for them. */
const namedBy = ['PublicName', 'InternalName'] as const;
export type NamedBy = (typeof namedBy)[number];

/** A name from one of its words on, by which it is found. */
export interface NameStart {
  readonly field: NamedBy;
  /** `green lawn denver`, `lawn denver`, `denver` of `Green Lawn, Denver`. */
  readonly text: string;
  /**
   * A text as short as this finds the name by a start that sorts before this one too: of `Smith & Smithson` the start `smithson` counts only for what is
   * longer than `smith`. So every organization is in a list once, however it is found.
   */
  readonly shared: number;
}

/** A name to compare: its folded words. The end is left open, so that `Green La` finds `Green Lawn`. */
export const nameText = (name: string): string => cut(wordsOf(name));

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function startsOf(field: NamedBy, name: string): NameStart[] {
  const words = wordsOf(name);
  const texts = words.slice(0, MOST_STARTS).map((_, index) => cut(words.slice(index))).sort();
  return texts.map((text, index) => ({
    field, text, shared: Math.max(-1, ...texts.slice(0, index).map((before) => sharedLength(before, text))),
  }));
}

/** Every start by which an organization is found. */
export const nameStarts = (organization: Pick<OrganizationRecord, NamedBy>): NameStart[] => namedBy.flatMap((field) => startsOf(field, organization[field]));

/** Whether a start of the name begins with the text asked for, as `nameText` gives it. */
export const startsWith = (organization: Pick<OrganizationRecord, NamedBy>, field: NamedBy, text: string): boolean =>
  startsOf(field, organization[field]).some((start) => start.text.startsWith(text));
