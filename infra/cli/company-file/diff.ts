import { isEqual } from '../../../lib/shared/equality.ts';
import { fold } from '../../../lib/shared/text.ts';
import type { FileValue } from './form.ts';

/** A field that is another after an import: `undefined` where there was, or is, nothing. */
export interface FieldChange {
  readonly Field: string;
  readonly Before: unknown;
  readonly After: unknown;
}

const isMapping = (value: unknown): value is FileValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of an element of a list, where it has one. */
function nameOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  return isMapping(element) && typeof element['name'] === 'string' ? element['name'] : undefined;
}

const isNamed = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some(isMapping) && value.every((each) => nameOf(each) !== undefined);
const asMapping = (element: unknown): unknown => (typeof element === 'string' ? { name: element } : element);

/** Elements that have names are compared by them, whatever their order; the rest of a list is compared as a whole. */
function listChanges(before: readonly unknown[], after: readonly unknown[], path: string): FieldChange[] {
  const key = (element: unknown) => fold(nameOf(element) ?? '');
  const names = new Map([...before, ...after].map((element) => [key(element), nameOf(element)]));
  return [...names].flatMap(([folded, name]) => {
    const [was, is] = [before, after].map((list) => asMapping(list.find((element) => key(element) === folded)));
    return fieldChanges(was, is, `${path}[${name}]`);
  });
}

/** The fields in which two values of a company file differ, a row each. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isEqual(before, after)) return [];
  if (isMapping(before) && isMapping(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => fieldChanges(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (
    (isNamed(before) || before === undefined) &&
    (isNamed(after) || after === undefined) &&
    before !== after &&
    (isNamed(before) || isNamed(after))
  ) {
    return listChanges(before ?? [], after ?? [], path);
  }
  return [{ Field: path, Before: before, After: after }];
}

/** What became of one entry of the file. */
export interface Row {
  readonly Section: string;
  readonly Name: string;
  readonly Change: 'created' | 'updated' | 'unchanged';
  readonly Fields: readonly FieldChange[];
}

const LONGEST = 80;

function said(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const fieldLines = ({ Fields }: Row): string[] =>
  Fields.map(({ Field, Before, After }) => `    ${Field}: ${said(Before)} → ${said(After)}`);

/** The rows for people: each that is new or different with its fields, the others as a number a section. */
export function rowsText(rows: readonly Row[], nouns: ReadonlyMap<string, string>): string {
  const sections = [...new Set(rows.map(({ Section }) => Section))];
  const lines = sections.flatMap((section) => {
    const own = rows.filter(({ Section }) => Section === section);
    const noun = nouns.get(section) ?? section;
    const unchanged = own.filter(({ Change }) => Change === 'unchanged').length;
    const changed = own.filter(({ Change }) => Change !== 'unchanged');
    return [
      ...changed.flatMap((row) => [
        `${noun} ${row.Name}: ${row.Change}`,
        ...(row.Change === 'updated' ? fieldLines(row) : []),
      ]),
      ...(unchanged ? [`${section}: no change${unchanged > 1 ? ` (${unchanged})` : ''}`] : []),
    ];
  });
  const count = (change: Row['Change']) => rows.filter(({ Change }) => Change === change).length;
  return [
    ...lines,
    '',
    `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged.`,
  ].join('\n');
}
