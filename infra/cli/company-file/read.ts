import * as z from 'zod';
import { fold } from '../../../lib/shared/text.ts';
import { type Entries, type Section, keyFieldOf } from './section.ts';
import { type AccountEntry, accountFields } from './account.ts';
import { type FileError, type FileDocument, type Path, readDocument } from './document.ts';
import { type FileValue, listOf, nearestName } from './form.ts';

/**
 * A company file that is one: what it says of the account itself, its entries by section, and its document, for faults
 * found later.
 */
export interface CompanyFile {
  readonly document: FileDocument;
  readonly account: AccountEntry;
  readonly entries: Entries;
}

const MAX_FAULTS = 200;

/** How an entry is called. */
export const nameOf = (section: Section, entry: FileValue): string =>
  section.identity?.(entry) ?? String(entry[keyFieldOf(section)]);

/** By what each entry of a list is known; of those that may be alike, by its place among them too. */
export function identitiesOf(section: Section, entries: readonly FileValue[]): string[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const identity = fold(nameOf(section, entry)).trim();
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    return section.mayRepeat ? `${identity} ${count}` : identity;
  });
}

const schemaOf = (sections: readonly Section[]): z.ZodType =>
  z.strictObject(
    {
      ...accountFields(),
      ...Object.fromEntries(
        sections.map((section): [string, z.ZodType] => [
          section.key,
          listOf(section.entry(), keyFieldOf(section)).nullish(),
        ]),
      ),
    },
    'must be a mapping that begins with `company: <name>`',
  );

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, document: FileDocument): FileError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = nearestName(schema, issue.path, key);
      return document.fault([...issue.path, key], `is not a field${near ? `; did you mean ${near}?` : ''}`, {
        onKey: true,
      });
    });
  }
  const missing = valueAt(document.value, issue.path) == null && issue.code !== 'custom';
  return [document.fault(issue.path, missing ? 'is required' : issue.message)];
}

/** Entries of one section that speak of the same thing. */
function doubles(section: Section, entries: readonly FileValue[], document: FileDocument): FileError[] {
  const first = new Map<string, number>();
  return identitiesOf(section, entries).flatMap((identity, index) => {
    const known = first.get(identity);
    if (known === undefined) first.set(identity, index);
    return known === undefined
      ? []
      : [document.fault([section.key, index], `is the same ${section.noun} as ${section.key}[${known}]`)];
  });
}

/** Reads a company file as text: its entries, checked one by one; or everything that is wrong with it. */
export function readCompany(
  text: string,
  sections: readonly Section[],
): CompanyFile | { readonly errors: readonly FileError[] } {
  const document = readDocument(text);
  if ('errors' in document) return document;
  const schema = schemaOf(sections);
  const result = schema.safeParse(document.value ?? {});
  if (!result.success) {
    const errors = result.error.issues.slice(0, MAX_FAULTS).flatMap((issue) => faultsOf(issue, schema, document));
    return { errors: errors.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const { company, proposals, ...lists } = result.data as AccountEntry & object;
  const input = lists as Readonly<Record<string, readonly FileValue[] | null | undefined>>;
  const errors = sections.flatMap((section) => doubles(section, input[section.key] ?? [], document));
  if (errors.length) return { errors };
  return {
    document,
    account: { company, proposals },
    entries: new Map(
      sections.flatMap(({ key }): [string, readonly FileValue[]][] => (input[key] ? [[key, input[key]]] : [])),
    ),
  };
}
