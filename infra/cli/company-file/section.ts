import type { Resource } from '../../../lib/resources/fields.ts';
import type { FieldError } from '../../../lib/shared/failure.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import { type Entry, type EntryFormat, type RowKind, parsePath } from './entry-format.ts';
import type { Path } from './yaml-document.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

/** The account of an import or export. */
export interface AccountContext {
  readonly store: StoreWriter;
  readonly now: Date;
  /** Adds a sentence to the report of an import. */
  readonly remark?: (sentence: string) => void;
}

/** An error at a path of the file. */
export interface PathError {
  readonly path: Path;
  readonly message: string;
}

/** One list of the company file. */
export interface Section extends RowKind {
  /** Its name in the file. */
  readonly key: string;
  /** Entries may have the same identity: then the first in the file is the oldest record, and so on. */
  readonly mayRepeat?: boolean;
  /** An undo takes back each record of it instead of entries. */
  readonly areRecords?: boolean;
  /** The account's records as entries, in a stable order. */
  exportEntries(context: AccountContext): Promise<Entry[]>;
}

/** The entries of a file, by section. */
export type Entries = ReadonlyMap<string, readonly Entry[]>;

/** The entries of an import that are still valid. */
export interface ImportRun {
  readonly entries: Entries;
  /** Reports errors, at paths of the entries, and leaves out the rows that contain them. */
  reject(errors: readonly PathError[]): void;
}

/** Sections that are imported together. */
export interface SectionGroup {
  readonly sections: readonly Section[];
  /** Commits the changes of the valid entries and rejects the others. Records without an entry are not changed. */
  importEntries(context: AccountContext, run: ImportRun): Promise<void>;
}

/**
 * Imports, rejects what is invalid, and imports the rest, until all of it is valid. Repeats because invalid entries
 * hide errors in the rest: an operation refuses a request for its first reasons only.
 */
export async function importValid(
  run: ImportRun,
  importAll: (entries: Entries) => Promise<readonly PathError[]>,
): Promise<void> {
  for (;;) {
    const errors = await importAll(run.entries);
    if (!errors.length) return;
    run.reject(errors);
  }
}

/** The name of an entry: `Weather`. */
export const entryName = ({ identity, format }: RowKind, entry: Entry): string =>
  identity?.(entry) ?? String(entry[format.keyField]);

/**
 * What identifies each entry of a list; in a section with repetitions, also its position among entries with the same
 * name.
 */
export function entryIdentities(kind: RowKind & Pick<Section, 'mayRepeat'>, entries: readonly Entry[]): string[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const identity = fold(entryName(kind, entry)).trim();
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    return kind.mayRepeat ? `${identity} ${count}` : identity;
  });
}

/** Errors of a record's fields at their places in the file; `base` is the path of the record's entry. */
export const toPathErrors = (base: Path, format: EntryFormat<Resource>, errors: readonly FieldError[]): PathError[] =>
  errors.map(({ field, message }) => ({ path: [...base, ...format.toPath(parsePath(field))], message }));
