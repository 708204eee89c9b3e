import * as z from 'zod';
import { isEqual } from '../../../lib/shared/objects.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import { type AccountEntry, accountFields } from './account.ts';
import { CheckedFile, type Row, valueAt } from './checked-file.ts';
import { type Entry, type RowKind, listSchema, suggestField } from './entry-format.ts';
import { type Entries, entryIdentities } from './section.ts';
import { sections } from './sections.ts';
import { type FileError, type Path, type TextPlace, formatPath, parseYaml } from './yaml-document.ts';

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

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

interface LocatedError {
  /** Path in the file. */
  readonly path: Path;
  readonly error: FileError;
}

function issueErrors(issue: z.core.$ZodIssue, schema: z.ZodType, file: CheckedFile): LocatedError[] {
  const { document } = file;
  const path = file.toFilePath(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const suggestion = suggestField(schema, issue.path, key);
      const message = `is not a field${suggestion ? `; did you mean ${suggestion}?` : ''}`;
      return { path: [...path, key], error: document.errorAt([...path, key], message, { onKey: true }) };
    });
  const isMissing = valueAt(document.value, path) == null && issue.code !== 'custom';
  const within = issue.code === 'custom' ? (issue.params as TextPlace | undefined) : undefined;
  return [{ path, error: document.errorAt(path, isMissing ? 'is required' : issue.message, within && { within }) }];
}

type FileEntries = AccountEntry & Readonly<Record<string, readonly Entry[] | null | undefined>>;

/** A file without its invalid rows, and the remaining content. */
interface ParsedFile {
  readonly file: CheckedFile;
  readonly entries: FileEntries;
}

/** Checks each row on its own. */
function parseFile(document: CheckedFile, errors: FileError[]): ParsedFile {
  const schema = fileSchema();
  for (let file = document; ;) {
    const { data, error } = schema.safeParse(file.value ?? {});
    if (!error) return { file, entries: data as FileEntries };
    const found = error.issues.flatMap((issue) => issueErrors(issue, schema, file));
    errors.push(...found.map((each) => each.error));
    file = file.without(found.map(({ path }) => path));
  }
}

interface PlacedRow extends Row {
  readonly file: CheckedFile;
}

/** The rows of a list, valid or not, in the order of the files. */
function rowsOf(
  kind: RowKind,
  lists: readonly { readonly file: CheckedFile; readonly path: Path; readonly entries: readonly Entry[] }[],
): PlacedRow[] {
  return lists.flatMap(({ file, path, entries }) => {
    const list = file.toFilePath(path);
    const valid = entries.map((entry, index) => ({ file, path: file.toFilePath([...path, index]), entry }));
    const invalid = file.invalidRows(list, kind).map((row) => ({ ...row, file }));
    return [...valid, ...invalid].sort((a, b) => Number(a.path.at(-1)) - Number(b.path.at(-1)));
  });
}

/** An error of a row, or of a field of the account. */
interface FoundError {
  readonly file: CheckedFile;
  /** Path in the file. */
  readonly path: Path;
  readonly error: FileError;
}

/** The later ones of rows with the same identity. */
function duplicatesIn(kind: RowKind, rows: readonly PlacedRow[]): FoundError[] {
  const { keyField } = kind.format;
  const readable = rows.filter(({ entry }) => entry[keyField] !== undefined || entry['email'] !== undefined);
  const entries = readable.map(({ entry }) => entry);
  const identities = entryIdentities(kind, entries);
  const first = new Map<string, PlacedRow>();
  return readable.flatMap(({ file, path, entry }, index) => {
    const identity = identities[index] ?? '';
    const earlier = first.get(identity);
    if (!earlier) {
      first.set(identity, { file, path, entry });
      return [];
    }
    const place = `${formatPath(earlier.path)}${earlier.file === file ? '' : ` of ${earlier.file.document.file}`}`;
    return [{ file, path, error: file.document.errorAt(path, `is the same ${kind.noun} as ${place}`) }];
  });
}

function findDuplicates(parsed: readonly ParsedFile[]): FoundError[] {
  return sections.flatMap((section) => {
    const { key } = section;
    const lists = parsed.map(({ file, entries }) => ({ file, path: [key], entries: entries[key] ?? [] }));
    const inner = [...section.format.rowKinds()].flatMap(([field, kind]) =>
      lists.flatMap(({ file, entries }) =>
        entries.flatMap((entry, index) => {
          const own = { file, path: [key, index, field], entries: (entry[field] ?? []) as readonly Entry[] };
          return duplicatesIn(kind, rowsOf(kind, [own]));
        }),
      ),
    );
    return [...duplicatesIn(section, rowsOf(section, lists)), ...inner];
  });
}

const accountFieldNames = Object.keys(accountFields()) as (keyof AccountEntry)[];

