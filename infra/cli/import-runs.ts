import { basename } from 'node:path';
import type { ImportRun } from '../../lib/entities/imports.ts';
import { UNDO_DAYS } from '../../lib/store/contacts/merges.ts';
import {
  asImportRun,
  asImportUndo,
  findImportRun,
  listImportRuns,
  writeImportRun,
  writeRunState,
} from '../../lib/store/import-runs.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { DAY } from '../../lib/shared/time/time.ts';
import { undoImport } from '../../lib/workflows/imports/undo-import.ts';
import { CommandError, formatTable, print, showProgress } from './output.ts';
import { StagedTable } from './staged-table.ts';
import { formatUndo, withEntries } from './undo-report.ts';
import type { StoreWriter } from '../../lib/store/store.ts';

// The modules for files are large, so other commands do not load them.
const companyUndo = () => import('./company-file/undo.ts');

/** The kind of a run that imports company files. */
export const COMPANY = 'company';

/** How many records an import created and changed. */
export interface Imported {
  readonly created: number;
  readonly updated: number;
}

interface RunOptions<Result> {
  readonly kind: string;
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly count: (result: Result) => Imported;
}

/** A run in progress. */
export interface BegunRun {
  readonly run: number;
  /** Everything written through it belongs to the run. */
  readonly store: StoreWriter;
  readonly finish: (counts: Imported) => Promise<void>;
}

export async function beginRun(
  store: StoreWriter,
  { kind, files }: Pick<RunOptions<never>, 'kind' | 'files'>,
): Promise<BegunRun> {
  const Files = files.map((file) => basename(file));
  const { Id: run } = await writeImportRun(store, { Kind: kind, Files, now: new Date() });
  return {
    run,
    store: asImportRun(store, run),
    finish: ({ created, updated }) =>
      writeRunState(store, run, { FinishedAt: Date.now(), Created: created, Updated: updated }),
  };
}

/** Imports as a run, which `import --undo` can undo. A dry run is not recorded: `run` is undefined. */
export async function importAsRun<Result>(
  store: StoreWriter,
  { kind, files, dryRun, count }: RunOptions<Result>,
  work: (store: StoreWriter) => Promise<Result>,
): Promise<{ readonly result: Result; readonly run: number | undefined }> {
  if (dryRun) return { result: await work(store), run: undefined };
  const { run, store: ofRun, finish } = await beginRun(store, { kind, files });
  const result = await work(ofRun);
  await finish(count(result));
  return { result, run };
}

/** The report's sentence about its run. */
export const runSentence = (run: number | undefined): string =>
  run === undefined ? '' : `\nRun ${run}. For ${UNDO_DAYS} days fs import --undo ${run} takes it back.`;

const stateOf = ({ FinishedAt, UndoneAt, Left }: ImportRun): string => {
  if (UndoneAt !== undefined) return Left ? `undone, ${Left} left` : 'undone';
  return FinishedAt === undefined ? 'not finished' : 'done';
};

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

/** `import --runs`. */
export async function printRuns(store: StoreWriter, json: boolean | undefined): Promise<void> {
  const runs = await listImportRuns(store);
  const rows = runs.map((run) => ({
    Run: run.Id,
    Started: minute(run.StartedAt),
    Kind: run.Kind,
    Files: run.Files.join(', '),
    Created: run.Created,
    Updated: run.Updated,
    State: stateOf(run),
  }));
  print(rows, { json, text: rows.length ? formatTable(rows) : `No imports in the last ${UNDO_DAYS} days.` });
}

async function requireRun(store: StoreWriter, run: number): Promise<ImportRun> {
  const found = await findImportRun(store, run);
  if (!found) throw new CommandError(`Account ${store.account} has no import run ${run}. fs import --runs lists them.`);
  if (Date.now() > found.StartedAt + UNDO_DAYS * DAY)
    throw new CommandError(`Import run ${run} is older than ${UNDO_DAYS} days and stays.`);
  return found;
}

/** `import --undo`. */
export async function undoRun(
  store: StoreWriter,
  { run, dryRun, json }: { readonly run: number; readonly dryRun: boolean; readonly json: boolean | undefined },
): Promise<void> {
  const found = await requireRun(store, run);
  const now = new Date();
  const written = dryRun ? { ...store, table: new StagedTable(store.table) } : store;
  const caller = accountCaller(store.account, { role: 'Owner' });
  const context = { store: asImportUndo(written, run), caller, now, run };
  const progress = showProgress();
  const total = found.Created + found.Updated;
  const records = await undoImport(found, context, (done) => progress.update(done, Math.max(done, total))).finally(
    progress.end,
  );
  const entries =
    found.Kind === COMPANY ? await (await companyUndo()).undoCompany(context.store, { run, dryRun, now }) : undefined;
  const report = entries ? withEntries(records, entries) : records;
  if (!dryRun) await writeRunState(store, run, { UndoneAt: Date.now(), Left: report.Left.length });
  print({ Run: run, DryRun: dryRun, ...report }, { json, text: formatUndo(run, report, dryRun) });
}
