import type { DownloadProgress } from '../../entities/downloads.ts';
import { rowEncoder } from '../../domain/downloads/columns.ts';
import { downloadColumns, hasCustomColumns } from '../../domain/downloads/kind.ts';
import { downloadKinds } from '../../domain/downloads/kinds.ts';
import type { PartFiles } from '../../files/downloads.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { SECOND } from '../../shared/time/time.ts';
import {
  type DownloadRecord,
  downloadChange,
  downloadPrefix,
  endedDownloadChanges,
  findDownloadAt,
  findSlot,
} from '../../store/downloads.ts';
import { StoreConflict, mayRecover } from '../../store/dynamodb/errors.ts';
import type { Key } from '../../store/keys.ts';
import { listSettings } from '../../store/settings.ts';
import { DownloadFile, EMPTY_FILE } from './download-file.ts';
import { downloadFile } from './file-names.ts';
import { type IndexOptions, findLastRow, listDownloadPages } from './download-pages.ts';
import type { StoreWriter } from '../../store/store.ts';

export interface MakingOptions {
  readonly store: StoreWriter;
  readonly files: PartFiles;
  readonly now: Date;
  /** Until when the run may continue, in milliseconds since 1970. */
  readonly deadline: number;
  /** Milliseconds between two checkpoints. */
  readonly checkpointEvery?: number;
  readonly index?: IndexOptions;
  /** Called once the run has claimed the download. */
  readonly onTaken?: () => Promise<void>;
}

/**
 * `done`: it is ready, failed or gone. `unfinished`: another run continues it. `busy`: another run is making it.
 * `error` is why a run ended early.
 */
export type Making = { readonly kind: 'done' | 'busy' } | { readonly kind: 'unfinished'; readonly error?: unknown };

/** Consecutive runs that may end without progress before a download fails. */
const MAX_STALLS = 20;
const CHECKPOINT_MILLISECONDS = 10 * SECOND;
/** Reserved at the end of a run for its last checkpoint. */
const RESERVED_MILLISECONDS = 10 * SECOND;

/** Tells Excel that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const FAILED = 'The file could not be made. Start the download again; if it fails again, quote its DownloadId.';

/**
 * Makes a download, or a part of it until the deadline. Writes at once: every checkpoint is the next version of the
 * download, which only one run can write, and contains all that another run needs to continue. Safe to repeat, also
 * concurrently and after a kill anywhere.
 */
export async function makeDownload(key: Key, options: MakingOptions): Promise<Making> {
  const taken = await takeDownload(key, options);
  if ('kind' in taken) return taken;
  const run = new DownloadRun(taken.download, options);
  try {
    await options.onTaken?.();
    return await run.make();
  } catch (error) {
    if (error instanceof StoreConflict) return { kind: 'busy' };
    await run.release(error).catch(() => undefined);
    return { kind: 'unfinished', error };
  }
}

/** Claims the download until the deadline, unless it has ended or another run has it. */
async function takeDownload(
  key: Key,
  { store, now, deadline }: MakingOptions,
): Promise<Making | { readonly download: DownloadRecord }> {
  const found = await findDownloadAt(store, key);
  if (!found || found.State === 'Ready' || found.State === 'Failed') return { kind: 'done' };
  if (found.LeaseUntil > now.getTime()) return { kind: 'busy' };
  try {
    if (found.Stalls >= MAX_STALLS) {
      const slot = await findSlot(store, found);
      const failed = { State: 'Failed', Failure: FAILED } as const;
      await store.table.commit(endedDownloadChanges(found, failed, slot, now).changes);
      return { kind: 'done' };
    }
    const lease = { State: 'Running', LeaseUntil: deadline, Stalls: found.Stalls + 1 } as const;
    const { record, change } = downloadChange(found, lease, now);
    await store.table.commit([change]);
    return { download: record };
  } catch (error) {
    if (error instanceof StoreConflict) return { kind: 'busy' };
    throw error;
  }
}

/** One run of a worker on a download. */
class DownloadRun {
  readonly #options: MakingOptions;
  /** In its stored state. */
  #download: DownloadRecord;

