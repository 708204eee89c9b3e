import type { Event } from './api.ts';
import { SignatureError } from './errors.ts';

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
/** Maximum difference in seconds between the clocks of sender and receiver. */
const TOLERANCE = 300;

function headerOf(headers: HeaderValues, name: string): string {
  const values = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const key = headers instanceof Headers ? '' : Object.keys(values).find((each) => each.toLowerCase() === name);
  const value = headers instanceof Headers ? headers.get(name) : key && values[key];
  if (!value) throw new SignatureError(`The header ${name} is missing.`);
  return typeof value === 'string' ? value : value.join(' ');
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Decodes base64; no bytes for anything else. */
function bytesOf(text: string) {
  try {
    return fromBase64(text);
  } catch {
    return new Uint8Array();
  }
}

async function isSigned(
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  message: Uint8Array<ArrayBuffer>,
) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!raw.length)
    throw new TypeError('The secret has the form whsec_ and base64. webhook rotate-secret shows a new one.');
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, message)) return true;
  return false;
}

export interface VerifyOptions {
  /** Seconds since the call was signed; 300 by default. */
  readonly tolerance?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/**
 * The event of a callback or webhook (Standard Webhooks). Throws a SignatureError if none of the secrets has signed the
 * body, or if it was signed too long ago. `body` must be the body as received, because parsing and rewriting it changes
 * the text.
 */
async function verify(
  body: string | Uint8Array,
  headers: HeaderValues,
  secret: string | readonly string[],
  { tolerance = TOLERANCE, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= tolerance))
    throw new SignatureError(`The call was signed at ${timestamp}, more than ${tolerance} s from now.`);
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => bytesOf(each.slice('v1,'.length)));
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const message = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of [secret].flat() as readonly string[])
    if (await isSigned(each, signatures, message)) return JSON.parse(text) as Event;
  throw new SignatureError('The body is not signed with this secret, or was changed on its way.');
}

/** Functions for receivers of callbacks and webhooks. */
export const webhooks = { verify };