/** Fields of the account for which a later file has another value. */
function findContradictions(parsed: readonly ParsedFile[]): FoundError[] {
  return accountFieldNames.flatMap((field) => {
    const [first, ...others] = parsed.filter(({ entries }) => entries[field] !== undefined);
    return others.flatMap(({ file, entries }) => {
      if (!first || isEqual(first.entries[field], entries[field])) return [];
      const error = file.document.errorAt([field], `contradicts ${first.file.document.file}`);
      return [{ file, path: [field], error }];
    });
  });
}

const withoutErrors = (files: readonly CheckedFile[], errors: readonly FoundError[]): CheckedFile[] =>
  files.map((file) => file.without(errors.flatMap((each) => (each.file === file ? [each.path] : []))));

/** Several company files as one company: the rows that are valid by themselves, and the errors of the others. */
export class CompanyFile {
  readonly account: AccountEntry;
  readonly entries: Entries;
  /** Sorted by file and line. */
  readonly errors: readonly FileError[];
  readonly #parsed: readonly ParsedFile[];
  #invalidNames: Set<string> | undefined;

  constructor(files: readonly CheckedFile[], earlier: readonly FileError[]) {
    const errors = [...earlier];
    this.#parsed = files.map((file) => parseFile(file, errors));
    this.account = Object.fromEntries(
      accountFieldNames.map((field) => [
        field,
        this.#parsed.find(({ entries }) => entries[field] !== undefined)?.entries[field],
      ]),
    ) as AccountEntry;
    this.entries = new Map(
      sections.flatMap(({ key }): [string, readonly Entry[]][] => {
        const lists = this.#parsed.flatMap(({ entries }) => (entries[key] ? [entries[key]] : []));
        return lists.length ? [[key, lists.flat()]] : [];
      }),
    );
    const order = new Map(files.map(({ document }, index) => [document.file, index]));
    this.errors = errors.sort(
      (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
    );
  }

  /** The file of a path in the entries, and its path there. */
  #locate(path: Path): { file: CheckedFile; path: Path } {
    const [key = '', index, ...rest] = path;
    let place = typeof index === 'number' ? index : 0;
    const found = this.#parsed.find(({ entries }) => {
      const count = entries[String(key)]?.length ?? 0;
      if (place < count) return true;
      place -= count;
      return false;
    });
    const { file } = found ?? this.#parsed[0] ?? { file: new CheckedFile(parseYaml('', '')) };
    return { file, path: file.toFilePath(typeof index === 'number' ? [key, place, ...rest] : path) };
  }

  errorAt(path: Path, message: string): FileError {
    const { file, path: inFile } = this.#locate(path);
    return file.document.errorAt(inFile, message);
  }

  /** The value in its form in the file. */
  valueAt(path: Path): unknown {
    const { file, path: inFile } = this.#locate(path);
    return valueAt(file.document.value, inFile);
  }

  /** A path in its form in the file, with the file's name if an error at `from` is in another one. */
  formatPlace(path: Path, from: Path): string {
    const { file, path: inFile } = this.#locate(path);
    return `${formatPath(inFile)}${file === this.#locate(from).file ? '' : ` of ${file.document.file}`}`;
  }

  /** Whether a text names a row that is left out, or one that cannot be read. */
  isInvalidName(text: string): boolean {
    this.#invalidNames ??= new Set(this.#parsed.flatMap(({ file }) => [...file.invalidNames()]));
    const name = fold(text.trim());
    if (!name) return false;
    return this.#invalidNames.has(name) || this.#parsed.some(({ file }) => contains(file.document.damagedText, name));
  }

  /** The same with these errors, and without the rows that contain them. */
  without(errors: readonly { readonly path: Path; readonly error?: FileError }[]): CompanyFile {
    const places = errors.map(({ path, error }) => ({ ...this.#locate(path), ...(error ? { error } : {}) }));
    const files = this.#parsed.map(({ file }) =>
      file.without(places.flatMap((place) => (place.file === file ? [place.path] : []))),
    );
    return new CompanyFile(files, [...this.errors, ...places.flatMap(({ error }) => error ?? [])]);
  }
}

/** Whether a source contains a folded name as a whole word. */
function contains(source: string, name: string): boolean {
  const folded = fold(source);
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(folded.charAt(at));
  for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + name.length)) return true;
  return false;
}

/** Parses company files and checks each row on its own. */
export function parseCompanyFiles(sources: readonly SourceFile[]): CompanyFile {
  const documents = sources.map(({ name, text }) => parseYaml(text, name));
  const errors = documents.flatMap(({ syntaxErrors }) => syntaxErrors);
  const parsed = documents.map((document) => parseFile(new CheckedFile(document), errors));
  const found = [...findDuplicates(parsed), ...findContradictions(parsed)];
  const files = parsed.map(({ file }) => file);
  return new CompanyFile(withoutErrors(files, found), [...errors, ...found.map(({ error }) => error)]);
}
