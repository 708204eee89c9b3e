import {
  CHANNELS,
  type Channel,
  MESSAGE_KINDS,
  type MessageKind,
  declarationOf,
} from '../../entities/message-kinds.ts';
import { type FieldError, quote } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';

/**
 * NotificationOptions of an appointment: which messages its client gets. Words are channels, names of messages, or
 * None; an empty list is the company's setting.
 */

const FIELD = 'NotificationOptions';
/** Messages to the office do not go to clients. */
const kinds = MESSAGE_KINDS.filter((kind) => kind !== 'Office');
const WORDS = [...CHANNELS, 'None', ...kinds] as const;
type Word = (typeof WORDS)[number];

const byText: ReadonlyMap<string, Word> = new Map([
  ...WORDS.map((word): [string, Word] => [word.toLowerCase(), word]),
  ['sms', 'Text'],
]);

const readWord = (text: string): Word | undefined => byText.get(text.trim().toLowerCase());

export interface NotificationOptions {
  /** `false` for None. */
  readonly isOn: boolean;
  /** Empty for all that the company chose. */
  readonly channels: readonly Channel[];
  /** Empty for all messages. */
  readonly kinds: readonly MessageKind[];
}

/** What stored words allow; unknown ones, which earlier versions stored, mean nothing. */
export function parseNotificationOptions(words: readonly string[]): NotificationOptions {
  const known = new Set(words.map(readWord));
  return {
    isOn: !known.has('None'),
    channels: CHANNELS.filter((channel) => known.has(channel)),
    kinds: kinds.filter((kind) => known.has(kind)),
  };
}

/** Whether the words allow this message this way. */
export const allows = (options: NotificationOptions, kind: MessageKind, channel: Channel): boolean =>
  options.isOn &&
  (!options.kinds.length || options.kinds.includes(kind)) &&
  (!options.channels.length || options.channels.includes(channel));

/**
 * The channels of a message for a visit, where the company chose `ofCompany`. The words decide: a channel among them
 * replaces the company's, and a message among them is sent even if the company turned it off.
 */
export function channelsFor(
  options: NotificationOptions,
  kind: MessageKind,
  ofCompany: readonly Channel[],
): readonly Channel[] {
  if (!ofCompany.length && !options.kinds.includes(kind)) return [];
  const isChosen = ofCompany.length > 0 && !options.channels.length;
  const channels = isChosen ? ofCompany : declarationOf(kind).channels;
  return channels.filter((channel) => allows(options, kind, channel));
}

/** The words of a request as they are stored, and an error for each unknown one. */
export function readNotificationOptions(words: readonly string[]): {
  readonly options: string[];
  readonly errors: readonly FieldError[];
} {
  const read = words.map((text) => ({ text, word: readWord(text) }));
  return {
    options: [...new Set(read.flatMap(({ word }) => word ?? []))],
    errors: read.flatMap(({ text, word }, index): FieldError[] =>
      word || !text.trim() ? [] : [{ field: `${FIELD}[${index}]`, code: 'unknown_value', message: describe(text) }],
    ),
  };
}

function describe(text: string): string {
  const hint = didYouMean(text, WORDS);
  return `must be one of ${WORDS.join(', ')}.${hint && ` ${hint}`}`;
}

/** Leaves out unknown words of a lenient key, and a list of only such words; returns a sentence for each. */
export function dropUnknownOptions(body: Record<string, unknown>): string[] {
  const sent: unknown = body[FIELD];
  if (!Array.isArray(sent)) return [];
  const isUnknown = (word: unknown): word is string =>
    typeof word === 'string' && word.trim() !== '' && readWord(word) === undefined;
  const unknown = sent.filter(isUnknown);
  if (!unknown.length) return [];
  const known = sent.filter((word) => !isUnknown(word));
  if (known.length) body[FIELD] = known;
  else delete body[FIELD];
  return unknown.map((word) => `${FIELD} ${quote(word)} is left out; it ${describe(word)}`);
}
