import type { OrganizationRecord } from '../domain/organizations.ts';
import { randomHandle } from '../shared/random-handle.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import type { CallerScope } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { layout } from './keys.ts';
import { getRecentOrganization, newOrganizationChanges } from './organizations.ts';
import { defaultSettings } from './settings.ts';

/** One company or franchise brand; nothing ever crosses accounts. */
export interface Account {
  readonly AccountId: string;
  readonly Name: string;
  readonly CreatedAt: number;
  /** Where leads go that no organization owns. */
  readonly DefaultOrganizationId: number;
  /** How many organizations there are: a call need not name one when there is only one. */
  readonly Organizations: number;
  /** Absent where the company file has set nothing. */
  readonly Proposals?: ProposalSettings;
}

/** How an account deals with proposals; the company file says it. */
export interface ProposalSettings {
  /** Days from its opening after which an unanswered proposal expires; 0 never. */
  readonly ExpireAfterDays: number;
}

export const DEFAULT_PROPOSAL_SETTINGS: ProposalSettings = { ExpireAfterDays: 0 };

/**
 * Makes an account with one organization (named like the account unless said otherwise) and the defaults of a new
 * account.
 */
export async function createAccount(
  table: TableWriter,
  {
    name,
    organizationName = name,
    timeZone,
    now,
  }: { name: string; organizationName?: string; timeZone?: string; now: Date },
): Promise<{ accountId: string; organizationId: number }> {
  const account = randomHandle(12).toLowerCase();
  const record: Account = {
    AccountId: account,
    Name: name,
    CreatedAt: now.getTime(),
    DefaultOrganizationId: 1,
    Organizations: 1,
  };
  const changes: Change[] = [
    { put: { ...layout.account.key({ account }), ...record }, if: 'absent' },
    { put: { ...layout.lease.key({ account, kind: 'Organization' }), Last: 1 }, if: 'absent' },
    ...newOrganizationChanges(account, {
      Id: 1,
      PublicName: organizationName,
      ...(timeZone ? { Timezone: timeZone } : {}),
    }),
    ...defaultSettings(account),
  ];
  await table.commit(changes);
  return { accountId: account, organizationId: 1 };
}

/** The account, or `undefined`. */
export async function findAccount(table: TableReader, account: string): Promise<Account | undefined> {
  return (await table.get(layout.account.key({ account }))) as Account | undefined;
}

const accounts = new TtlCache<Account | undefined>();

/**
 * The organization a caller's words are read in (its time zone, its country): the key's own, else the account's
 * default.
 */
export async function callerOrganization(
  table: TableReader,
  { accountId, organizationId }: CallerScope,
  now: Date,
): Promise<OrganizationRecord> {
  const account =
    organizationId === null ? await accounts.recall(accountId, now, () => findAccount(table, accountId)) : undefined;
  return getRecentOrganization(table, accountId, organizationId ?? account?.DefaultOrganizationId ?? 1, now);
}

/** The only organization of an account, `undefined` when it has several. */
export async function findOnlyOrganization(
  table: TableReader,
  accountId: string,
  now: Date,
): Promise<number | undefined> {
  const account = await accounts.recall(accountId, now, () => findAccount(table, accountId));
  return account?.Organizations === 1 ? account.DefaultOrganizationId : undefined;
}

/** Where leads go that no organization owns. */
export const findDefaultOrganization = async (table: TableReader, accountId: string, now: Date): Promise<number> =>
  (await accounts.recall(accountId, now, () => findAccount(table, accountId)))?.DefaultOrganizationId ?? 1;

/** How the account deals with proposals, up to 30 seconds old; it costs nothing where the account is known already. */
export const findProposalSettings = async (
  table: TableReader,
  accountId: string,
  now: Date,
): Promise<ProposalSettings> =>
  (await accounts.recall(accountId, now, () => findAccount(table, accountId)))?.Proposals ?? DEFAULT_PROPOSAL_SETTINGS;

/** The change that counts one organization more; this container looks at the account anew. */
export function organizationCountChange(account: string): Change {
  accounts.forget(account);
  return { update: layout.account.key({ account }), add: { Organizations: 1 }, if: 'present' };
}
