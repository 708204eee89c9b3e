import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { isEqual } from '../../../lib/shared/objects.ts';
import { StagedTable } from '../staged-table.ts';
import { exportAccount, importAccount } from './account.ts';
import { NAMES } from './checked-file.ts';
import { type EntryResult, compareEntry } from './diff.ts';
import { type Entry, parsePath } from './entry-format.ts';
import type { CompanyFile } from './parse.ts';
import {
  type AccountContext,
  type Entries,
  type ImportRun,
  type PathError,
  type Section,
  entryIdentities,
  entryName,
} from './section.ts';
import { sectionGroups, sections } from './sections.ts';
import type { FileError, Path } from './yaml-document.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

/** A result for each entry of the files, or why they are invalid. */
export type ImportResult =
  | { readonly kind: 'invalid'; readonly errors: readonly FileError[] }
  | { readonly kind: 'imported'; readonly results: readonly EntryResult[]; readonly remarks: readonly string[] };

type Imported = Extract<ImportResult, { kind: 'imported' }>;

/** The section of the account's own fields. */
export const ACCOUNT = 'account';

/** An entry that an import changes, as `export` writes it. */
export interface EntryChange {
  readonly section: string;
  readonly identity: string;
  readonly before?: Entry | undefined;
  readonly after: Entry;
}

/** What an import is about to change, or why the files are invalid. */
type Plan =
  | Extract<ImportResult, { kind: 'invalid' }>
  | (Omit<Imported, 'kind'> & { readonly kind: 'planned'; readonly changes: readonly EntryChange[] });

export interface ImportOptions {
  readonly store: StoreWriter;
  /** Writes nothing. */
  readonly dryRun?: boolean;
  /** Called before anything is written; returns the store to write to. */
  readonly begin?: (changes: readonly EntryChange[]) => Promise<StoreWriter>;
  /** Called with the number of committed transactions and their total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Imports company files. Everything is checked, including references between entries, before anything is written. Each
 * transaction is one or a few records, in an order in which nothing refers to what does not exist yet: an interrupted
 * import is completed by running it again.
 */
export async function importCompany(
  company: CompanyFile,
  { store, dryRun = false, begin, onProgress }: ImportOptions,
): Promise<ImportResult> {
  let first: Imported | undefined;
  return await retryUnavailable(async (): Promise<ImportResult> => {
    const planned = new StagedTable(store.table);
    const plan = await planImport(company, { store: { ...store, table: planned }, now: new Date() });
    if (plan.kind === 'invalid') return plan;
    const { results, remarks, changes } = plan;
    // A second attempt finds no change in what the first has already written.
    first ??= { kind: 'imported', results, remarks };
    if (dryRun || !planned.transactions.length) return first;
    await commitAll(begin ? await begin(changes) : store, planned, onProgress);
    return first;
  });
}

/** Imports every section into a staged table, so that each one reads what the previous ones write. */
export async function planImport(company: CompanyFile, context: AccountContext): Promise<Plan> {
  const used = sections.filter(({ key }) => company.entries.has(key));
  const before = await exportByIdentity(used, context);
  const results = await importAccount(context, company.account);
  const run = new CompanyImport(company);
  const remarks = new Set<string>();
  const reporting = { ...context, remark: (sentence: string) => void remarks.add(sentence) };
  for (const group of sectionGroups) await group.importEntries(reporting, run);
  if (run.errors.length) return { kind: 'invalid', errors: run.errors };
  const after = await exportByIdentity(used, context);
  const changes = changedEntries([ACCOUNT], before, after);
  for (const section of used) {
    const { key } = section;
    const identities = byIdentity(section, company.entries.get(key) ?? []);
    for (const [identity, entry] of identities) {
      const [was, becomes] = [before, after].map((exported) => exported.get(key)?.get(identity));
      results.push(compareEntry(key, entryName(section, entry), was, becomes));
    }
    if (!section.areRecords) changes.push(...changedEntries([key], before, after));
  }
  return { kind: 'planned', results, remarks: [...remarks], changes };
}

/** Entries by their identities, by section. */
export type Exported = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

const changedEntries = (keys: readonly string[], before: Exported, after: Exported): EntryChange[] =>
  keys.flatMap((section) =>
    [...(after.get(section) ?? [])].flatMap(([identity, entry]): EntryChange[] => {
      const was = before.get(section)?.get(identity);
      return isEqual(was, entry) ? [] : [{ section, identity, before: was, after: entry }];
    }),
  );

class CompanyImport implements ImportRun {
  #company: CompanyFile;

  constructor(company: CompanyFile) {
    this.#company = company;
  }

  get entries(): Entries {
    return this.#company.entries;
  }

  get errors(): readonly FileError[] {
    return this.#company.errors;
  }

  reject(errors: readonly PathError[]): void {
    const company = this.#company;
    const limits = new Set<string>();
    const rejected = errors.flatMap(({ path, message }) => {
      if (refersToInvalid(company, path)) return [{ path }];
      const error = company.errorAt(path, formatPlaces(company, path, message));
      if (!message.startsWith('exceeds the limit')) return [{ path, error }];
      // With the list itself, every one of its rows would be one too many.
      const isList = Array.isArray(company.valueAt(path));
      const list = isList
        ? path
        : path.slice(
            0,
            path.findLastIndex((step) => typeof step === 'number'),
          );
      const key = `${list.join('.')} ${message}`;
      if (limits.has(key)) return [];
      limits.add(key);
      return [{ path: list, error }];
    });
    this.#company = company.without(rejected);
  }
}

/** Whether the error may come from another row that is left out. */
function refersToInvalid(company: CompanyFile, path: Path): boolean {
  const field = String(path.findLast((step) => typeof step === 'string'));
  if ((NAMES as readonly string[]).includes(field)) return false;
  const value = company.valueAt(path);
  const text = typeof value === 'string' ? value : '';
  const words = /formula$/i.test(field) ? text.match(/[a-z_]\w*/gi) : [];
  const names = path.includes('customFields') ? [field] : [];
  return [text, ...names, ...(words ?? [])].some((name) => company.isInvalidName(name));
}

/** A message with paths as the files have them, counting rows that are left out, and rows of other files. */
const formatPlaces = (company: CompanyFile, at: Path, message: string): string =>
  message.replaceAll(/\b[a-z]\w*\[\d+\](?:\.\w+(?:\[\d+\])?)*/g, (text) => {
    const path = parsePath(text);
    return company.entries.has(String(path[0])) ? company.formatPlace(path, at) : text;
  });

function byIdentity(section: Section, entries: readonly Entry[]): Map<string, Entry> {
  const identities = entryIdentities(section, entries);
  return new Map(entries.map((entry, index) => [identities[index] ?? '', entry]));
}

/** The account's own fields, and these sections. */
export async function exportByIdentity(used: readonly Section[], context: AccountContext): Promise<Exported> {
  const entries = await Promise.all(
    used.map(async (section) => [section.key, byIdentity(section, await section.exportEntries(context))] as const),
  );
  return new Map([[ACCOUNT, new Map([[ACCOUNT, await exportAccount(context)]])], ...entries]);
}

export async function commitAll(
  { table }: StoreWriter,
  { transactions }: StagedTable,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  for (const [index, changes] of transactions.entries()) {
    await table.commit(changes);
    onProgress?.(index + 1, transactions.length);
  }
}
