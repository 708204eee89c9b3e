/**
 * Undoes the escaping that form software applies to texts: HTML entities, and backslashes before quotes (PHP's
 * addslashes).
 */

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,30});/i;
const ESCAPED_QUOTE = /\\['"]/;
const ESCAPE = /\\(['"\\])/g;

/** Whether a text may have been escaped by a program. */
export const mayBeEscaped = (text: string): boolean => ENTITY.test(text) || ESCAPED_QUOTE.test(text);

/** How many times the same text may have been escaped: `O&amp;#39;Neil`. */
const MAX_TIMES = 3;

/** The text before escaping: `O\'Neil`, `O&#39;Neil` and `O&amp;#39;Neil` are `O'Neil`. */
export function unescapeForm(text: string, decodeHtml: (html: string) => string): string {
  let read = text;
  for (let times = 0; times < MAX_TIMES && mayBeEscaped(read); times++) {
    read = decodeHtml(read);
    if (ESCAPED_QUOTE.test(read)) read = read.replace(ESCAPE, '$1');
  }
  return read;
}
