import type { ApiKeyRecord } from '../../entities/api-keys.ts';
import { Failure, forbidden } from '../../shared/failure.ts';
import type { Role } from '../../shared/roles.ts';
import { DAY } from '../../shared/time/time.ts';
import { addressMatcher, networkOf } from '../../shared/web/web-addresses.ts';
import { CachedValues } from '../../store/dynamodb/cached-values.ts';
import { WaitBudget } from '../../store/dynamodb/client.ts';
import { type TableReader, type TableWriter, openTable, withCurrentValues } from '../../store/dynamodb/table.ts';
import { ListReader } from '../../store/dynamodb/lists/list-reader.ts';
import {
  findKey,
  findKeyState,
  findSchemaError,
  hasAgentLeft,
  isSuspended,
  keyStore,
  parseKey,
} from '../../store/requests/api-keys.ts';
import { countCall } from '../../store/requests/audit.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { type AgentScope, type StoreReader, accountStore } from '../../store/store.ts';
import { type RequestHeaders, unauthorized } from '../http/read-request.ts';
import type { UnknownField } from '../http/read-values.ts';
import type { Operation } from '../operation.ts';
import type { CallMode } from '../perform.ts';
import type { Middleware } from '../respond.ts';
import type { RatedCall } from './rate-limit.ts';

/** Authenticates and authorizes calls with a key, and decides what the audit records of them. */

/** What the steps of a call with a key find out. */
export interface KeyContext extends RatedCall {
  /** Of an operation that other code of its process calls. */
  readonly mode?: CallMode;
  /** The key as soon as it is known, even if it has ended. */
  knownKey?: ApiKeyRecord;
  /** Unknown fields that a lenient key sent. */
  unknownFields?: readonly UnknownField[];
}

/** Opens the table twice, so that the caller pays only for what the operation costs. */
export const tables: Middleware<KeyContext> = {
  before({ context }) {
    const configurationRevisions = context.mode?.configurationRevisions ?? new Map<string, Promise<string>>();
    const common = { waitBudget: new WaitBudget(), configurationRevisions };
    context.table = openTable({ ...common, meter: context.log.meter });
    context.pipelineTable = openTable({ ...common, meter: context.log.pipelineMeter });
  },
};

/** A revoked key must stop working within 60 s; an unknown key may just have been made. */
const keys = new CachedValues<NonNullable<ReturnType<typeof parseKey>>, ApiKeyRecord | undefined>({
  name: ({ publicPart, secret }) => `${publicPart}#${secret}`,
  read: ({ table }, key) => findKey(table, key),
  milliseconds: 50_000,
  missingMilliseconds: 2_000,
});

/** Keys are looked up before their account is known. */
const NO_ACCOUNT = '';

/** The public part of a credential, if it has the form of a key. */
export const publicPartOf = (key = ''): string | null => parseKey(key)?.publicPart ?? null;

const suspended = (): Failure =>
  forbidden('account_suspended', 'This account is suspended. Ask the operator of the API; no data is lost.');

/**
 * The record of a key that may call from this address. A session is such a key only in the office, so that a stolen
 * cookie opens no other way in. Throws 401 and 403.
 */
export async function checkKey(
  context: KeyContext,
  credential: string,
  { isSession = false }: { readonly isSession?: boolean } = {},
): Promise<ApiKeyRecord> {
  const { log, pipelineTable } = context;
  log.key = publicPartOf(credential);
  const key = await authenticate(pipelineTable, credential, log.now, (known) => (context.knownKey = known));
  if ((key.UserId !== null) !== isSession) throw unauthorized();
  log.account = key.Account;
  checkAddress(key, log.source);
  const store = keyStore(pipelineTable, key);
  await Promise.all([checkSuspension(store), checkSchema(store)]);
  if (await hasAgentLeft(store, key, log.now)) throw unauthorized();
  return key;
}

/** The record of a valid key; `onKnown` also gets the record of a key that has ended. Throws 401. */
async function authenticate(
  table: TableReader,
  key: string,
  now: Date,
  onKnown: (record: ApiKeyRecord) => void,
): Promise<ApiKeyRecord> {
  const parts = parseKey(key);
  const record = parts && (await keys.read(accountStore(table, NO_ACCOUNT), parts));
  if (record) onKnown(record);
  const isPast = (time: number | null) => time !== null && time <= now.getTime();
  if (!record || isPast(record.RevokedAt) || isPast(record.ExpiresAt)) throw unauthorized();
  if (record.SuspendedAt !== undefined) throw suspended();
  return record;
}

const matchers = new WeakMap<ApiKeyRecord, (address: string) => boolean>();

