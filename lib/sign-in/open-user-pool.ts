import { hasUserPool } from './has-user-pool.ts';
import type { UserPool } from './user-pool.ts';

/** The user pool of an account, if this deployment has one. Loads its client only here. */
export async function openUserPool(account: string): Promise<UserPool | undefined> {
  if (!hasUserPool(account)) return undefined;
  return (await import('./cognito.ts')).openPool(process.env['USER_POOL_ID'] ?? '');
}
