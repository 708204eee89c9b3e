import type { ContactForm, ProposalForm } from './api.ts';
import type { CallOptions, Caller, Fields } from './caller.ts';
import { errorOf } from './errors.ts';

type Content = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;

/** A file with its name; a `File` of a form already has one. */
export type FileToUpload = File | { readonly name: string; readonly type?: string; readonly content: Content };

/** Maximum bytes of all files in one call; larger files are sent one by one to addresses of their own. */
const MAX_BYTES_IN_CALL = 4_500_000;
const MAX_ATTEMPTS = 4;
/** Bytes that become the arguments of one function call: more would overflow the stack. */
const CHUNK = 0x80_00;

interface Named {
  readonly name: string;
  readonly type: string;
  readonly blob: Blob;
}

function named(file: FileToUpload): Named {
  const blob = 'content' in file ? new Blob([file.content]) : file;
  return { name: file.name, type: file.type || 'application/octet-stream', blob };
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(text);
}

/** Sends the bytes to their address, again if the connection breaks. */
async function put(caller: Caller, url: string, { name, type, blob }: Named, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const init = { method: 'PUT', headers: { 'content-type': type }, body: blob, ...(signal ? { signal } : {}) };
    const response = await caller.fetch(url, init).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (attempt === MAX_ATTEMPTS)
        throw errorOf({ message: `${name} was not sent.`, code: 'connection', cause: error });
      return undefined;
    });
    if (response?.ok) return;
    if (response && (response.status < 500 || attempt === MAX_ATTEMPTS))
      throw errorOf({ message: `${name} was refused with HTTP ${response.status}.`, status: response.status });
  }
}

/** Attaches files of up to 100 MB each to a contact or a proposal. Returns the answer, with their ids. */
export async function uploadFiles(
  caller: Caller,
  upload: ContactForm | ProposalForm,
  files: readonly FileToUpload[],
  options: CallOptions = {},
): Promise<Fields> {
  const operation = 'ProposalId' in upload ? 'proposal/upload' : 'contacts/upload';
  const call = async (body: object, callOptions = options) =>
    (await caller.call(operation, body, { isWrite: true }, callOptions)).fields;
  const all = files.map(named);
  if (all.reduce((sum, { blob }) => sum + blob.size, 0) <= MAX_BYTES_IN_CALL) {
    const contents = all.map(async ({ name, type, blob }) => ({
      Filename: name,
      ContentType: type,
      Content: await toBase64(blob),
    }));
    return await call({ upload, files: await Promise.all(contents) });
  }
  const announced = all.map(({ name, type, blob }) => ({ Filename: name, ContentType: type, Size: blob.size }));
  const { upload: form, UploadUrls } = await call({ upload, files: announced });
  const urls = UploadUrls as readonly string[];
  for (const [index, file] of all.entries()) await put(caller, urls[index] ?? '', file, options.signal);
  const { UploadIds } = form as { readonly UploadIds: readonly number[] };
  // A different request than the announcement, which has used the caller's idempotency key.
  const { idempotencyKey: _, ...others } = options;
  return await call({ upload: { ...upload, UploadIds } }, others);
}
