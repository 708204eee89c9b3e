import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure, forbidden } from '../../shared/failure.ts';
import { DAY } from '../../shared/time/time.ts';
import { addressMatcher, networkOf } from '../../shared/web/address-ranges.ts';
import { CachedValues } from '../../store/dynamodb/cached-values.ts';
import { WaitBudget } from '../../store/dynamodb/client.ts';
import { type TableReader, type TableWriter, openTable, withCurrentValues } from '../../store/dynamodb/table.ts';
import { ListReader } from '../../store/dynamodb/lists/list-reader.ts';
import { findKey, findKeyState, isSuspended, parseKey } from '../../store/requests/api-keys.ts';
import { countCall } from '../../store/requests/audit.ts';
import type { AgentScope, Caller } from '../../store/requests/caller.ts';
import { type ScannedBody, checkKeyReadable } from '../http/read-body.ts';
import type { Operation } from '../operation.ts';
import type { Middleware } from '../respond.ts';
import type { RatedCall } from './rate-limit.ts';

/**
 * Who calls: the key of a call, and what the audit counts of it.
 */

/** What the steps of a call with a key find out. */
export interface KeyContext extends RatedCall {
  /** The key, once it is known, also if it has ended. */
  knownKey?: ApiKeyRecord;
}

/** Opens the table twice, as the operation's costs are the caller's. */
export const tables: Middleware<KeyContext> = {
  before({ context }) {
    const waitBudget = new WaitBudget();
    context.table = openTable({ waitBudget, meter: context.log.meter });
    context.pipelineTable = openTable({ waitBudget, meter: context.log.pipelineMeter });
  },
};

/** A revoked key must stop within 60 s; an unknown key may just have been made. */
const keys = new CachedValues<NonNullable<ReturnType<typeof parseKey>>, ApiKeyRecord | undefined>({
  name: ({ publicPart, secret }) => `${publicPart}#${secret}`,
  read: findKey,
  milliseconds: 50_000,
  missingMilliseconds: 2_000,
});

/** Of what may be a key. */
export const publicPartOf = (key = ''): string | null => parseKey(key)?.publicPart ?? null;

/** One message for every bad key: it does not reveal whether a key exists. */
export const unauthorized = (): Failure =>
  new Failure(
    'unauthorized',
    'The API key is missing, unknown, revoked or expired. Give a valid one as ApiKey in the body or as the ' +
      'header X-Api-Key.',
  );

const suspended = (): Failure =>
  forbidden('account_suspended', 'This account is suspended. Ask the operator of the API; no data is lost.');

type RequestHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The key of a call: that of the header X-Api-Key, else ApiKey in the body. A body is not read for a call with a key in
 * the header. Throws 401, and 400 for a body in which no key can be read.
 */
export function readCredential(
  { credential }: Pick<Operation, 'credential'>,
  headers: RequestHeaders,
  readBody: () => ScannedBody,
): string {
  const body = headers['x-api-key'] || credential === 'header' ? undefined : readBody();
  const key = headers['x-api-key'] || body?.apiKey;
  if (key) return key;
  const misplaced = misplacedKey(headers, body?.text);
  if (!misplaced && body) checkKeyReadable(body);
  throw misplaced ?? unauthorized();
}

/** The key of a form: that of the header, or the field ApiKey before the files. Throws 401. */
export function readFormCredential(headers: RequestHeaders, inForm: string): string {
  const inHeader = headers['x-api-key'] ?? '';
  if (inHeader && inForm && inHeader !== inForm) throw differentKeys();
  if (!inHeader && !inForm) throw misplacedKey(headers) ?? unauthorized();
  return inHeader || inForm;
}

export const differentKeys = (): Failure =>
  new Failure(
    'different_keys',
    'The header X-Api-Key and the field ApiKey differ. Give one of them, or the same key in both.',
  );

/** Headers in which other APIs expect a key. */
const OTHER_HEADERS = ['x-apikey', 'apikey', 'api-key', 'api_key', 'x-api_key', 'x_api_key', 'x-auth-token', 'x-key'];

/** 401 for a call without a key that has one where no key is read. It depends on the call alone, not on any key. */
function misplacedKey(headers: RequestHeaders, body = ''): Failure | undefined {
  const source = authorizationScheme(headers) ?? otherHeader(headers) ?? otherField(body);
  return source === undefined
    ? undefined
    : new Failure(
        'misplaced_key',
        `${source} is not read. Send the API key as the header X-Api-Key, or as ApiKey in the body.`,
      );
}

function authorizationScheme({ authorization = '' }: RequestHeaders): string | undefined {
  const [, scheme] = /^\s*(bearer|basic)\b/i.exec(authorization) ?? [];
  if (scheme) return `The header Authorization (${scheme})`;
  return authorization.trim() ? 'The header Authorization' : undefined;
}

function otherHeader(headers: RequestHeaders): string | undefined {
  const name = OTHER_HEADERS.find((each) => headers[each]);
  return name && `The header ${name}`;
}

/** A key under another name at the beginning of a body. */
function otherField(body: string): string | undefined {
  const [, name] = /"(api[_-]?key|x-api-key)"\s{0,10}:/i.exec(body.slice(0, 1_000)) ?? [];
  return name && name !== 'ApiKey' ? `The field ${name}` : undefined;
}

