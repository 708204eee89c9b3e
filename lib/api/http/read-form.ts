import { Failure } from '../../shared/failure.ts';
import { parseFormFields } from '../../shared/web/form-encoded.ts';
import type { Event } from '../respond.ts';
import { bodyBytes, bodyDecoder } from './read-request.ts';

/** A drawn signature has at most 256 KB, which are base64 and percent-encoded here. */
const MAX_BODY_BYTES = 512 * 1024;
const MAX_FIELDS = 100;
/** All fields except the signature, decoded. */
const MAX_FIELD_BYTES = 16 * 1024;
const SIGNATURE = 'drawing=';

/** The fields that a form sent. Their size is checked before decoding, so a refused form costs next to nothing. */
export function readForm(event: Pick<Event, 'body' | 'headers' | 'isBase64Encoded'>): URLSearchParams {
  const bytes = bodyBytes(event);
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge();
  const text = bytes.toString('latin1');
  const fields = text.split('&', MAX_FIELDS + 1);
  const others = fields.filter((field) => !field.startsWith(SIGNATURE)).join('&');
  if (fields.length > MAX_FIELDS || others.length > 3 * MAX_FIELD_BYTES || decodedBytes(others) > MAX_FIELD_BYTES)
    throw tooLarge();
  return new URLSearchParams(parseFormFields(fields, bodyDecoder(event)));
}

const MAX_ONE_CLICK_BYTES = 2 * 1024;
const ONE_CLICK_PART =
  /\r?\ncontent-disposition:[^\r\n]*name="?List-Unsubscribe"?(?:\r?\n[^\r\n]+)*(?:\r?\n){2}One-Click\s/i;

/**
 * Whether a mail program ends a subscription (RFC 8058): List-Unsubscribe=One-Click as multipart/form-data,
 * form-encoded or text; some send no body at all.
 */
export function isOneClick({ body = '', isBase64Encoded }: Pick<Event, 'body' | 'isBase64Encoded'>): boolean {
  const start = Buffer.from(body.slice(0, 2 * MAX_ONE_CLICK_BYTES), isBase64Encoded ? 'base64' : 'utf8');
  const text = start.toString('latin1', 0, MAX_ONE_CLICK_BYTES).trim();
  if (!text || ONE_CLICK_PART.test(`\n${text}\n`)) return true;
  return new URLSearchParams(text).get('List-Unsubscribe')?.trim() === 'One-Click';
}

const tooLarge = (): Failure => new Failure('request_too_large', 'The form is too large.');

/** Counts decoded bytes: `%C3%A9` is two. */
const decodedBytes = (text: string): number => text.length - 2 * (text.match(/%[0-9a-f]{2}/gi)?.length ?? 0);
