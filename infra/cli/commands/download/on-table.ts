import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { named } from '../../../../lib/api/group.ts';
import { validRequest } from '../../../../lib/api/perform.ts';
import { signedUrl } from '../../../../lib/files/downloads.ts';
import type { StartDownloadInput } from '../../../../lib/resources/downloads.ts';
import { Failure } from '../../../../lib/shared/failure.ts';
import { DAY, SECOND } from '../../../../lib/shared/time/time.ts';
import { type Caller, accountCaller } from '../../../../lib/store/requests/caller.ts';
import { FILE_DAYS, type DownloadRecord, downloadKey, findDownloadAt } from '../../../../lib/store/downloads.ts';
import { retryUnavailable } from '../../../../lib/store/dynamodb/errors.ts';
import { downloadFile } from '../../../../lib/workflows/downloads/file-names.ts';
import { startDownload } from '../../../../lib/workflows/downloads/start-download.ts';
import { startdownload } from '../../../../functions/datasubscriber/startdownload.ts';
import { type DownloadOptions, downloadFields, toOptions } from './request.ts';
import { readJson } from '../../input-file.ts';
import { CommandError, errorSentence, print } from '../../output.ts';
import { OWNER_ONLY, confirmOutput } from '../../output-file.ts';
import { noteOf, partOf, receiveFile } from '../../received-file.ts';
import { openAccount, openWorkerTarget } from '../../target.ts';
import { findOrganizationId } from '../../named-records.ts';
import type { StoreWriter } from '../../../../lib/store/store.ts';

const POLL_MILLISECONDS = SECOND / 2;
const URL_SECONDS = 900;

/** Identifies the download of an incomplete file, so that a repeated command continues it. */
const Unfinished = z.object({ DownloadId: z.string(), AccountId: z.string(), Request: z.string() });
type Unfinished = z.infer<typeof Unfinished>;

async function toRequest(
  kind: string,
  options: DownloadOptions,
  organization: number | undefined,
): Promise<StartDownloadInput> {
  const body = downloadFields(kind, options, organization);
  return (await validRequest(named(startdownload, 'datasubscriber/startdownload'), body)) as StartDownloadInput;
}

/** The operator sees what an Owner sees. */
const operatorOf = (account: string): Caller =>
  accountCaller(account, { role: 'Owner', keyName: 'fs download', keyId: 'fs' });

/** The id of the download that an earlier command started for the same file and request, if its file still exists. */
async function findUnfinished(store: StoreWriter, out: string, request: string) {
  const { account } = store;
  if (!existsSync(noteOf(out))) return undefined;
  const { success, data } = Unfinished.safeParse(readJson(noteOf(out)));
  if (!success || data.AccountId !== account || data.Request !== request) return undefined;
  const { DownloadId } = data;
  const found = await findDownloadAt(store, downloadKey(store, DownloadId));
  const isKept = found && found.State !== 'Failed' && (found.ReadyAt ?? Date.now()) > Date.now() - FILE_DAYS * DAY;
  return isKept ? DownloadId : undefined;
}

async function start(
  store: StoreWriter,
  request: StartDownloadInput,
  { format, bom = false }: Pick<DownloadOptions, 'format' | 'bom'>,
) {
  const now = new Date();
  return retryUnavailable(async () => {
    const context = { store, caller: operatorOf(store.account), now };
    const { id, changes } = await startDownload(context, request, { scope: 'account', format, hasBom: bom });
    await store.table.commit(changes);
    return id;
  });
}

/** Waits until the file is ready and shows the number of rows on a terminal. */
async function waitUntilReady(store: StoreWriter, id: string): Promise<DownloadRecord> {
  const isTerminal = process.stderr.isTTY === true;
  for (;;) {
    const download = await retryUnavailable(() => findDownloadAt(store, downloadKey(store, id)));
    if (!download) throw new CommandError(`Download ${id} no longer exists. Run the command again.`);
    if (download.State === 'Failed') throw new CommandError(`Download ${id} failed. ${download.Failure}`);
    const rows = (download.Progress?.Records ?? 0).toLocaleString('en-US');
    if (isTerminal)
      process.stderr.write(`\r\u{1B}[K${download.State === 'Ready' ? '' : `Making the file: ${rows} rows`}`);
    if (download.State === 'Ready') return download;
    await pause(POLL_MILLISECONDS);
  }
}

/** `download` for the operator, who sees what an Owner sees. */
export async function download(kind: string, options: DownloadOptions): Promise<void> {
  const { out, format, bom, json } = options;
  await confirmOutput(out, options);
  openWorkerTarget();
  const { store } = await openAccount(options);
  const { organization: named } = options;
  const organization = named === undefined ? undefined : await findOrganizationId(store, named);
  const request = await explained(() => toRequest(kind, options, organization));
  const text = JSON.stringify([kind, format, bom, request]);
  const id =
    (await findUnfinished(store, out, text)) ??
    (await begin(out, () => explained(() => start(store, request, options)), { account: store.account, text }));
  const ready = await waitUntilReady(store, id);
  const { Records = 0, Bytes = 0 } = ready.Progress ?? {};
  const { plain } = downloadFile(ready);
  await receiveFile(out, { Bytes, Sha256: ready.Sha256 }, async (from) =>
    fetch(await signedUrl(plain, URL_SECONDS), { headers: { Range: `bytes=${from}-` } }),
  );
  const result = { DownloadId: id, File: out, Format: format, Records, Bytes, Sha256: ready.Sha256 };
  print(result, { json, text: `${Records.toLocaleString('en-US')} rows in ${out}.` });
}

/** Starts a download for the file and records which one, before any part of the file exists. */
async function begin(
  out: string,
  startNew: () => Promise<string>,
  { account, text }: { readonly account: string; readonly text: string },
): Promise<string> {
  await rm(partOf(out), { force: true });
  const DownloadId = await startNew();
  const note = { DownloadId, AccountId: account, Request: text } satisfies Unfinished;
  await writeFile(noteOf(out), JSON.stringify(note), { mode: OWNER_ONLY });
  return DownloadId;
}

/** Turns a failure of an operation into a sentence of the command. */
async function explained<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new CommandError(toOptions(errorSentence(error)));
  }
}
