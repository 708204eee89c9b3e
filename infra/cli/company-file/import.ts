import { isEqual } from '../../../lib/shared/equality.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import type { Section, Stage, Target } from './section.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/retry.ts';
import { importAccount } from './account.ts';
import { blogStage } from './blogs.ts';
import { type Row, fieldChanges } from './diff.ts';
import type { FileError } from './document.ts';
import type { FileValue } from './form.ts';
import { organizationStage } from './organizations.ts';
import { type Overlay, overlay } from './overlay.ts';
import { bookStage } from './price-book.ts';
import { type CompanyFile, identitiesOf, nameOf } from './read.ts';
import { settingStages } from './settings.ts';
import { taskStage } from './tasks.ts';

/** What a company file brings: a row an entry, or why it cannot be brought in. */
export type ImportResult =
  | { readonly kind: 'faulty'; readonly errors: readonly FileError[] }
  | { readonly kind: 'planned'; readonly rows: readonly Row[] };

export interface ImportOptions {
  readonly table: TableWriter;
  readonly account: string;
  readonly stages: readonly Stage[];
  /** Only shows what would change. */
  readonly dryRun?: boolean;
  /** Told of transactions done, and of how many there are. */
  readonly onProgress?: (done: number, of: number) => void;
}

function byIdentity(section: Section, entries: readonly FileValue[]): Map<string, FileValue> {
  const identities = identitiesOf(section, entries);
  return new Map(entries.map((entry, index) => [identities[index] ?? '', entry]));
}

/** What there is of the sections that the file speaks of. */
const shownNow = async (sections: readonly Section[], target: Target): Promise<Map<string, Map<string, FileValue>>> =>
  new Map(
    await Promise.all(
      sections.map(async (section) => [section.key, byIdentity(section, await section.show(target))] as const),
    ),
  );

function rowOf(section: Section, entry: FileValue, was: FileValue | undefined, is: FileValue | undefined): Row {
  const Change = was === undefined ? 'created' : isEqual(was, is) ? 'unchanged' : 'updated';
  return { Section: section.key, Name: nameOf(section, entry), Change, Fields: fieldChanges(was ?? {}, is ?? {}) };
}

/** Everything that the file brings, laid over the table in memory: each stage sees what those before it bring. */
async function plan(
  { document, account: input, entries }: CompanyFile,
  { table, account, stages }: ImportOptions,
): Promise<{ rows: Row[]; errors: FileError[]; over: Overlay }> {
  const over = overlay(table);
  const target: Target = { table: over, account, now: new Date() };
  const sections = stages.flatMap((stage) => stage.sections).filter(({ key }) => entries.has(key));
  const before = await shownNow(sections, target);
  const rows = await importAccount(target, input);
  const errors: FileError[] = [];
  for (const stage of stages) {
    const broken = await stage.bring(target, entries);
    errors.push(...broken.map(({ path, message }) => document.fault(path, message)));
  }
  if (errors.length) return { rows: [], errors, over };
  const after = await shownNow(sections, target);
  for (const section of sections) {
    for (const [identity, entry] of byIdentity(section, entries.get(section.key) ?? [])) {
      rows.push(rowOf(section, entry, before.get(section.key)?.get(identity), after.get(section.key)?.get(identity)));
    }
  }
  return { rows, errors, over };
}

/**
 * Brings a company file into an account. Everything is checked, against each other too, before anything is written.
 * What is written is a transaction each thing (or handful), in an order in which each leads to nothing that is not
 * there; an import that is cut short is completed by running it again.
 */
export async function importCompany(file: CompanyFile, options: ImportOptions): Promise<ImportResult> {
  const { table, dryRun = false, onProgress = () => undefined } = options;
  let shown: readonly Row[] | undefined;
  return await retryUnavailable(async (): Promise<ImportResult> => {
    const { rows, errors, over } = await plan(file, options);
    if (errors.length) return { kind: 'faulty', errors };
    // Planned again after a conflict, what is written already is no change any more; it was one of this import.
    shown ??= rows;
    if (!dryRun) {
      for (const [index, changes] of over.transactions.entries()) {
        await table.commit(changes);
        onProgress(index + 1, over.transactions.length);
      }
    }
    return { kind: 'planned', rows: shown };
  });
}

/** What a company file brings, in an order in which each refers only to what is before it. */
export const stages: readonly Stage[] = [...settingStages, organizationStage, bookStage, blogStage, taskStage];

/** The lists of the company file, in its order. */
export const sections: readonly Section[] = stages.flatMap((stage) => stage.sections);
