import { DAY } from '../../lib/shared/time/time.ts';
import { MAX_ID } from '../../lib/store/dynamodb/records.ts';

/** No zone shifts it out of the century. */
const LAST_MOMENT = Date.UTC(2100, 0) - DAY;

function readNumber(text: string | null, most: number): number | undefined {
  const number = /^\d{1,16}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 && number <= most ? number : undefined;
}

/** An id in an address or a form; `undefined` for anything else. */
export const readId = (text: string | null): number | undefined => readNumber(text, MAX_ID);

/** Milliseconds since 1970 in an address or a form; `undefined` for anything else. */
export const readMoment = (text: string | null): number | undefined => readNumber(text, LAST_MOMENT);

/** A text in an address or a form, without what is beyond `most` characters and without halves of characters. */
export const readText = (sent: URLSearchParams, name: string, most: number): string =>
  (sent.get(name) ?? '').trim().slice(0, most).toWellFormed();
