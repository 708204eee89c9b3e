import type { ImportedRecord } from '../../entities/imports.ts';
import { isEqual } from '../../shared/objects.ts';

/** Finds what an import changed in a record, from the notes it took before each change. */

/** The request id of a run: every version of a record names the request that wrote it. */
export const requestOfRun = (run: number, of: 'import' | 'undo' = 'import'): string =>
  `import-run-${run}${of === 'undo' ? '-undo' : ''}`;

/** Whether a request is an import run; an undo gives its records back to it. */
export const isRunRequest = (request: string): boolean => /^import-run-\d+$/.test(request);

/** Kinds of records that an undo handles one by one, in the order of references. */
export const undoneKinds = ['Payment', 'Invoice', 'Proposal', 'Appointment', 'Task', 'Contact'] as const;
export type UndoneKind = (typeof undoneKinds)[number];

type Values = Readonly<Record<string, unknown>>;

/** A version of a record, without the table's own fields and those that every change has. */
interface RecordVersion {
  readonly version: number;
  /** The request that wrote it. */
  readonly by: string;
  readonly fields: Values;
}

interface ImportedChange {
  readonly Kind: string;
  readonly Id: number;
  /** `undefined` for a new record. */
  readonly before: RecordVersion | undefined;
  /** The new fields; absent for a change of some fields, whose `names` are known. */
  readonly after: Values | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The note of a change: the fields that differ, with their values before it. */
export function importedChange({ Kind, Id, before, after, names }: ImportedChange): ImportedRecord {
  if (!before) return { Kind, Id, Before: 0, By: '', Added: [] };
  const { version: Before, by: By, fields } = before;
  const all = names ?? [...new Set([...Object.keys(fields), ...Object.keys(after ?? {})])];
  const changed = all.filter((name) => !after || !isEqual(fields[name], after[name]));
  const Was = Object.fromEntries(
    changed.map((name) => [name, fields[name]]).filter(([, value]) => value !== undefined),
  );
  return { Kind, Id, Before, By, Was, Added: changed.filter((name) => fields[name] === undefined) };
}

/** The combined effect of a run on a record. */
export interface OwnChange {
  /** Whether the run created the record. */
  readonly isNew: boolean;
  /** Whether the run also created the record, and somebody changed it before the run changed it again. */
  readonly isInterrupted: boolean;
  /** The request of the version before the run. */
  readonly by: string;
  readonly was: Values;
  readonly added: readonly string[];
}

/**
 * Combines the changes of a record, given oldest first; `undefined` if none was committed. A note at version 3 says
 * that the run was about to write version 4. It did, if the record has that version, or if the next note, at version 4,
 * says that the run wrote it. Changes before somebody else's version do not count, because that version already
 * includes them.
 */
export function ownChange(
  notes: readonly ImportedRecord[],
  { run, version }: { readonly run: number; readonly version: number },
): OwnChange | undefined {
  const committed = notes.filter(({ Before }) => Before < version);
  const last = committed.findLastIndex(({ Before, By }) => Before === 0 || By !== requestOfRun(run));
  const own = committed.slice(Math.max(0, last));
  const [first] = own;
  if (!first) return undefined;
  const was = new Map<string, unknown>();
  for (const { Was = {}, Added } of own.toReversed()) {
    for (const name of Added) was.set(name, undefined);
    for (const [name, value] of Object.entries(Was)) was.set(name, value);
  }
  return {
    isNew: first.Before === 0,
    isInterrupted: first.Before > 0 && committed[0]?.Before === 0,
    by: first.By,
    was: Object.fromEntries([...was].filter(([, value]) => value !== undefined)),
    added: [...was].flatMap(([name, value]) => (value === undefined ? [name] : [])),
  };
}
