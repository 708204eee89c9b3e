import { beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey, rotateKey } from '../../lib/store/requests/api-keys.ts';
import { layout } from '../../lib/store/keys.ts';
import { DAY } from '../../lib/shared/time/time.ts';
import { giveKeyNotices } from '../../lib/workflows/keys/give-notice.ts';
import { type TestAccount, testAccount, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const NOW = Date.now();
const END = NOW + 365 * DAY;
const NOTICE = END - 60 * DAY;

let company: TestAccount;
beforeAll(async () => {
  company = await testAccount();
});

const newKey = async (name: string, expiresAt: number | null, at = NOW) =>
  (
    await createKey(accountStore(testTable(), company.accountId), {
      role: 'Office',
      name,
      expiresAt,
      now: new Date(at),
    })
  ).record;

/** A run of the worker at that moment. */
const run = (at: number) => giveKeyNotices(testTable(), { now: new Date(at), deadline: Date.now() + 20_000 });

async function tasksOf(name: string) {
  const { body } = await company.call('task/query', { Take: 100 });
  const tasks = body['Tasks'] as { Description: string; TaskCategory: string; TaskType: number }[];
  return tasks.filter(({ Description }) => Description.includes(`(${name})`));
}

describe('a key that expires', () => {
  test('has a task made once, 60 days before, which names the key and what to do', async () => {
    const { Public } = await newKey('nightly sync', END);
    await run(NOTICE - 1_000);
    expect(await tasksOf('nightly sync')).toEqual([]);
    await Promise.all([run(NOTICE + 1_000), run(NOTICE + 1_000)]);
    await run(NOTICE + 2_000);
    const day = new Date(END).toISOString().slice(0, 10);
    expect(await tasksOf('nightly sync')).toMatchObject([
      {
        Description:
          `API key ${Public} (nightly sync) ends on ${day}, in 60 days. Its program stops then. ` +
          `Replace the key: npx fs key rotate ${Public} --expires never`,
        TaskCategory: 'API keys',
        TaskType: 0,
      },
    ]);
  });

  test('is left alone where it is revoked or replaced, never ends, or was made for 60 days', async () => {
    const revoked = await newKey('revoked', END);
    await revokeKey(accountStore(testTable(), company.accountId), revoked.Public, new Date());
    const replaced = await newKey('replaced', END);
    const [account, publicPart] = [company.accountId, replaced.Public];
    await rotateKey(accountStore(testTable(), account), publicPart, { grace: DAY, expiresAt: null, now: new Date() });
    await newKey('endless', null);
    await newKey('short', NOW + 60 * DAY);
    expect((await run(NOTICE + 1_000)).failures).toEqual([]);
    for (const name of ['revoked', 'replaced', 'endless', 'short']) expect(await tasksOf(name)).toEqual([]);
  });

  test('whose account is gone is forgotten', async () => {
    const gone = { at: String(NOW).padStart(15, '0'), account: 'gone', public: 'abcdefghijkl' };
    const key = layout.keyNotice.key(gone);
    await testTable().commit([{ put: { ...key, Account: gone.account, Public: gone.public } }]);
    expect((await run(NOW + 1_000)).failures).toEqual([]);
    expect(await testTable().get(key)).toBeUndefined();
  });
});
