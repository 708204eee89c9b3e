import { toTypedText } from '../../lib/shared/text/text.ts';
import { DAY, MINUTE } from '../../lib/shared/time/time.ts';
import { MAX_ID } from '../../lib/store/dynamodb/records.ts';

/** Early enough that no time zone moves it out of the century. */
const LAST_MOMENT = Date.UTC(2100, 0) - DAY;

function readNumber(text: string | null, most: number): number | undefined {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 && number <= most ? number : undefined;
}

/** An id in an address or a form; `undefined` for anything else. */
export const readId = (text: string | null): number | undefined => readNumber(text, MAX_ID);

/** Milliseconds since 1970 in an address or a form; `undefined` for anything else. */
export const readMoment = (text: string | null): number | undefined => readNumber(text, LAST_MOMENT);

/** The start of an offered time, which is a whole minute; `undefined` for anything else. */
export function readStart(text: string | null): number | undefined {
  const at = readMoment(text);
  return at !== undefined && at % MINUTE === 0 ? at : undefined;
}

/** A date of this century, `2026-12-05`, in an address; `undefined` for anything else. */
export function readDate(sent: URLSearchParams, name: string): string | undefined {
  const text = /^20\d\d-\d\d-\d\d$/.exec(sent.get(name) ?? '')?.[0];
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : text;
}

/** A month of this century, `2026-12`, in an address; `undefined` for anything else. */
export const readMonth = (sent: URLSearchParams, name: string): string | undefined =>
  /^20\d\d-(?:0[1-9]|1[0-2])$/.exec(sent.get(name) ?? '')?.[0];

/** A text in an address or a form, cut to `most` characters and without what cannot be stored. */
export const readText = (sent: URLSearchParams, name: string, most: number): string =>
  toTypedText(sent.get(name), most);
