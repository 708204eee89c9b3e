import type { Readable } from 'node:stream';
import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import { formatInteger } from '../text/text.ts';

/** A file of a form. */
interface FormFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

interface Form {
  /** In the order sent. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly FormFile[];
}

export type ParsedForm =
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** More than the limits allow. */
  | { readonly kind: 'tooLarge'; readonly reason: string };

interface FormLimits {
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

const MAX_FIELDS = 30;
const MAX_FIELD_BYTES = 64 * 1024;
/** Base64 is decoded in steps of this many characters. */
const STEP = 64 * 1024;

interface FormBody {
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Gathers the pieces of a file that are kept, until its end. */
function collectFile(stream: Readable, keeps: (chunk: Buffer) => boolean, end: (content: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    if (keeps(chunk)) chunks.push(chunk);
  });
  // The parser reports it too.
  stream.on('error', () => undefined);
  stream.on('close', () => end(Buffer.concat(chunks)));
}

/** A parser of the parts; `undefined` where the type names no boundary. */
function openParser(contentType: string, limits: BusboyConfig['limits']): Busboy | undefined {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits, defParamCharset: 'utf8' });
  } catch {
    return undefined;
  }
}

/** Reads multipart/form-data piece by piece. A part without a name and without content counts for nothing. */
export async function parseForm(
  { contentType, body, isBase64Encoded }: FormBody,
  max: FormLimits,
): Promise<ParsedForm> {
  const limits = {
    files: max.files,
    fileSize: max.bytes + 1,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: max.files + MAX_FIELDS,
    headerPairs: 20,
  };
  const parser = openParser(contentType, limits);
  if (!parser)
    return { kind: 'malformed', reason: 'The Content-Type multipart/form-data must name the boundary of the parts.' };
  const fields: [string, string][] = [];
  const files: FormFile[] = [];
  const { promise, resolve } = Promise.withResolvers<ParsedForm>();
  const tooMany = (reason: string) => () => resolve({ kind: 'tooLarge', reason });
  let bytes = 0;
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    // Its type says that it is a text.
    if (!(name as string | undefined)?.trim())
      resolve({ kind: 'malformed', reason: 'A part of the form has no name. Name each part: name="Note".' });
    if (valueTruncated || nameTruncated) tooMany(`A field of the form has more than ${MAX_FIELD_BYTES} bytes.`)();
    fields.push([name, value]);
  });
  parser.on('file', (_name, stream, { filename, mimeType }) =>
    // Its type says that it may be missing.
    collectFile(
      stream,
      (chunk) => (bytes += chunk.length) <= max.bytes,
      (content) => {
        const name = (filename as string | undefined) ?? '';
        if (name || content.length) files.push({ filename: name, contentType: mimeType, content });
      },
    ),
  );
  parser.on('filesLimit', tooMany(`A form has at most ${max.files} files.`));
  parser.on('fieldsLimit', tooMany(`A form has at most ${MAX_FIELDS} fields.`));
  parser.on('partsLimit', tooMany(`A form has at most ${limits.parts} parts.`));
  parser.on('error', () =>
    resolve({ kind: 'malformed', reason: 'The form is cut off or is not multipart/form-data with its boundary.' }),
  );
  parser.on('close', () =>
    resolve(
      bytes > max.bytes
        ? { kind: 'tooLarge', reason: `The files have more than ${formatInteger(max.bytes)} bytes.` }
        : { kind: 'form', form: { fields, files } },
    ),
  );
  for (let start = 0; start < body.length; start += STEP)
    parser.write(Buffer.from(body.slice(start, start + STEP), isBase64Encoded ? 'base64' : 'utf8'));
  parser.end();
  return promise;
}
