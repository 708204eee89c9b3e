import type { Item } from './dynamodb/changes.ts';
import { type RecordKind, listRange } from './dynamodb/records.ts';
import { InternalError } from '../shared/failure.ts';
import { type Key, accountOfKey, layout, momentKey, toKey } from './keys.ts';
import type { AgentScope, CallerScope, StoreAccount, StoreReader } from './store.ts';

/** Decides which records a caller sees: those of its organization, and for an agent those of contacts it visits. */

/** A key from elsewhere, such as a queue message: it must belong to the store's account. */
export function ownKey({ account }: StoreAccount, key: Key): Key {
  if (accountOfKey(key) !== account) throw new InternalError(`a key of another account than ${account}`);
  return toKey(key);
}

/** Whether a record exists for the caller; a record of another organization is treated as missing. */
export const isVisible = (
  { organizationId }: Pick<CallerScope, 'organizationId'>,
  { OrganizationId }: Readonly<Record<string, unknown>> | { readonly OrganizationId: number },
): boolean => organizationId === null || OrganizationId === organizationId;

const visited = new WeakMap<AgentScope, Promise<ReadonlySet<number>>>();

/** The contacts that the agent of a call visits; read once per call. */
function visitedContacts({ account, table }: StoreReader, agent: AgentScope): Promise<ReadonlySet<number>> {
  const known = visited.get(agent);
  if (known) return known;
  const partition = layout.agentVisit.of({ account, agent: agent.id });
  const range = { partition, from: momentKey(agent.visitsFrom), to: '~', consistent: true };
  const reading = listRange(table, range).then((items) => new Set(items.map(({ ContactId }) => Number(ContactId))));
  visited.set(agent, reading);
  return reading;
}

/** The contacts among these that the caller's agent visits; all for a caller without agent. */
export async function visitedAmong(store: StoreReader, contacts: readonly number[]): Promise<readonly number[]> {
  const { agent } = store;
  if (!agent || !contacts.length) return contacts;
  const own = await visitedContacts(store, agent);
  return contacts.filter((contact) => own.has(contact));
}

/** Whether the caller's agent visits a contact; always true for a caller without agent. */
export const isVisited = async (store: StoreReader, contact: unknown): Promise<boolean> =>
  (await visitedAmong(store, [Number(contact)])).length > 0;

/** Maximum length of a chain of merges. */
const MAX_MERGES = 50;

/** The id of a contact, and those of the contacts that it was merged into, one after the other. */
export async function meantContactIds(
  { table, account }: StoreReader,
  contact: number,
  { consistent = false } = {},
): Promise<number[]> {
  const ids = [contact];
  for (let merges = 0; merges < MAX_MERGES; merges++) {
    const item = await table.get(layout.contact.key({ account, id: ids.at(-1) ?? contact }), { consistent });
    const next = item?.['MergedInto'];
    if (typeof next !== 'number') break;
    ids.push(next);
  }
  return ids;
}

/**
 * The contacts to which a list of the caller is limited: the requested one, with the one that it was merged into, or
 * those that its agent visits; `undefined` for all.
 */
export async function listedContacts(store: StoreReader, contact?: number): Promise<readonly number[] | undefined> {
  const { agent } = store;
  const meant = contact === undefined ? undefined : await meantContactIds(store, contact);
  if (!agent) return meant;
  const contacts = await visitedContacts(store, agent);
  if (meant) return meant.filter((id) => contacts.has(id));
  return [...contacts];
}

/** Whether a record of a contact exists for the caller. */
export const isReachable = async (store: StoreReader, record: Readonly<Record<string, unknown>>): Promise<boolean> =>
  isVisible(store, record) && (await isVisited(store, record['ContactId']));

/** Finds a record by its id, if it exists for the caller. */
export const finderOf =
  <RecordType>(
    { read }: Pick<RecordKind<RecordType>, 'read'>,
    { key }: { readonly key: (of: { readonly account: string; readonly id: number }) => Key },
  ) =>
  async (store: StoreReader, id: number): Promise<RecordType | undefined> => {
    const item = await findVisible(store, key({ account: store.account, id }));
    return item && read(item);
  };

/** The item of a key, which names its contact, if it exists for the caller. */
export async function findVisible(store: StoreReader, key: Key): Promise<Item | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && (await isReachable(store, item)) ? item : undefined;
}
