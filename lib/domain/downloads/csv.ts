/**
 * CSV as in RFC 4180: commas, CRLF, cells quoted if needed, quotes doubled. No byte order mark, which most readers
 * would take for part of the first name.
 */

/** Comma, quote and line ends; and the separators of other dialects, in which part of a text would become a cell. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * Whether a spreadsheet might run a text as a formula: it starts with `=`, `+`, `-` or `@`, also full-width or small,
 * possibly after white space and zero-width characters, or with a control character such as a tab.
 */
const MAY_BE_FORMULA =
  /^[\s\u00AD\u180E\u200B-\u200F\u2028-\u202F\u2060-\u2064\uFEFF]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^\p{Cc}/u;

/** Whether a text needs an apostrophe: it may be a formula, or is one with an apostrophe of its own before it. */
const needsApostrophe = (text: string): boolean => MAY_BE_FORMULA.test(text.replace(/^'+/, ''));

/** The original text of a cell, without the apostrophe of a possible formula. */
export const csvValue = (cell: string): string =>
  cell.startsWith("'") && needsApostrophe(cell.slice(1)) ? cell.slice(1) : cell;

/** The text of a cell. One that could run as a formula gets an apostrophe, which spreadsheets hide. */
export function csvText(text: string): string {
  const safe = needsApostrophe(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** JSON with sorted names, because the table returns them in any order, and the same data must make the same file. */
export const orderedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );

/** A cell: numbers and flags unchanged, texts made safe, empty for `null`. */
export function csvCell(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return csvText(value);
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return value === null || value === undefined ? '' : csvText(orderedJson(value));
  }
}
