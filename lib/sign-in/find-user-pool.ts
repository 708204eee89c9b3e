import type { UserPool } from './user-pool.ts';

/** The user pool of an account, if this deployment has one. Its client is loaded at the first use. */
export function findUserPool(account: string): UserPool | undefined {
  const { USER_POOL_ID: id, USER_POOL_ACCOUNT: owner } = process.env;
  if (!id || owner !== account) return undefined;
  const open = async () => (await import('./cognito.ts')).openPool(id);
  return {
    invite: async (person) => (await open()).invite(person),
    changeMfa: async (action, emails) => (await open()).changeMfa(action, emails),
  };
}
