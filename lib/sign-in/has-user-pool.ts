/** Whether the users of an account sign in through a user pool of this deployment. */
export const hasUserPool = (account: string): boolean =>
  Boolean(process.env['USER_POOL_ID']) && process.env['USER_POOL_ACCOUNT'] === account;
