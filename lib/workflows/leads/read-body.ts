import { gunzipSync } from 'node:zlib';
import { type LeadEntry, entriesOfForm, entriesOfJson } from '../../domain/leads/entries.ts';
import { Failure } from '../../shared/failure.ts';
import { MAX_BODY_BYTES, MAX_LAMBDA_BYTES } from '../../shared/limits.ts';
import { charsetOf } from '../../shared/text/charset.ts';
import { STRING_OR_TRAILING_COMMA } from '../../shared/text/json-texts.ts';
import { formatBytes } from '../../shared/text/text.ts';
import { parseFormFields } from '../../shared/web/form-encoded.ts';
import { parseForm } from '../../shared/web/multipart.ts';

/** Reads the body of a form in whatever format it comes. What is in none stays a text. */

export interface LeadBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

export type ReadBody =
  | { readonly kind: 'form'; readonly entries: readonly LeadEntry[] }
  /** The body as it came. */
  | { readonly kind: 'text'; readonly text: string };

type FormFields = [name: string, value: string][];

const MAX_FILES = 50;
const MAX_FIELDS = 10_000;

function tooLarge(bytes: number): Failure {
  const message = `The form has ${formatBytes(bytes)} of text; at most ${formatBytes(MAX_BODY_BYTES)} are taken.`;
  return new Failure('request_too_large', message);
}

/** Decodes text in the charset that it names, else UTF-8, else as Windows writes it, which reads any bytes. */
function decodeLead(bytes: Uint8Array, charset: string): string {
  for (const name of [charset, 'utf-8'])
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
  return new TextDecoder('windows-1252').decode(bytes);
}

/** UTF-16 begins with its mark; some servers do not name it. */
function charsetIn({ contentType, bytes }: LeadBody): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : charsetOf(contentType);
}

/** Some connectors compress what they send; what is no gzip stays. */
function uncompressed(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_LAMBDA_BYTES });
  } catch {
    return bytes;
  }
}

/** The boundary of a multipart body: that of its type, or of its first line if the type does not say. */
function multipartType({ contentType, bytes }: LeadBody): string | undefined {
  if (/^\s*multipart\/form-data\b.*boundary=/i.test(contentType)) return contentType;
  const [, boundary] = /^--([^\s"]{1,70})\r\ncontent-disposition:/i.exec(bytes.toString('latin1', 0, 200)) ?? [];
  return boundary && `multipart/form-data; boundary="${boundary}"`;
}

/** The fields of a multipart form; of a file its name and length. `undefined` if it cannot be read. */
async function readMultipart(contentType: string, bytes: Buffer): Promise<FormFields | undefined> {
  const body = bytes.toString('base64');
  const limits = { files: MAX_FILES, bytes: bytes.length, fields: MAX_FIELDS };
  const read = (type: string) => parseForm({ contentType: type, body, isBase64Encoded: true }, limits);
  const first = await read(contentType);
  const parsed = first.kind === 'form' ? first : await read(`${withoutCharset(contentType)}; charset=windows-1252`);
  if (parsed.kind !== 'form') return undefined;
  const { fields, files } = parsed.form;
  return [
    ...fields.map(([name, value]): [string, string] => [name, value]),
    ...files.map(({ field, filename, content }): [string, string] => [
      `${field} (file, not stored)`,
      `${filename}, ${formatBytes(content.length)}`,
    ]),
  ];
}

const withoutCharset = (contentType: string): string => contentType.replaceAll(/;\s*charset=[^;]*/gi, '');

/** Escapes raw line ends in texts, as templates of connectors leave them, and drops a comma behind the last value. */
const mendedJson = (text: string): string =>
  text.replace(STRING_OR_TRAILING_COMMA, (found) =>
    found === ',' ? '' : found.replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1)),
  );

/** The object in a text, also one that is encoded twice; `undefined` for anything else. */
function parseJson(text: string): object | undefined {
  for (const each of [text, mendedJson(text)])
    try {
      const value = JSON.parse(each) as unknown;
      if (typeof value === 'string' && /^\s*[[{]/.test(value)) return parseJson(value);
      return typeof value === 'object' && value !== null ? value : undefined;
    } catch {
      continue;
    }
  return undefined;
}

/** `Name=Ann+Lee&email=…`; other texts with an equals sign have spaces or line ends. */
const isFormEncoded = (text: string, contentType: string): boolean =>
  /^[^\s=&{}<>]{1,200}=\S*$/.test(text.slice(0, 2_000).trim()) ||
  (/^\s*application\/x-www-form-urlencoded\b/i.test(contentType) && text.includes('='));

function entriesOfText(
  { bytes, contentType }: LeadBody,
  text: string,
  charset: string,
): readonly LeadEntry[] | undefined {
  const json = /^\s*["[{]/.test(text) ? parseJson(text) : undefined;
  if (json) return entriesOfJson(json);
  if (!isFormEncoded(text, contentType)) return undefined;
  const latin1 = bytes.toString('latin1').trim();
  return entriesOfForm(parseFormFields(latin1.split('&'), (part) => decodeLead(part, charset)));
}

/** Reads a body. Throws 413 for more text than a form has; files do not count, whose content is not stored. */
export async function readLeadBody(sent: LeadBody): Promise<ReadBody> {
  const body = { ...sent, bytes: uncompressed(sent.bytes) };
  const multipart = multipartType(body);
  const fields = multipart && (await readMultipart(multipart, body.bytes));
  if (fields) {
    const size = fields.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (size > MAX_BODY_BYTES) throw tooLarge(size);
    const entries = entriesOfForm(fields);
    if (entries) return { kind: 'form', entries };
  }
  const { bytes } = body;
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge(bytes.length);
  const charset = charsetIn(body);
  const text = decodeLead(bytes, charset);
  const entries = entriesOfText(body, text, charset);
  return entries ? { kind: 'form', entries } : { kind: 'text', text };
}