  constructor(download: DownloadRecord, options: MakingOptions) {
    this.#download = download;
    this.#options = options;
  }

  async make(): Promise<Making> {
    const { store, files, deadline, checkpointEvery = CHECKPOINT_MILLISECONDS, index } = this.#options;
    const download = this.#download;
    const definition = downloadKinds[download.Kind];
    const columns = downloadColumns(definition, download.Filter, await this.#loadDefinitions());
    const encoder = rowEncoder(columns, download.Format);
    const begun = download.Progress ?? undefined;
    const file = await DownloadFile.open(files, downloadFile(download), begun);
    if (!begun) await file.write(`${download.HasBom ? BYTE_ORDER_MARK : ''}${encoder.header}`);

    let position = begun?.Position ?? download.FirstId - 1;
    let records = begun?.Records ?? 0;
    const last = begun?.Last ?? (await findLastRow(store, download, definition.source));
    const state = (): Pick<DownloadProgress, 'Position' | 'Records' | 'Last'> => ({
      Position: position,
      Records: records,
      Last: last,
    });
    let checkpointAt = Date.now() + checkpointEvery;
    const pages = listDownloadPages(store, {
      download,
      definition,
      after: position,
      last,
      ...(index ? { index } : {}),
    });
    for await (const { through, rows } of pages) {
      await file.write(rows.map((row) => encoder.encode(row)).join(''));
      records += rows.length;
      position = through;
      const isLate = Date.now() >= deadline - RESERVED_MILLISECONDS;
      if (!isLate && Date.now() < checkpointAt) continue;
      await this.#checkpoint(file, state(), isLate ? 0 : deadline);
      if (isLate) return { kind: 'unfinished' };
      checkpointAt = Date.now() + checkpointEvery;
    }
    return this.#finish(file, { ...state(), Position: last });
  }

  /** The account's custom fields at the first run, because the columns of a file do not change. */
  async #loadDefinitions(): Promise<readonly CustomField[]> {
    const { store, files } = this.#options;
    const { Filter, Progress } = this.#download;
    if (!hasCustomColumns(Filter)) return [];
    const key = `${downloadPrefix(this.#download)}columns.json`;
    if (Progress) return JSON.parse(Buffer.from(await files.get(key)).toString('utf8')) as CustomField[];
    const definitions = await listSettings<CustomField>(store, 'CustomField');
    await files.put(key, Buffer.from(JSON.stringify(definitions)));
    return definitions;
  }

  async #checkpoint(
    file: DownloadFile,
    state: Pick<DownloadProgress, 'Position' | 'Records' | 'Last'>,
    LeaseUntil: number,
  ): Promise<void> {
    const { store, now } = this.#options;
    const Progress = { ...(await file.checkpoint(this.#download.V + 1)), ...state };
    const { record, change } = downloadChange(this.#download, { Progress, LeaseUntil, Stalls: 0 }, now);
    await store.table.commit([change]);
    this.#download = record;
  }

  async #finish(file: DownloadFile, state: Pick<DownloadProgress, 'Position' | 'Records' | 'Last'>): Promise<Making> {
    const { store, now, deadline } = this.#options;
    await file.end();
    // A completed upload takes no more parts: after a kill, this checkpoint lets the next run only complete it.
    if (file.hasParts) await this.#checkpoint(file, state, deadline);
    const { Bytes, Sha256 } = await file.finish();
    const Progress = { ...EMPTY_FILE, ...state, Bytes };
    const slot = await findSlot(store, this.#download);
    const ready = { State: 'Ready', Progress, Sha256, ReadyAt: Date.now(), Stalls: 0 } as const;
    await store.table.commit(endedDownloadChanges(this.#download, ready, slot, now).changes);
    return { kind: 'done' };
  }

  /** Lets another run continue at once. A temporary failure is no reason to give up. */
  async release(error: unknown): Promise<void> {
    const { store, now } = this.#options;
    const Stalls = mayRecover(error) ? 0 : this.#download.Stalls;
    await store.table.commit([downloadChange(this.#download, { LeaseUntil: 0, Stalls }, now).change]);
  }
}
