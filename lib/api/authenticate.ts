import { Failure, forbidden } from '../shared/failure.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import { type ApiKeyRecord, findKey, isSuspended, parseKey } from '../store/api-keys.ts';
import type { Caller } from '../store/caller.ts';
import type { TableReader } from '../store/dynamodb/client.ts';
import type { Operation } from './operation.ts';

/** A revoked key must stop within 60 s; an unknown key may just have been made. */
const keys = new TtlCache<ApiKeyRecord | undefined>({ milliseconds: 50_000, missingMilliseconds: 2_000 });

/** One message for every bad key: it does not reveal whether a key exists. */
export const unauthorized = (): Failure =>
  new Failure(
    401,
    'The API key is missing, unknown, revoked or expired. Give a valid one as ApiKey in the body or as the ' +
      'header X-Api-Key.',
  );

export const suspended = (): Failure =>
  forbidden('This account is suspended. Ask the operator of the API; no data is lost.');

/**
 * The key of a call: that of the header X-Api-Key, else ApiKey in the body. A body is not read for a call with a key in
 * the header. Throws 401.
 */
export function readCredential(
  { credential }: Pick<Operation, 'credential'>,
  headers: Readonly<Record<string, string | undefined>>,
  readBodyKey: () => string,
): string {
  const key = headers['x-api-key'] || (credential === 'header' ? '' : readBodyKey());
  if (!key) throw unauthorized();
  return key;
}

/** The key of a form: that of the header, or the field ApiKey before the files. Throws 401. */
export function readFormCredential(headers: Readonly<Record<string, string | undefined>>, inForm: string): string {
  const inHeader = headers['x-api-key'] ?? '';
  if (inHeader && inForm && inHeader !== inForm) throw differentKeys();
  if (!inHeader && !inForm) throw unauthorized();
  return inHeader || inForm;
}

const differentKeys = (): Failure =>
  new Failure(401, 'The header X-Api-Key and the field ApiKey differ. Give one of them, or the same key in both.');

/** Throws 401 where the header and the body give different keys. */
export function checkBodyKey({ credential }: Pick<Operation, 'credential'>, key: string, body: object): void {
  const inBody = credential !== 'header' && 'ApiKey' in body ? body.ApiKey : '';
  if (typeof inBody === 'string' && inBody !== '' && inBody !== key) throw differentKeys();
}

/** The record of a valid key. Throws 401. */
export async function authenticate(table: TableReader, key: string, now: Date): Promise<ApiKeyRecord> {
  const parts = parseKey(key);
  const record = parts && (await keys.recall(key, now, () => findKey(table, parts)));
  const isPast = (time: number | null) => time !== null && time <= now.getTime();
  if (!record || isPast(record.RevokedAt) || isPast(record.ExpiresAt)) throw unauthorized();
  if (record.SuspendedAt !== undefined) throw suspended();
  return record;
}

/** Throws 403 when the organization of the key is canceled. */
export async function checkSuspension(table: TableReader, key: ApiKeyRecord, now: Date): Promise<void> {
  if (await isSuspended(table, key, now))
    throw forbidden(
      `Organization ${key.OrganizationId} is canceled or suspended. To reopen a canceled one, call ` +
        'organizations/update with OpenSince and a key of the account.',
    );
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Who calls with a key. */
export const toCaller = (key: ApiKeyRecord, headers: Headers): Caller => ({
  accountId: key.Account,
  organizationId: key.OrganizationId,
  agentId: key.AgentId,
  role: key.Role,
  subscriber: key.Subscriber,
  keyName: key.Name,
  keyId: key.Public,
  dateStyle: key.DateStyle,
  reader: JSON.stringify([key.Public, headers['x-reader'] ?? '']),
});