/** Throws 401 where the header and the body give different keys. */
export function checkBodyKey({ credential }: Pick<Operation, 'credential'>, key: string, body: object): void {
  const inBody = credential !== 'header' && 'ApiKey' in body ? body.ApiKey : '';
  if (typeof inBody === 'string' && inBody !== '' && inBody !== key) throw differentKeys();
}

/** The record of a key that may call from this address. Throws 401 and 403. */
export async function checkKey(context: KeyContext, credential: string): Promise<ApiKeyRecord> {
  const { log, pipelineTable } = context;
  log.key = publicPartOf(credential);
  const key = await authenticate(pipelineTable, credential, log.now, (known) => (context.knownKey = known));
  log.account = key.Account;
  checkAddress(key, log.source);
  await checkSuspension(pipelineTable, key);
  return key;
}

/** The record of a valid key; `onKnown` gets that of an ended one too. Throws 401. */
async function authenticate(
  table: TableReader,
  key: string,
  now: Date,
  onKnown: (record: ApiKeyRecord) => void,
): Promise<ApiKeyRecord> {
  const parts = parseKey(key);
  const record = parts && (await keys.read(table, parts));
  if (record) onKnown(record);
  const isPast = (time: number | null) => time !== null && time <= now.getTime();
  if (!record || isPast(record.RevokedAt) || isPast(record.ExpiresAt)) throw unauthorized();
  if (record.SuspendedAt !== undefined) throw suspended();
  return record;
}

const matchers = new WeakMap<ApiKeyRecord, (address: string) => boolean>();

/** Throws 403 for a call from an address where the key may not be used. */
function checkAddress(key: ApiKeyRecord, address: string): void {
  if (!key.From.length) return;
  const matches = matchers.get(key) ?? addressMatcher(key.From);
  matchers.set(key, matches);
  if (!matches(address))
    throw forbidden('key_restricted', 'This key may not be used from your address. Ask who created it.');
}

/** Throws 403 when the organization of the key is canceled. */
async function checkSuspension(table: TableReader, key: ApiKeyRecord): Promise<void> {
  if (await isSuspended(table, key))
    throw forbidden(
      'organization_suspended',
      `Organization ${key.OrganizationId} is canceled or suspended. To reopen a canceled one, call ` +
        'organizations/update with OpenSince and a key of the account.',
    );
}

/** How long after its visits a service agent's key still reaches the contacts. */
const VISIT_DAYS = 30;

/** Whole days: the pages of a list are those of one query. */
const agentScope = (id: number, now: Date): AgentScope => ({
  id,
  visitsFrom: (Math.floor(now.getTime() / DAY) - VISIT_DAYS) * DAY,
});

/** Who calls with a key. */
export const toCaller = (key: ApiKeyRecord, now: Date): Caller => ({
  accountId: key.Account,
  organizationId: key.OrganizationId,
  agent: key.AgentId === null ? null : agentScope(key.AgentId, now),
  role: key.Role,
  subscriber: key.Subscriber,
  keyName: key.Name,
  keyId: key.Public,
  dateStyle: key.DateStyle,
  isLenient: key.Lenient,
});

/** Whose lists the pages of a call are. */
export const toListReader = ({ Public }: ApiKeyRecord, headers: RequestHeaders, address: string): ListReader =>
  new ListReader({ key: Public, address, program: headers['user-agent'] ?? '', header: headers['x-list'] });

async function checkKeyNow(table: TableReader, key: ApiKeyRecord): Promise<void> {
  const [state] = await Promise.all([findKeyState(table, key.Public), checkSuspension(table, key)]);
  if (state === 'revoked') throw unauthorized();
  if (state === 'suspended') throw suspended();
}

/**
 * The table for a call that writes: nothing is committed with a key that is revoked or suspended by now, or whose
 * organization is canceled by now. Both are read with the first reads of the call, in the same request.
 */
export function whileKeyIsValid(readable: TableWriter, key: ApiKeyRecord): TableWriter {
  const table = withCurrentValues(readable);
  const check = checkKeyNow(table, key);
  // A call that fails before it writes does not ask.
  check.catch(() => undefined);
  return {
    ...table,
    async commit(...input) {
      await check;
      return table.commit(...input);
    },
    async putMany(...input) {
      await check;
      return table.putMany(...input);
    },
  };
}

/** Operations that return personal data of many at once. */
const BULK_READS = new Set(['datasubscriber/getdownload', 'download/getdownload']);

/** Whether the audit counts an answer: calls of a known key that were denied, and files of downloads. */
const isAudited = (operation: string, status: number): boolean =>
  status === 401 || status === 403 || ((status === 200 || status === 303) && BULK_READS.has(operation));

async function audit({ context, response }: Parameters<NonNullable<Middleware<KeyContext>['after']>>[0]) {
  const { knownKey, log, pipelineTable } = context;
  const { operation, source, now } = log;
  const status = response?.statusCode ?? 200;
  if (knownKey && isAudited(operation, status))
    await countCall(pipelineTable, knownKey.Public, {
      name: `${operation} ${status}`,
      network: networkOf(source),
      now,
    });
}
export const auditor: Middleware<KeyContext> = { after: audit, onError: audit };
