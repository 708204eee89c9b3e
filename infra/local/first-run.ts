import { createAccount, findAccount } from '../../lib/store/accounts.ts';
import { createKey } from '../../lib/store/api-keys.ts';
import type { TableWriter } from '../../lib/store/dynamodb/client.ts';
import type { LocalJson } from './folder.ts';
import { quickPuts } from './quick-puts.ts';

/** Who uses the local stack. */
export type LocalAccount = Pick<LocalJson, 'AccountId' | 'OrganizationId' | 'ApiKey'>;

/** The account that an earlier start made, when the table still has it. */
export async function knownAccount(
  table: TableWriter,
  { AccountId, OrganizationId, ApiKey }: Partial<LocalJson>,
): Promise<LocalAccount | undefined> {
  if (!AccountId || !OrganizationId || !ApiKey) return undefined;
  return (await findAccount(table, AccountId)) ? { AccountId, OrganizationId, ApiKey } : undefined;
}

/** Makes an account with one organization, or the demo company with all that it has, and an Owner key. */
export async function newAccount(
  table: TableWriter,
  { demo, now }: { demo: boolean; now: Date },
): Promise<LocalAccount> {
  // Only where it is asked for: the demo brings the whole company file along.
  const make = demo
    ? (await import('../cli/demo/create-demo.ts')).createDemo(quickPuts(table), { now })
    : createAccount(table, { name: 'My company', now });
  const { accountId, organizationId } = await make;
  const { key } = await createKey(table, { accountId, role: 'Owner', name: 'local', now });
  return { AccountId: accountId, OrganizationId: organizationId, ApiKey: key };
}
