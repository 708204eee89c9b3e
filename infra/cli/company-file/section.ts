import type * as z from 'zod';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import type { Path } from './document.ts';
import type { FileValue } from './form.ts';

/** Where a company file is brought to, or taken from. */
export interface Target {
  readonly table: TableWriter;
  readonly account: string;
  readonly now: Date;
}

/** A rule that the file breaks: `path` from the top of the file. */
export interface SectionFault {
  readonly path: Path;
  readonly message: string;
}

/** One list of the company file. */
export interface Section {
  /** Its name in the file. */
  readonly key: string;
  /** What one entry is called. */
  readonly noun: string;
  readonly entry: () => z.ZodType<FileValue>;
  /** The field by which an entry is known, which alone says it; its name unless said otherwise. */
  readonly keyField?: string;
  /** By which text an entry is known, where that is more than its key field. */
  readonly identity?: (entry: FileValue) => string;
  /** Two entries may be alike: the first in the file is then the oldest there is. */
  readonly mayRepeat?: boolean;
  /** What there is, as the file says it, in a lasting order. */
  show(target: Target): Promise<FileValue[]>;
}

/** The entries of a file, by section. */
export type Entries = ReadonlyMap<string, readonly FileValue[]>;

/** Sections that are brought in together. */
export interface Stage {
  readonly sections: readonly Section[];
  /** Commits what the entries bring, or says which rules they break. Entries not named stay. */
  bring(target: Target, entries: Entries): Promise<readonly SectionFault[]>;
}

/** The field by which a section's entries are known. */
export const keyFieldOf = ({ keyField = 'name' }: Section): string => keyField;

/** A transaction takes 100 changes. */
const MAX_CHANGES = 90;

/** Commits changes of which any beginning may stand by itself. */
export async function commitInTurn(table: TableWriter, changes: readonly Change[]): Promise<void> {
  for (let first = 0; first < changes.length; first += MAX_CHANGES)
    await table.commit(changes.slice(first, first + MAX_CHANGES));
}
