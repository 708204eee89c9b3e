import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Failure, invalid } from '../shared/failure.ts';
import { MAX_LAMBDA_BYTES } from '../shared/limits.ts';

const MAX_DEPTH = 64;

/** The JSON object of a request; a byte order mark is skipped. Throws 400 or 413. */
export function readBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): Record<string, unknown> {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_LAMBDA_BYTES)
    throw new Failure(413, `The body has ${bytes.length} bytes; the limit is ${MAX_LAMBDA_BYTES}.`);
  const text = decode(bytes);
  if (text.trim() === '') throw invalid({ field: '', message: 'is empty; send a JSON object' });
  if (isDeeper(text, MAX_DEPTH))
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

/**
 * Whether arrays and objects nest deeper than `limit`; checked on the text, before anything recurses over the value.
 */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (quoted) {
      if (character === 0x5c) index++;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > limit) return true;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const place = cause instanceof Error ? /position \d+|line \d+ column \d+/.exec(cause.message)?.[0] : undefined;
    throw new Failure(400, `Invalid JSON${place ? ` at ${place}` : ''}.`, { cause });
  }
}
