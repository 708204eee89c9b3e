import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Failure, invalid } from '../shared/failure.ts';

const MEBIBYTE = 1024 * 1024;
/** Lambda takes no more than 6 MB an invocation. */
export const MAX_BODY_BYTES = 6 * MEBIBYTE;
const MAX_DEPTH = 64;

/** The body as bytes of UTF-8. */
function bytesOf({ body, isBase64Encoded }: APIGatewayProxyEventV2): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Whether arrays and objects are nested deeper than `most`; done on the text, before anything recurses over the value.
 */
function deeperThan(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (quoted) {
      if (character === 0x5c) index++;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > most) return true;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return false;
}

/**
 * The JSON object of a request. A byte order mark is passed over. Fails with 400 (not UTF-8, not JSON, not an object,
 * too deep) or 413.
 */
export function readBody(event: APIGatewayProxyEventV2): Record<string, unknown> {
  const bytes = bytesOf(event);
  if (bytes.length > MAX_BODY_BYTES)
    throw new Failure(413, `The body has ${bytes.length} bytes; at most ${MAX_BODY_BYTES} are taken.`);
  const text = decode(bytes);
  if (text.trim() === '') throw invalid({ field: '', message: 'must be a JSON object, but it is empty' });
  if (deeperThan(text, MAX_DEPTH))
    throw invalid({ field: '', message: `must not be nested deeper than ${MAX_DEPTH} levels` });
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ field: '', message: 'must be a JSON object' });
  return value as Record<string, unknown>;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure(400, 'The body must be UTF-8, and not compressed.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const place = cause instanceof Error ? /position \d+|line \d+ column \d+/.exec(cause.message)?.[0] : undefined;
    throw new Failure(400, `The body must be JSON${place ? `; it stops being so at ${place}` : ''}.`, { cause });
  }
}
