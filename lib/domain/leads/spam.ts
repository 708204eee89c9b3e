import { SECOND } from '../../shared/time/time.ts';
import type { LeadEntry } from './entries.ts';

/** Recognizes forms that no person filled in. */

/** Fields that people do not see, so that only programs fill them in. */
const HONEYPOTS = new Set(['_gotcha', '_honey', '_honeypot', 'honeypot', 'bot-field', 'bot_field', '_hp', 'hp_field']);
/** The field with the moment at which the page was opened. */
const OPENED = '_opened';
/** Nobody fills in a form faster. */
const MIN_TIME = 2 * SECOND;

/** Milliseconds since 1970, of a number in seconds or milliseconds or a text; NaN for anything else. */
function momentOf(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) return Date.parse(text);
  return number < 1e11 ? number * SECOND : number;
}

/** Why a form is taken for spam; `undefined` if it is not. */
export function spamIn(entries: readonly LeadEntry[], now: number): 'honeypot' | 'timing' | undefined {
  if (entries.some(({ name, value }) => HONEYPOTS.has(name.toLowerCase()) && value.trim() !== '')) return 'honeypot';
  const opened = momentOf(entries.find(({ name }) => name === OPENED)?.value ?? '-');
  // A clock ahead of ours says nothing.
  return now - opened >= 0 && now - opened < MIN_TIME ? 'timing' : undefined;
}
