import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type ClientLink,
  type LinkTarget,
  NO_LINKS,
  isExpired,
  lastDayOf,
  linkPath,
  parseLink,
  signedText,
} from '../domain/links.ts';
import { linkSecretEntity } from '../entities/accounts.ts';
import { InternalError } from '../shared/failure.ts';
import { MINUTE } from '../shared/time/time.ts';
import { CachedValues } from './dynamodb/cached-values.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/table.ts';
import { StoreConflict } from './dynamodb/errors.ts';
import { layout } from './keys.ts';
import type { Role } from '../shared/roles.ts';
import type { Caller } from './requests/caller.ts';

const secretKey = (account: string) => layout.linkSecret.key({ account });

/** The secret from which the links of an account follow, unless it has one. */
export const linkSecretChange = (account: string): Change => ({
  put: { ...secretKey(account), Secret: randomBytes(32).toString('base64url') },
  if: 'absent',
});

/** Gives an account of an earlier version its secret. Safe to repeat; returns how many items it wrote. */
export async function writeLinkSecret(table: TableWriter, account: string): Promise<number> {
  try {
    await table.commit([linkSecretChange(account)]);
    return 1;
  } catch (error) {
    if (error instanceof StoreConflict) return 0;
    throw error;
  }
}

/** A secret that was replaced makes and opens links for so long, and takes no form. */
const signers = new CachedValues<string, Signer | undefined>({
  name: (account) => account,
  async read(table, account, options) {
    const item = await table.get(secretKey(account), options);
    return item && linkSigner(linkSecretEntity.read(item).Secret);
  },
  milliseconds: 5 * MINUTE,
  missingMilliseconds: MINUTE,
});

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type Signer = (text: string) => string;

/** Signs texts with 128 bits in base64url: 21 digits, and two bits in the 22nd. */
export function linkSigner(secret: string): Signer {
  const digest = hmacSha256(secret);
  return (text) => {
    const digits = digest(text);
    return digits.slice(0, 21) + DIGITS.charAt(DIGITS.indexOf(digits.charAt(21)) & 0b110000);
  };
}

/** Roles that change contacts, visits or sales: only they get links. */
const LINKED_ROLES: ReadonlySet<Role> = new Set(['Owner', 'Admin', 'Office']);

export const getsLinks = (role: Role): boolean => LINKED_ROLES.has(role);

/** Makes the links that the answers to a caller contain. */
export const findClientLinks = async (
  table: TableReader,
  { accountId, role }: Pick<Caller, 'accountId' | 'role'>,
  now: Date,
): Promise<ClientLink> => (getsLinks(role) ? findAccountLinks(table, accountId, now) : NO_LINKS);

/** Makes the links of an account. Its secret is remembered: as a rule that takes no request. */
export async function findAccountLinks(table: TableReader, account: string, now: Date): Promise<ClientLink> {
  const sign = await signers.read(table, account);
  return sign ? signedLinks(account, sign, now) : NO_LINKS;
}

/** Makes the links of an account with the signer of its secret. Keeps the last, which both sides of an event share. */
export function signedLinks(account: string, sign: Signer, now: Date): ClientLink {
  const baseUrl = process.env['BASE_URL'] ?? '';
  let last = { text: '', link: '' };
  return (page, id, generation) => {
    const target = { page, account, id, generation, lastDay: lastDayOf(page, now.getTime()) };
    const text = signedText(target);
    if (last.text !== text) last = { text, link: `${baseUrl}${linkPath(target, sign(text))}` };
    return last.link;
  };
}

/** A link that is ours; the record decides whether it was revoked. */
export interface OpenedLink {
  readonly target: LinkTarget;
  /** Whether its last day is over. */
  readonly isOver: boolean;
  /** Signs what a form of the page sends back, for this link alone. */
  readonly formToken: string;
}

/**
 * The target of `/c/{page}/{handle}`; `undefined` for a link that is not ours. A page is opened with the remembered
 * secret, which takes no request; a form is taken with the current one.
 */
export async function openLink(
  table: TableReader,
  { page, handle }: { readonly page: string | undefined; readonly handle: string | undefined },
  now: Date,
): Promise<OpenedLink | undefined> {
  const link = parseLink(page, handle);
  if (!link) return undefined;
  const { account } = link.target;
  const sign = await signers.read(table, account);
  if (!sign) return undefined;
  const expected = linkPath(link.target, sign(signedText(link.target)));
  if (!isSame(`/c/${page}/${handle}`, expected)) return undefined;
  const isOver = isExpired(link.target, now.getTime());
  return { target: link.target, isOver, formToken: sign(`form ${expected}`) };
}

/** Compares texts of our own length in constant time. */
export function isSame(sent: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(sent), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * HMAC-SHA-256 (RFC 2104) in base64url, for many texts under one key. Two hashes in one call each take half the time of
 * an Hmac object, which the garbage collector has to finalize too. The key is ASCII, of at most 64 characters: then
 * also the key's first block is text, and the text to sign is not copied.
 */
export function hmacSha256(key: string): (text: string) => string {
  const bytes = Buffer.from(key);
  if (bytes.length > BLOCK_BYTES || bytes.some((byte) => byte > 0x7f)) throw new InternalError('a key not in ASCII');
  const block = (pad: number) => Buffer.alloc(BLOCK_BYTES, pad).map((byte, index) => byte ^ (bytes[index] ?? 0));
  const inner = Buffer.from(block(0x36)).toString('latin1');
  const outer = Buffer.concat([block(0x5c)], BLOCK_BYTES + DIGEST_BYTES);
  return (text) => {
    outer.write(hash('sha256', inner + text, 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}
