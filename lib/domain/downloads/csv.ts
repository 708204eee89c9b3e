/**
 * CSV as RFC 4180 has it: commas, CRLF, a quoted cell where its text needs it, quotes doubled. Without a byte order
 * mark, which most readers would take for a part of the first name.
 */

/** Comma, quote and line ends; and separators of other dialects, in which a part of the text would be a cell. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * Whether a spreadsheet may run a text as a formula: `=`, `+`, `-` or `@`, also full-width or small, first or behind
 * white space and characters without width, or a control character first, as a tab.
 */
const MAY_BE_FORMULA =
  /^[\s\u00AD\u180E\u200B-\u200F\u2028-\u202F\u2060-\u2064\uFEFF]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|^\p{Cc}/u;

/** Whether a text needs an apostrophe: a possible formula, or one that has an apostrophe of its own before it. */
const needsApostrophe = (text: string): boolean => MAY_BE_FORMULA.test(text.replace(/^'+/, ''));

/** The text that a cell was made from: without the apostrophe of a possible formula. */
export const csvValue = (cell: string): string =>
  cell.startsWith("'") && needsApostrophe(cell.slice(1)) ? cell.slice(1) : cell;

/** The text of a cell. One that could be run as a formula begins with an apostrophe, which spreadsheets hide. */
export function csvText(text: string): string {
  const safe = needsApostrophe(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * JSON with the names of objects in order: the table returns them in any, and the same data must make the same file.
 */
export const orderedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );

/** A cell: numbers and flags as they are, texts safe, nothing for `null`. */
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
