import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
import { runTool, withEnvironment } from '../../support/cli.ts';
import { until } from '../../support/stack/process.ts';
import { type TestAccount, testAccount, testStack } from '../../support/stack/stack.ts';

let account: TestAccount;
let folder: string;

/** Runs the tool where a local stack is, as the other commands find it. */
const run = (words: string, environment: Record<string, string> = {}) =>
  withEnvironment({ FS_DATA: folder, ...environment }, () => runTool(words.split(' ')));

beforeAll(async () => {
  account = await testAccount();
  folder = mkdtempSync(join(tmpdir(), 'local-api-'));
  const { accountId: AccountId, key: ApiKey } = account;
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId, ApiKey }));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('where a local stack is', () => {
  test.each([{}, { FS_URL: 'http://127.0.0.1:9', FS_KEY: 'fsk_other' }])(
    'whoami, api and status call it, with its key, whatever address is beside it: %j',
    async (environment) => {
      const own = await run('whoami --json', environment);
      expect([own.code, JSON.parse(own.stdout)]).toMatchObject([
        0,
        { Url: testStack().BaseUrl, AccountId: account.accountId },
      ]);
      expect(await run('api test/echo', environment)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('status shows what serves, and how many records the key sees', async () => {
    await account.call('task/create', { Description: 'Call back' });
    const { code, stdout } = await run('status --json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        Url: testStack().BaseUrl,
        Version: packageFile.version,
        Stage: 'local',
        Account: account.accountId,
        Appointments: 0,
        Invoices: 0,
        OpenTasks: 1,
      },
    ]);
  });

  test('open starts a browser on the documentation, and names the address where none can be started', async () => {
    const [browser, opened] = [join(folder, 'browser'), join(folder, 'opened')];
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`);
    chmodSync(browser, 0o755);
    const { BROWSER: before } = process.env;
    const Url = `${testStack().BaseUrl}/docs`;
    try {
      process.env['BROWSER'] = browser;
      expect(await run('open')).toEqual({ code: 0, stdout: `${Url}\n`, stderr: '' });
      const read = () => {
        try {
          return readFileSync(opened, 'utf8');
        } catch {
          return '';
        }
      };
      await until(() => read() === Url);
      process.env['BROWSER'] = join(folder, 'nowhere');
      expect((await run('open')).stdout).toBe(`Open ${Url} in a browser: none could be started here.\n`);
    } finally {
      delete process.env['BROWSER'];
      Object.assign(process.env, before === undefined ? {} : { BROWSER: before });
    }
  });

  test('that does not serve, status and open say so', async () => {
    for (const command of ['status', 'open'])
      expect(await run(command, { FS_DATA: '', FS_URL: 'http://127.0.0.1:9', FS_KEY: 'k' })).toMatchObject({
        code: 1,
        stderr: 'Nothing serves at http://127.0.0.1:9. A local stack is started with npm start.\n',
      });
  });

  test('trigger says that what it makes stays', async () => {
    expect((await run('events trigger task.created')).stdout).toMatch(
      /^Caused task\.created by .*, in new records, which stay in the local stack\. events tail shows it\.\n$/,
    );
  });
});
