import { createHmac, hkdfSync } from 'node:crypto';

/** Standard Webhooks, https://www.standardwebhooks.com: symmetric signatures, version 1. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The parts of a message that are signed. */
export interface SignedMessage {
  /** Stays the same across attempts. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Derives a secret from a key and a name, so that it need not be stored. */
export function deriveSecret(key: string, name: string): string {
  const bytes = hkdfSync('sha256', key, 'standard webhooks', name, SECRET_BYTES);
  return `${PREFIX}${Buffer.from(bytes).toString('base64')}`;
}

function signature({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The headers of a message, with one signature per secret. */
export const webhookHeaders = (message: SignedMessage, secrets: readonly string[]): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signature(message, secret)).join(' '),
});
