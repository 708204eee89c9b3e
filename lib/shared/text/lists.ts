/** Characters that separate values or open a quoted one; files from other programs also separate by comma and bar. */
const NEEDS_QUOTES = /[;,|"]/;
const SEPARATOR = /([;,|])/;

/** A list of values as the text of a cell. A value with a separator is quoted: `VIP; "Smith, Jones"`. */
export const joinList = (values: readonly unknown[]): string =>
  values
    .map(String)
    .map((text) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join('; ');

const isQuoted = (text: string): boolean => text.length > 1 && text.startsWith('"') && text.endsWith('"');
const unquoted = (text: string): string => (isQuoted(text) ? text.slice(1, -1).replaceAll('""', '"') : text);

/** The values of a list in a cell, blank ones left out. */
export function splitList(cell: string): string[] {
  const values: string[] = [];
  let value: string[] = [];
  let quotes = 0;
  for (const piece of cell.split(SEPARATOR)) {
    if (quotes % 2 === 0 && SEPARATOR.test(piece)) {
      values.push(value.join(''));
      [value, quotes] = [[], 0];
      continue;
    }
    value.push(piece);
    if (value[0]?.trimStart().startsWith('"')) quotes += piece.split('"').length - 1;
  }
  return [...values, value.join('')].map((text) => unquoted(text.trim())).filter(Boolean);
}
