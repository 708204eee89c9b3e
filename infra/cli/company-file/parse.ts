import * as z from 'zod';
import { type Entry, listSchema, suggestField } from './entry-format.ts';
import { type AccountEntry, accountFields } from './account.ts';
import { type Entries, type Section, entryIdentities } from './section.ts';
import { sections } from './sections.ts';
import { type FileError, type Path, type YamlDocument, parseYaml } from './yaml-document.ts';

/**
 * A valid company file: the fields of the account itself, the entries by section, and the document for later errors.
 */
export interface CompanyFile {
  readonly document: YamlDocument;
  readonly account: AccountEntry;
  readonly entries: Entries;
}

const MAX_ERRORS = 200;

const fileSchema = (): z.ZodType =>
  z.strictObject(
    {
      ...accountFields(),
      ...Object.fromEntries(
        sections.map(({ key, format }): [string, z.ZodType] => [key, listSchema(format).nullish()]),
      ),
    },
    'must be a mapping that begins with `company: <name>`',
  );

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);

function issueErrors(issue: z.core.$ZodIssue, schema: z.ZodType, document: YamlDocument): FileError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const suggestion = suggestField(schema, issue.path, key);
      const message = `is not a field${suggestion ? `; did you mean ${suggestion}?` : ''}`;
      return document.errorAt([...issue.path, key], message, { onKey: true });
    });
  const isMissing = valueAt(document.value, issue.path) == null && issue.code !== 'custom';
  return [document.errorAt(issue.path, isMissing ? 'is required' : issue.message)];
}

/** An entry with its place in its section. */
type PlacedEntry = readonly [index: number, entry: Entry];

function duplicateErrors(section: Section, placed: readonly PlacedEntry[], document: YamlDocument): FileError[] {
  const entries = placed.map(([, entry]) => entry);
  const identities = entryIdentities(section, entries);
  return identities.flatMap((identity, place) => {
    const first = identities.indexOf(identity);
    const [[index], [firstIndex]] = [placed[place] ?? [0], placed[first] ?? [0]];
    const message = `is the same ${section.noun} as ${section.key}[${firstIndex}]`;
    return first < place ? [document.errorAt([section.key, index], message)] : [];
  });
}

/** The entries of a section that are valid by themselves, of a file in which others are not. */
function validEntries(section: Section, value: unknown, issues: readonly z.core.$ZodIssue[]): PlacedEntry[] {
  const list = (value as Record<string, unknown> | null)?.[section.key];
  const invalid = new Set(issues.filter(({ path }) => path[0] === section.key).map(({ path }) => path[1]));
  if (!Array.isArray(list) || invalid.has(undefined)) return [];
  const schema = listSchema(section.format);
  return list.flatMap((each: unknown, index): PlacedEntry[] => {
    const { data } = invalid.has(index) ? {} : schema.safeParse([each]);
    const [entry] = (data ?? []) as readonly Entry[];
    return entry ? [[index, entry]] : [];
  });
}

/** Parses a company file and checks each entry by itself; returns all errors of an invalid one. */
export function parseCompanyFile(text: string): CompanyFile | { readonly errors: readonly FileError[] } {
  const document = parseYaml(text);
  if ('errors' in document) return document;
  const schema = fileSchema();
  const result = schema.safeParse(document.value ?? {});
  if (!result.success) {
    const { issues } = result.error;
    const errors = [
      ...issues.slice(0, MAX_ERRORS).flatMap((issue) => issueErrors(issue, schema, document)),
      ...sections.flatMap((section) =>
        duplicateErrors(section, validEntries(section, document.value, issues), document),
      ),
    ];
    return { errors: errors.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const { company, proposals, ...lists } = result.data as AccountEntry & Record<string, readonly Entry[] | null>;
  const entries = new Map(
    sections.flatMap(({ key }): [string, readonly Entry[]][] => (lists[key] ? [[key, lists[key]]] : [])),
  );
  const errors = sections.flatMap((section) =>
    duplicateErrors(section, [...(entries.get(section.key) ?? []).entries()], document),
  );
  return errors.length ? { errors } : { document, account: { company, proposals }, entries };
}
