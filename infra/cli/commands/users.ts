import type { Command } from 'commander';
import { retry } from '../../../lib/shared/promises.ts';
import { normalizeEmail } from '../../../lib/shared/text/text.ts';
import { PersonRefused, type UserPool } from '../../../lib/sign-in/user-pool.ts';
import { layout } from '../../../lib/store/keys.ts';
import { listAllUsers } from '../../../lib/store/organizations/users.ts';
import { type SignInStep, followUser } from '../../../lib/workflows/users/follow-user.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { ReportedError, formatTable, print } from '../output.ts';
import { StagedTable } from '../staged-table.ts';
import { type AccountOption, accountOption, openAccount, openSignIn } from '../target.ts';

interface CheckOptions extends AccountOption {
  readonly repair?: boolean;
  readonly json?: boolean;
}

const meaningOf: Readonly<Record<SignInStep, string>> = {
  invited: 'has no invitation to this address',
  moved: 'has another address there',
  renamed: 'has another name there',
  enabled: 'cannot sign in, but is active',
  disabled: 'can sign in, but is not active',
  refused: 'is refused by the pool, or has the address of a person whom another user had: delete that person there',
  waits: 'has an address that another person has there',
};

/** A pool that pretends to make all changes. */
const planned = (pool: UserPool): UserPool => ({
  ...pool,
  invite: async (person) => ({ ...person, id: person.email, isEnabled: true, isInvited: true, created: Date.now() }),
  inviteAgain: async () => undefined,
  change: async () => undefined,
  enable: async () => undefined,
});

/** Retries, because Cognito allows about 25 calls a second. */
const patiently = <Result>(call: () => Promise<Result>): Promise<Result> =>
  retry(call, {
    isTransient: (error) => !(error instanceof PersonRefused),
    maxAttempts: 5,
    firstWait: 1_000,
    longestWait: 10_000,
  });

async function check({ repair = false, json, ...options }: CheckOptions): Promise<void> {
  const { store } = await openAccount(options);
  const pool = await openSignIn(store.account);
  const users = await listAllUsers(store);
  const rows: { User: number | null; Email: string; Finding: string; Repaired: boolean }[] = [];
  const follow = (Id: number) => {
    const key = layout.user.key({ account: store.account, id: Id });
    return patiently(() =>
      repair
        ? followUser(store, pool, key)
        : followUser({ ...store, table: new StagedTable(store.table) }, planned(pool), key),
    );
  };
  const results: { readonly Id: number; readonly Email: string; readonly steps: SignInStep[] }[] = [];
  for (const { Id, Email } of users) results.push({ Id, Email, steps: await follow(Id) });
  for (const { Id, Email, steps } of results) {
    // The user who held the address is gone.
    const done = repair && steps.includes('waits') ? [...(await follow(Id)), 'moved' as const] : steps;
    const isOpen = done.some((step) => step === 'refused' || step === 'waits');
    for (const step of new Set(done))
      rows.push({ User: Id, Email, Finding: meaningOf[step], Repaired: repair && !isOpen });
  }
  const known = new Set(users.map(({ Email }) => normalizeEmail(Email)));
  for await (const { email, isEnabled } of pool.list())
    if (isEnabled && !known.has(email))
      rows.push({ User: null, Email: email, Finding: 'can sign in, but is no user', Repaired: false });
  const open = rows.filter(({ Repaired }) => !Repaired).length;
  const repaired = rows.length - open;
  const summary = `${users.length} users checked, ${rows.length} findings, ${repaired} repaired, ${open} open.`;
  const text = rows.length ? `${formatTable(rows)}\n\n${summary}` : summary;
  print({ Users: users.length, Findings: rows }, { json, text });
  if (open) throw new ReportedError();
}

/** `user check`. */
export function userCommands(program: Command): void {
  const user = program.command('user').description('Compare users with the user pool in which they sign in');
  examples(jsonOption(accountOption(user.command('check'))), 'npx fs user check --repair')
    .description('Compare the users of an account with the people of its user pool')
    .option('--repair', 'invite, change, enable or disable people there as the users are')
    .action(check);
}
