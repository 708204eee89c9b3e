import { Failure, forbidden } from '../shared/failure.ts';
import { type ApiKeyRecord, findKey, isSuspended, parseKey } from '../store/api-keys.ts';
import type { TableReader } from '../store/dynamodb/client.ts';

/** A revoked key must stop within 60 s, so no answer about a key is trusted for longer than 50. */
const TRUSTED_MILLISECONDS = 50_000;
/** An unknown key is asked for again soon: it may just have been made. */
const UNKNOWN_MILLISECONDS = 2_000;
const MAX_CACHED = 1_000;

const cache = new Map<string, { readonly record: ApiKeyRecord | undefined; readonly until: number }>();

/** One message for all that can be wrong with a key, so that nobody learns which of them it was. */
const refused = () =>
  new Failure(
    401,
    'The API key is missing, unknown, revoked or expired. Give a valid one as ApiKey in the body or as the header X-Api-Key.',
  );

/** The credential of a call: the header X-Api-Key or ApiKey in the body; both given and different is 401. */
export function readCredential(header: string | undefined, inBody: unknown): string {
  const body = typeof inBody === 'string' && inBody ? inBody : undefined;
  if (header && body && header !== body)
    throw new Failure(
      401,
      'The header X-Api-Key and the field ApiKey differ. Give one of them, or the same key in both.',
    );
  const key = header || body;
  if (!key) throw refused();
  return key;
}

async function recordOf(table: TableReader, key: string, now: number): Promise<ApiKeyRecord | undefined> {
  const parts = parseKey(key);
  if (!parts) return undefined;
  const cached = cache.get(key);
  if (cached && cached.until > now) return cached.record;
  const record = await findKey(table, parts);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, { record, until: now + (record ? TRUSTED_MILLISECONDS : UNKNOWN_MILLISECONDS) });
  return record;
}

/** The record of a key that may call now; 401 otherwise, and 403 when the organization it is bound to is canceled. */
export async function authenticate(table: TableReader, key: string, now: Date): Promise<ApiKeyRecord> {
  const record = await recordOf(table, key, now.getTime());
  const ended = (at: number | null | undefined) => at != null && at <= now.getTime();
  if (!record || ended(record.RevokedAt) || ended(record.ExpiresAt)) throw refused();
  if (await isSuspended(table, record, now)) {
    throw forbidden(
      `Organization ${record.OrganizationId} is canceled. A key of the account can reopen it with organizations/update and OpenSince.`,
    );
  }
  return record;
}
