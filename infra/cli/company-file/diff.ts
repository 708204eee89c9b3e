import { isEqual } from '../../../lib/shared/objects.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import type { Entry } from './entry-format.ts';

/** A field that an import changes; `undefined` means no value. */
interface FieldChange {
  readonly Field: string;
  readonly Before: unknown;
  readonly After: unknown;
}

const isMapping = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a list element, if it has one. */
function elementName(element: unknown): string | undefined {
  if (typeof element === 'string') return element;
  return isMapping(element) && typeof element['name'] === 'string' ? element['name'] : undefined;
}

const isNamedList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some(isMapping) && value.every((each) => elementName(each) !== undefined);

/** Compares elements by name, in any order, if they have names. */
function namedListChanges(before: readonly unknown[], after: readonly unknown[], path: string): FieldChange[] {
  const key = (element: unknown) => fold(elementName(element) ?? '');
  const names = new Map([...before, ...after].map((element) => [key(element), elementName(element)]));
  return [...names].flatMap(([folded, name]) => {
    const [left, right] = [before, after].map((list) => {
      const element = list.find((each) => key(each) === folded);
      return typeof element === 'string' ? { name: element } : element;
    });
    return fieldChanges(left, right, `${path}[${name}]`);
  });
}

/** The fields in which two values of a company file differ; lists without names are compared as a whole. */
function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isEqual(before, after)) return [];
  if (isMapping(before) && isMapping(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => fieldChanges(before[name], after[name], path ? `${path}.${name}` : name));
  }
  const [left, right] = [before ?? [], after ?? []];
  const areNamed = [before, after].every((value) => value === undefined || isNamedList(value));
  if (areNamed && Array.isArray(left) && Array.isArray(right)) return namedListChanges(left, right, path);
  return [{ Field: path, Before: before, After: after }];
}

/** The outcome of one entry of the file. */
export interface EntryResult {
  readonly Section: string;
  readonly Name: string;
  readonly Change: 'created' | 'updated' | 'unchanged';
  readonly Fields: readonly FieldChange[];
}

/** The result for an entry whose record is `before` and becomes `after`. */
export function compareEntry(Section: string, Name: string, before: Entry | undefined, after: Entry = {}): EntryResult {
  const Change = before === undefined ? 'created' : isEqual(before, after) ? 'unchanged' : 'updated';
  return { Section, Name, Change, Fields: fieldChanges(before ?? {}, after) };
}

const MAX_VALUE_LENGTH = 80;

function formatValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

function formatResult({ Name, Change, Fields }: EntryResult, noun: string): string[] {
  const lines = Fields.map(
    ({ Field, Before, After }) => `    ${Field}: ${formatValue(Before)} → ${formatValue(After)}`,
  );
  return [`${noun} ${Name}: ${Change}`, ...(Change === 'updated' ? lines : [])];
}

/** Results as text: new and changed entries one by one, the others as a count per section. */
export function formatResults(results: readonly EntryResult[], nouns: ReadonlyMap<string, string>): string {
  const lines = [...Map.groupBy(results, ({ Section }) => Section)].flatMap(([section, own]) => {
    const changed = own.filter(({ Change }) => Change !== 'unchanged');
    const unchanged = own.length - changed.length;
    return [
      ...changed.flatMap((result) => formatResult(result, nouns.get(section) ?? section)),
      ...(unchanged ? [`${section}: no change${unchanged > 1 ? ` (${unchanged})` : ''}`] : []),
    ];
  });
  const count = (change: EntryResult['Change']) => results.filter(({ Change }) => Change === change).length;
  const totals = `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged.`;
  return [...lines, '', totals].join('\n');
}
