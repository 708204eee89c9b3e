import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { InternalError } from '../failure.ts';

/** AES-256-GCM with one key per name, derived from the deployment's key. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = (key: string, name: string): Buffer => Buffer.from(hkdfSync('sha256', key, 'sealed text', name, 32));

/** Encrypts a text, which can then be read only with the key and under the same name. */
export function seal(text: string, key: string, name: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(key, name), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** Decrypts a text that was sealed under a name. Throws if it was altered, moved, or sealed with another key. */
export function unseal(sealed: string, key: string, name: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, keyFor(key, name), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    throw new InternalError(`the sealed text of ${name} cannot be read with the key of this deployment`);
  }
}
