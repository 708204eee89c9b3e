import { Failure } from '../../shared/failure.ts';
import type { Event } from '../respond.ts';

/** A drawn signature has at most 256 KB, which are base64 and percent-encoded here. */
const MAX_BODY_BYTES = 512 * 1024;
const MAX_FIELDS = 100;
/** Of all fields but the signature, decoded. */
const MAX_FIELD_BYTES = 16 * 1024;
const SIGNATURE = 'drawing=';

/** The fields that a form sent. They are counted before they are decoded: a refused form costs next to nothing. */
export function readForm({ body = '', isBase64Encoded }: Pick<Event, 'body' | 'isBase64Encoded'>): URLSearchParams {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge();
  const text = bytes.toString('utf8');
  const fields = text.split('&', MAX_FIELDS + 1);
  const others = fields.filter((field) => !field.startsWith(SIGNATURE)).join('&');
  if (fields.length > MAX_FIELDS || others.length > 3 * MAX_FIELD_BYTES || decodedBytes(others) > MAX_FIELD_BYTES)
    throw tooLarge();
  return new URLSearchParams(text);
}

const tooLarge = (): Failure => new Failure('request_too_large', 'The form is too large.');

/** `%C3%A9` is two bytes. */
const decodedBytes = (text: string): number =>
  Buffer.byteLength(text) - 2 * (text.match(/%[0-9a-f]{2}/gi)?.length ?? 0);
