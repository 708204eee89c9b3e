import type { CallOptions, Caller, Fields } from './caller.ts';
import { errorOf } from './errors.ts';
import { pause } from './waiting.ts';

/** What a download covers, and options of its calls. */
export interface DownloadOptions extends CallOptions {
  /**
   * `account`: all organizations; needs a key of the account. By default one organization, as in
   * download/startdownload.
   */
  readonly scope?: 'account' | 'organization';
}

export interface FileOptions extends DownloadOptions {
  /** `csv` by default. */
  readonly format?: 'csv' | 'jsonl';
  /** Whether CSV begins with a byte order mark, by which Excel recognizes UTF-8. */
  readonly bom?: boolean;
}

/** Milliseconds between two checks of a download: short for small files, longer for large ones. */
const FIRST_LOOK = 200;
const LONGEST_LOOK = 3_000;
/** Attempts at a file whose connection breaks, without a row in between. */
const MAX_ATTEMPTS = 5;

/** A file that is ready. */
export interface DownloadFile {
  /** For getdownload, which gives the file a new address. */
  readonly DownloadId: string;
  /** Anyone who has it can fetch the file for 15 minutes. */
  readonly Url: string;
  readonly Records: number;
  readonly Bytes: number;
  readonly Sha256: string;
}

/** Starts a download, and waits until its file is ready. */
export async function makeFile(
  caller: Caller,
  request: object,
  { scope = 'organization', format = 'csv', bom = false, ...options }: FileOptions,
): Promise<{ readonly id: string; readonly file: (query?: string) => Promise<DownloadFile> }> {
  const group = scope === 'account' ? 'datasubscriber' : 'download';
  const call = async (name: string, body: object, isWrite = false, query = ''): Promise<Fields> =>
    (await caller.call(`${group}/${name}`, body, { isWrite, query }, options)).fields;
  const { DownloadId } = await call('startdownload', request, true, `format=${format}${bom ? '&bom=1' : ''}`);
  for (let wait = FIRST_LOOK; ; wait = Math.min(LONGEST_LOOK, wait * 1.5)) {
    const { Ready: isReady } = await call('downloadstatus', { DownloadId });
    if (isReady) break;
    await pause(wait, options.signal);
  }
  return {
    id: String(DownloadId),
    file: async (query = '') =>
      ({ ...(await call('getdownload', { DownloadId }, false, query)), DownloadId }) as Fields & DownloadFile,
  };
}

/** The lines of a file as they arrive. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) break;
    }
    if (rest) yield rest;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Every row of a download as it arrives. If the connection breaks, the file is read again up to the last row received,
 * and continues after it.
 */
export async function* readRows(
  caller: Caller,
  request: object,
  options: DownloadOptions,
): AsyncGenerator<unknown, void, undefined> {
  const operation = 'download/getdownload';
  const { file } = await makeFile(caller, request, { ...options, format: 'jsonl' });
  const { signal } = options;
  let rows = 0;
  for (let attempt = 1; ; attempt++) {
    const { Url, Records } = await file('gzip=1');
    let passed = 0;
    try {
      const response = await caller.fetch(Url, signal ? { signal } : {});
      const { ok: isFound, status, body } = response;
      if (!isFound || !body) throw errorOf({ message: `The file is HTTP ${status}.`, operation, status: 503 });
      for await (const line of readLines(body)) {
        if (!line || ++passed <= rows) continue;
        yield JSON.parse(line);
        rows = passed;
        attempt = 1;
      }
      if (rows === Records) return;
      throw errorOf({ message: `The file ended after ${rows} of ${Records} rows.`, operation, code: 'connection' });
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt === MAX_ATTEMPTS) throw error;
      await pause(FIRST_LOOK * 2 ** attempt, signal);
    }
  }
}