/** Throws 403 for an address from which the key may not be used. */
function checkAddress(key: ApiKeyRecord, address: string): void {
  if (!key.From.length) return;
  const matches = matchers.get(key) ?? addressMatcher(key.From);
  matchers.set(key, matches);
  if (!matches(address))
    throw forbidden('key_restricted', 'This key may not be used from your address. Ask who created it.');
}

/** Throws 403 when the organization of the key is canceled. */
async function checkSuspension(store: StoreReader): Promise<void> {
  if (await isSuspended(store))
    throw forbidden(
      'organization_suspended',
      `Organization ${store.organizationId} is canceled or suspended. To reopen a canceled one, call ` +
        'organizations/update with OpenSince and a key of the account.',
    );
}

/** Throws 503 if the account's items are in a format unknown to this version. */
async function checkSchema(store: StoreReader): Promise<void> {
  const message = await findSchemaError(store);
  if (message !== undefined) throw new Failure('unavailable', message, { headers: { 'Retry-After': '60' } });
}

/** How many days after a visit a service agent's key still sees its contact. */
const VISIT_DAYS = 30;

/** Whole days, so that all pages of a list come from the same query. */
const agentScope = (id: number, now: Date): AgentScope => ({
  id,
  visitsFrom: (Math.floor(now.getTime() / DAY) - VISIT_DAYS) * DAY,
});

/** The caller that a key stands for. */
export const toCaller = (key: ApiKeyRecord, now: Date): Caller => ({
  account: key.Account,
  organizationId: key.OrganizationId,
  agent: key.AgentId === null ? null : agentScope(key.AgentId, now),
  role: key.Role,
  subscriber: key.Subscriber,
  keyName: key.Name,
  keyId: key.Public,
  dateStyle: key.DateStyle,
  isLenient: key.Lenient,
  leadSource: { Channel: key.Channel, Campaign: key.Campaign },
  feed: key.Feed,
});

/** The reader to whom the pages of a list belong. */
export const toListReader = ({ Public }: ApiKeyRecord, headers: RequestHeaders, address: string): ListReader =>
  new ListReader({ key: Public, address, program: headers['user-agent'] ?? '', header: headers['x-list'] });

async function checkKeyNow(store: StoreReader, key: ApiKeyRecord): Promise<void> {
  const [state] = await Promise.all([findKeyState(store.table, key.Public), checkSuspension(store)]);
  if (state === 'revoked') throw unauthorized();
  if (state === 'suspended') throw suspended();
}

/**
 * The table for a call that writes: nothing is committed if the key has been revoked or suspended, or its organization
 * canceled, in the meantime. Both are read together with the first reads of the call.
 */
