import type { Readable } from 'node:stream';
import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import { charsetOf } from '../text/charset.ts';
import { formatInteger } from '../text/text.ts';

/** A file in a form. */
interface FormFile {
  /** The name of its part. */
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

interface Form {
  /** In the order in which they were sent. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly FormFile[];
}

export type ParsedForm =
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** The form exceeds the limits. */
  | { readonly kind: 'tooLarge'; readonly reason: string };

interface FormLimits {
  readonly files: number;
  /** The total of all files. */
  readonly bytes: number;
  /** 30 unless set. */
  readonly fields?: number;
}

const MAX_FIELDS = 30;
const MAX_FIELD_BYTES = 64 * 1024;
/** Base64 is decoded in chunks of this many characters. */
const STEP = 64 * 1024;

interface FormBody {
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Collects the chunks of a file that `keeps` accepts, until its end. */
function collectFile(stream: Readable, keeps: (chunk: Buffer) => boolean, end: (content: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    if (keeps(chunk)) chunks.push(chunk);
  });
  // The parser reports the error too.
  stream.on('error', () => undefined);
  stream.on('close', () => end(Buffer.concat(chunks)));
}

/** A parser of the parts; `undefined` if the type names no boundary. */
function openParser(contentType: string, charset: string, limits: BusboyConfig['limits']): Busboy | undefined {
  try {
    const headers = { 'content-type': contentType };
    return busboy({ headers, limits, defCharset: charset, defParamCharset: charset });
  } catch {
    return undefined;
  }
}

const NOT_UTF8 = {
  kind: 'malformed',
  reason: 'A field or file name of the form is not UTF-8. Send UTF-8, or windows-1252 with charset=windows-1252.',
} as const;

/** The charsets that the parser decodes correctly, by the names it knows. */
const FORM_CHARSETS: readonly string[] = ['utf-8', 'windows-1252'];

function isReadable(charset: string): boolean {
  try {
    return FORM_CHARSETS.includes(new TextDecoder(charset).encoding);
  } catch {
    return false;
  }
}

const textsOf = ({ fields, files }: Form): string[] => [...fields.flat(), ...files.map(({ filename }) => filename)];

/** U+FFFD in UTF-8, with its bytes read as Latin-1. */
const REPLACEMENT_BYTES = '\xEF\xBF\xBD';

/**
 * Reads multipart/form-data as a stream. A part without a name and content does not count. The parser replaces invalid
 * UTF-8 by U+FFFD; a text with U+FFFD is therefore read again byte by byte, to see whether it was sent like that.
 */
export async function parseForm(body: FormBody, max: FormLimits): Promise<ParsedForm> {
  const charset = charsetOf(body.contentType);
  if (!isReadable(charset)) return NOT_UTF8;
  const parsed = await parseParts(body, max, charset);
  if (parsed.kind !== 'form' || !textsOf(parsed.form).some((text) => text.includes('\uFFFD'))) return parsed;
  const bytes = await parseParts(body, max, 'latin1');
  const sent = bytes.kind === 'form' ? textsOf(bytes.form) : [];
  const isDamaged = textsOf(parsed.form).some(
    (text, index) => text.includes('\uFFFD') && !sent[index]?.includes(REPLACEMENT_BYTES),
  );
  return isDamaged ? NOT_UTF8 : parsed;
}

/** The parser treats windows-1252 as Latin-1, where these 32 characters are controls that no text contains. */
const asWindows1252 = (text: string): string =>
  text.replaceAll(/[\x80-\x9f]+/g, (characters) =>
    new TextDecoder('windows-1252').decode(Buffer.from(characters, 'latin1')),
  );

async function parseParts(
  { contentType, body, isBase64Encoded }: FormBody,
  max: FormLimits,
  charset: string,
): Promise<ParsedForm> {
  const { fields: maxFields = MAX_FIELDS } = max;
  const limits = {
    files: max.files,
    fileSize: max.bytes + 1,
    fields: maxFields,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: max.files + maxFields,
    headerPairs: 20,
  };
  const parser = openParser(contentType, charset, limits);
  if (!parser)
    return { kind: 'malformed', reason: 'The Content-Type multipart/form-data must name the boundary of the parts.' };
  const fields: [string, string][] = [];
  const files: FormFile[] = [];
  const { promise, resolve } = Promise.withResolvers<ParsedForm>();
  const tooMany = (reason: string) => () => resolve({ kind: 'tooLarge', reason });
  let bytes = 0;
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    // The types claim that it is always a text.
    if (!(name as string | undefined)?.trim())
      resolve({ kind: 'malformed', reason: 'A part of the form has no name. Name each part: name="Note".' });
    // The types claim that every charset is known.
    if ((value as string | undefined) === undefined) return resolve(NOT_UTF8);
    if (valueTruncated || nameTruncated) tooMany(`A field of the form has more than ${MAX_FIELD_BYTES} bytes.`)();
    fields.push([name, charset === 'latin1' ? value : asWindows1252(value)]);
  });
  parser.on('file', (field, stream, { filename, mimeType }) =>
    // The types claim that it may be missing.
    collectFile(
      stream,
      (chunk) => (bytes += chunk.length) <= max.bytes,
      (content) => {
        const sent = (filename as string | undefined) ?? '';
        const name = charset === 'latin1' ? sent : asWindows1252(sent);
        if (name || content.length) files.push({ field, filename: name, contentType: mimeType, content });
      },
    ),
  );
  parser.on('filesLimit', tooMany(`A form has at most ${max.files} files.`));
  parser.on('fieldsLimit', tooMany(`A form has at most ${maxFields} fields.`));
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
