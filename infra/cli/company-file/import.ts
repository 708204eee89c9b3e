import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/retry.ts';
import { importAccount } from './account.ts';
import { type EntryResult, compareEntry } from './diff.ts';
import type { Entry } from './entry-format.ts';
import type { CompanyFile } from './parse.ts';
import { type PlannedTable, planOn } from './planned-table.ts';
import { type Section, type AccountContext, entryIdentities, entryName } from './section.ts';
import { sectionGroups, sections } from './sections.ts';
import type { FileError } from './yaml-document.ts';

/** A result for each entry of the file, or why the file is invalid. */
export type ImportResult =
  | { readonly kind: 'invalid'; readonly errors: readonly FileError[] }
  | { readonly kind: 'imported'; readonly results: readonly EntryResult[] };

export interface ImportOptions {
  readonly table: TableWriter;
  readonly account: string;
  /** Writes nothing. */
  readonly dryRun?: boolean;
  /** Called with the number of committed transactions and their total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Imports a company file. Everything is checked, references between entries included, before anything is written. Each
 * transaction is a record or a few, in an order in which nothing refers to what does not exist yet: an import that is
 * cut short is completed by running it again.
 */
export async function importCompany(
  file: CompanyFile,
  { table, account, dryRun = false, onProgress }: ImportOptions,
): Promise<ImportResult> {
  let firstResults: readonly EntryResult[] | undefined;
  return await retryUnavailable(async (): Promise<ImportResult> => {
    const planned = planOn(table);
    const plan = await planImport(file, { table: planned, account, now: new Date() });
    if (plan.kind === 'invalid') return plan;
    // A second attempt finds no change in what the first has written already.
    firstResults ??= plan.results;
    if (!dryRun) await commitAll(table, planned, onProgress);
    return { kind: 'imported', results: firstResults };
  });
}

/** Imports every section into a planned table: each one reads what those before it write. */
async function planImport({ document, account, entries }: CompanyFile, context: AccountContext): Promise<ImportResult> {
  const used = sections.filter(({ key }) => entries.has(key));
  const before = await exportSections(used, context);
  const results = await importAccount(context, account);
  const errors: FileError[] = [];
  for (const group of sectionGroups)
    for (const { path, message } of await group.importEntries(context, entries))
      errors.push(document.errorAt(path, message));
  if (errors.length) return { kind: 'invalid', errors };
  const after = await exportSections(used, context);
  for (const section of used)
    for (const [identity, entry] of byIdentity(section, entries.get(section.key) ?? []))
      results.push(
        compareEntry(
          section.key,
          entryName(section, entry),
          before.get(section)?.get(identity),
          after.get(section)?.get(identity),
        ),
      );
  return { kind: 'imported', results };
}

function byIdentity(section: Section, entries: readonly Entry[]): Map<string, Entry> {
  const identities = entryIdentities(section, entries);
  return new Map(entries.map((entry, index) => [identities[index] ?? '', entry]));
}

const exportSections = async (
  used: readonly Section[],
  context: AccountContext,
): Promise<Map<Section, Map<string, Entry>>> =>
  new Map(
    await Promise.all(
      used.map(async (section) => [section, byIdentity(section, await section.exportEntries(context))] as const),
    ),
  );

async function commitAll(
  table: TableWriter,
  { transactions }: PlannedTable,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  for (const [index, changes] of transactions.entries()) {
    await table.commit(changes);
    onProgress?.(index + 1, transactions.length);
  }
}