export function whileKeyIsValid(readable: TableWriter, key: ApiKeyRecord): TableWriter {
  const table = withCurrentValues(readable);
  const check = checkKeyNow(keyStore(table, key), key);
  // A call that fails before it writes does not wait for this check.
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

/** Operations that return personal data in bulk. */
const BULK_READS = new Set(['datasubscriber/getdownload', 'download/getdownload']);

/** Whether the audit records an answer: denied calls of a known key, and files of downloads. */
const isAudited = (operation: string, status: number): boolean =>
  status === 401 || status === 403 || ((status === 200 || status === 303) && BULK_READS.has(operation));

async function audit({ context, response }: Parameters<NonNullable<Middleware<KeyContext>['after']>>[0]) {
  const { knownKey, log, pipelineTable, unknownFields = [] } = context;
  const { operation, source, now } = log;
  const status = response?.statusCode ?? 200;
  const fields = unknownFields.map(({ name }) => name);
  if (knownKey && (fields.length || isAudited(operation, status)))
    await countCall(pipelineTable, knownKey.Public, {
      operation,
      status: isAudited(operation, status) ? status : undefined,
      fields,
      network: networkOf(source),
      now,
    });
}
export const auditor: Middleware<KeyContext> = { after: audit, onError: audit };

/* Decides what a key may call, by its role, its restrictions and its organization. */

type Target = Pick<Operation, 'group' | 'operation' | 'access'>;

const inGroups =
  (...groups: string[]) =>
  ({ group }: Target) =>
    groups.includes(group);
const groupsOfAdmins = inGroups('webhooks');
const operationsOfAdmins = new Set(['contacts/merge', 'contacts/unmerge']);
const isOfAdmins = ({ group, operation }: Target) => operationsOfAdmins.has(`${group}/${operation}`);
const subscriberGroups = inGroups('datasubscriber', 'download');
/** Messages have the links of their contact. */
const linkedGroups = inGroups('messages');
const reads = (target: Target) =>
  target.access === 'read' && !subscriberGroups(target) && !groupsOfAdmins(target) && !linkedGroups(target);

const officeGroups = inGroups('contacts', 'appointments', 'proposal', 'invoice', 'payment', 'task', 'blogs');
const marketingGroups = inGroups('contacts', 'channels', 'blogs', 'settings');
const agentOperations = new Set([
  'appointments/update',
  'appointments/addtip',
  'appointments/feedback',
  'contacts/addnote',
  'contacts/upload',
  'contacts/logcall',
  'task/complete',
  'task/update',
]);

const rules: Record<Role, (target: Target) => boolean> = {
  Owner: () => true,
  Admin: ({ access }) => access !== 'admin',
  Office: (target) =>
    reads(target) || linkedGroups(target) || (target.access === 'write' && officeGroups(target) && !isOfAdmins(target)),
  ServiceAgent: (target) => reads(target) || agentOperations.has(`${target.group}/${target.operation}`),
  Marketing: (target) => target.access !== 'admin' && marketingGroups(target) && !isOfAdmins(target),
  DataSubscriber: (target) => reads(target) || (target.access !== 'admin' && subscriberGroups(target)),
  ReadOnly: reads,
};

/**
 * What a service agent's key may call: operations on contacts of the agent's visits and on the agent's own records, and
 * company lists without personal data. A new operation is excluded until somebody adds it.
 */
const operationsOfAgents = new Set([
  ...agentOperations,
  'appointments/find',
  'appointments/query',
  'appointments/slotsearch',
  'cancelreasons/all',
  'contacts/listtags',
  'contacts/locate',
  'contacts/messages',
  'customfields/all',
  'invoice/get',
  'invoice/query',
  'part/details',
  'part/getdimension',
  'part/getpartdimensions',
  'payment/query',
  'proposal/alltemplates',
  'proposal/details',
  'proposal/query',
  'proposal/quote',
  'serviceagents/all',
  'services/all',
  'services/details',
  'settings/features',
  'settings/namedtaxrates',
  'task/query',
  'test/echo',
  'test/whoami',
]);

/** Whether a key may call an operation. */
export const mayCall = ({ Role, AgentId }: Pick<ApiKeyRecord, 'Role' | 'AgentId'>, target: Target): boolean =>
  allows(Role, target) && (AgentId === null || operationsOfAgents.has(`${target.group}/${target.operation}`));

/** Whether a role may call an operation. Every role may call the operations for trying out a key. */
export const allows = (role: Role, target: Target): boolean => target.group === 'test' || rules[role](target);

/** Whether a role may read the files that belong to a group of operations. */
export const mayReadFiles = (role: Role, group: string): boolean =>
  allows(role, { group, operation: 'file', access: 'read' });

const rolesFor = (target: Target): string =>
  (Object.keys(rules) as Role[]).filter((role) => allows(role, target)).join(', ');

/** Throws 403 if the key is restricted to other operations. */
export function checkRestrictions(
  { Allow, ReadOnly }: Pick<ApiKeyRecord, 'Allow' | 'ReadOnly'>,
  { name, access, isForEveryKey }: Pick<Operation, 'name' | 'access' | 'isForEveryKey'>,
): void {
  if (isForEveryKey) return;
  const isAllowed = (pattern: string) =>
    pattern === name || (pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1)));
  if (Allow.length && !Allow.some(isAllowed))
    throw forbidden('key_restricted', `This key may not call ${name}. It was created for: ${Allow.join(', ')}.`);
  if (ReadOnly && access !== 'read')
    throw forbidden('key_restricted', `This key may only read, and ${name} changes something.`);
}

/** Throws 403 if the key's role or organization does not allow the call. */
export function authorize(operation: Operation, key: ApiKeyRecord, body: Record<string, unknown>) {
  const { Role, OrganizationId } = key;
  if (!allows(Role, operation))
    throw forbidden(
      'role_forbidden',
      `A key of role ${Role} may not call ${operation.name}. Keys of these roles may: ${rolesFor(operation)}.`,
    );
  if (!mayCall(key, operation))
    throw forbidden(
      'agent_forbidden',
      `The key of a service agent may not call ${operation.name}. Use a key that is of no agent.`,
    );
  checkRestrictions(key, operation);
  const requested = body['OrganizationId'];
  const isOther = typeof requested === 'number' && requested !== 0 && requested !== OrganizationId;
  if (OrganizationId !== null && isOther && 'OrganizationId' in operation.request())
    throw forbidden(
      'organization_forbidden',
      `This key is bound to organization ${OrganizationId}. Leave OrganizationId out, or use a key of the account.`,
      'OrganizationId',
    );
}
