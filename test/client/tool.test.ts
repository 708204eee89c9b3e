import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhooks } from '../../lib/client/webhooks.ts';
import { type Ended, runTool, withEnvironment } from '../support/cli.ts';
import { type ClientFolder, installClient } from '../support/client.ts';
import { until } from '../support/stack/process.ts';
import { type TestAccount, testAccount, testStack } from '../support/stack/stack.ts';

const run = promisify(execFile);

let client: ClientFolder;
let account: TestAccount;
/** The tool as npm installs it: what `npm pack` packs, in a folder that knows nothing of the checkout. */
let tool: string;
let home: string;
beforeAll(async () => {
  [client, account] = await Promise.all([installClient(), testAccount()]);
  const source = join(client.folder, 'node_modules/field-service-client');
  await run('npm', ['pack', '--silent', '--pack-destination', client.folder], { cwd: source });
  const packed = readdirSync(client.folder).find((name) => name.endsWith('.tgz')) ?? '';
  home = join(client.folder, 'home');
  mkdirSync(home);
  await run('tar', ['-xzf', packed, '-C', home], { cwd: client.folder });
  tool = join(home, 'package/fs.js');
});
afterAll(async () => client.remove());

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  ...more,
});

/** Runs the packed tool in another folder, with only the environment that is given. */
async function fs(words: readonly string[], { input = '', ...env }: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [tool, ...words], { cwd: home, env: environment(env) });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data: Buffer) => (output[name] += String(data)));
  child.stdin.end(input);
  const code = await new Promise<number>((done) => child.on('close', (status) => done(status ?? 1)));
  return { code, ...output };
}

const loggedIn = () => ({ FS_URL: testStack().BaseUrl, FS_KEY: account.key });
const done = (stdout: unknown, stderr: unknown = '') => ({ code: 0, stdout, stderr });

describe('the packed tool', () => {
  test('has no server in it, and needs no other package', () => {
    const program = readFileSync(tool, 'utf8');
    const imported = [...program.matchAll(/(?:^|[;}])import[^;"']*["']([^"']+)["']/g)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name = '') => !isBuiltin(name))).toEqual([]);
    expect(program).not.toMatch(/TransactWriteItems|DynamoDBClient/);
    expect(statSync(tool).mode & 0o111).not.toBe(0);
  });

  test('keeps an address and a key for its user alone, after trying them, and forgets them', async () => {
    const url = `${testStack().BaseUrl}/api/`;
    const refused = await fs(['login', '--url', url], { input: 'fsk_test_wrong' });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^test\/whoami: .*key/) });
    const { stdout } = await fs(['login', '--url', url, '--json'], { input: `${account.key}\n` });
    const { File, ...login } = JSON.parse(stdout) as { File: string };
    expect(login).toEqual({
      Profile: 'default',
      Url: testStack().BaseUrl,
      Key: expect.stringMatching(/^fsk_live_.{12}…$/),
    });
    expect([statSync(File).mode & 0o777, statSync(join(File, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    const { body: whoami } = await account.call('test/whoami');
    const { ResultCode: _, Message: __, ...own } = whoami;
    const { stdout: shown } = await fs(['whoami', '--json']);
    expect(JSON.parse(shown)).toEqual({ ...login, ...own });
    expect(await fs(['whoami', '--profile', 'other'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no profile other/),
    });
    expect((await fs(['logout'])).code).toBe(0);
    expect(await fs(['whoami'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No address and key. Log in with fs login --url <address>, or set FS_URL and FS_KEY.\n',
    });
  });

  test('says whose its key is, what it may do, from where, how often and until when', async () => {
    const limits = { allow: ['contacts/*', 'task/query'], readOnly: true, from: ['127.0.0.0/8', '::1'] } as const;
    const FS_KEY = await account.newKey({ ...limits, organizationId: 1, name: 'web site', rate: 5, inFlight: 2 });
    const { stdout } = await fs(['whoami'], { ...loggedIn(), FS_KEY });
    expect(stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
      'Profile  –',
      `Url  ${testStack().BaseUrl}`,
      `Key  ${FS_KEY.slice(0, 21)}…`,
      'Name  web site',
      `Account  ${account.accountId}`,
      'Organization  Springfield (1)',
      'Role  Office',
      'Operations  contacts/*, task/query, only those that read',
      'Assistants  only read',
      'From  127.0.0.0/8, ::1',
      'Rate  5 calls a second, 10 at once after a pause, 2 at the same time',
      'Subscriber  default',
      'Expires  never',
      '',
    ]);
  });

  test('logs in to a server of an earlier version, which does not say what a key is', async () => {
    const earlier = createServer(({ url }, response) => {
      const isKnown = url === '/api/test/echo';
      const [ResultCode, Code] = isKnown ? [0, undefined] : [404, 'unknown_path'];
      response.writeHead(ResultCode || 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ResultCode, Code, Message: '' }));
    });
    await new Promise<void>((listening) => void earlier.listen(0, '127.0.0.1', listening));
    const env = { FS_URL: `http://127.0.0.1:${(earlier.address() as AddressInfo).port}`, FS_KEY: account.key };
    expect(JSON.parse((await fs(['whoami', '--json'], env)).stdout)).toEqual({
      Profile: '',
      Url: env.FS_URL,
      Key: `${account.key.slice(0, 21)}…`,
    });
    earlier.close();
  });

  test(
    'with nothing but its login calls, reads events, manages webhooks and downloads',
    { timeout: 60_000 },
    async () => {
      const own = await testAccount();
      await fs(['login', '--url', testStack().BaseUrl, '--profile', 'own'], { input: own.key });
      const profile = ['--profile', 'own'];
      const added = ['Matches[0].Name=Lou Login', 'Matches[0].Email=lou@example.com'];
      const { stdout } = await fs(['api', 'contacts/addupdate', ...added, ...profile]);
      expect(JSON.parse(stdout)).toMatchObject({ Matches: [{ Name: 'Lou Login' }] });
      const tail = async () => (await fs(['events', 'tail', ...profile])).stdout;
      await until(async () => (await tail()).includes('contact.created'), 30_000);
      const webhook = ['--url', 'https://hooks.example.com/fs', '--kinds', '*', '--json'];
      const created = await fs(['webhooks', 'create', ...webhook, ...profile]);
      const { Id } = JSON.parse(created.stdout) as { Id: number };
      // Nobody answers there.
      expect(await fs(['webhooks', 'test', String(Id), ...profile])).toMatchObject({ code: 1, stderr: '' });
      expect(await fs(['download', 'contacts', '--out', 'own.csv', ...profile])).toEqual(done('1 rows in own.csv.\n'));
      expect(readFileSync(join(home, 'own.csv'), 'utf8')).toContain('Lou Login');
      expect((await fs(['logout', ...profile])).code).toBe(0);
    },
  );

  test('calls operations with fields by their type, and prints the answer', async () => {
    const added = [
      'contacts/addupdate',
      'Matches[0].Name=Zoe Zip',
      'Matches[0].Email=zoe@example.com',
      'Matches[0].Zip=01234',
    ];
    const matches = async (...words: string[]) => {
      const { stdout } = await fs(['api', ...words], loggedIn());
      return (JSON.parse(stdout) as { Matches: { Id: number; Zip: string }[] }).Matches;
    };
    const [contact] = await matches(...added, 'Matches[0].Tags=a,b');
    expect(contact).toMatchObject({ Id: expect.any(Number) as number, Zip: '01234' });
    expect(await matches('contacts/locate', `IdSearch=${contact?.Id}`)).toMatchObject([{ Zip: '01234' }]);
    const paginated = await fs(['api', 'contacts/locate', 'NameSearch=zoe', 'Limit=1', '--paginate'], loggedIn());
    expect(JSON.parse(paginated.stdout)).toMatchObject({ Name: 'Zoe Zip' });
    const wrong = await fs(['api', 'contacts/locate', 'NameSerch=zoe'], loggedIn());
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/did you mean NameSearch/) });
    const unknown = await fs(['api', 'contact/locate'], loggedIn());
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/Did you mean "?contacts\/locate/) });
  });

  test('takes the request from a file or standard input', async () => {
    writeFileSync(join(home, 'task.json'), '{"Description":"From a file"}');
    expect((await fs(['api', 'task/create', '--data', '@task.json'], loggedIn())).code).toBe(0);
    const { stdout } = await fs(['api', 'task/query', '--data', '-'], { ...loggedIn(), input: '{}' });
    expect(JSON.parse(stdout)).toMatchObject({ Tasks: [{ Description: 'From a file' }] });
  });

  test('shows what an operation takes, and completes operations and fields', async () => {
    expect((await fs(['docs', 'appointments/book'])).stdout).toMatch(
      /^appointments\/book: .*\n[^]*Request:\n[^]*ContactId[^]*Answer:/,
    );
    const { stdout: book } = await fs(['docs', 'appointments/book']);
    expect(book).toMatch(/^- Price and lines are fixed by the booking\.\n/m);
    expect(book).toMatch(/^Roles +Owner, Admin, Office\n/m);
    expect(book).not.toMatch(/\]\(|\| ---/);
    expect((await fs(['docs', 'test/echo'])).stdout).toContain('Request:\n  no fields\n');
    const { stdout: ofGroup } = await fs(['docs', 'task']);
    expect(ofGroup).toMatch(/^task\/create +Create a task\n/);
    expect(ofGroup).not.toContain('contacts/');
    // Elsewhere npx fs is a package of somebody else.
    expect((await fs(['api', '--help'])).stdout).toMatch(/^ {2}fs api contacts\/locate/m);
    expect((await fs(['docs', 'Contact'])).stdout).toMatch(/^Contact\n {2}Id: integer/);
    expect((await fs(['docs', 'toString'])).stderr).toContain('There is no operation toString.');
    const { stdout } = await fs(['completion', 'bash']);
    expect(stdout).toMatch(/"api"\) next="[^"]*contacts\/locate/);
    expect(stdout).toMatch(/"api contacts\/locate"\) next="[^"]*NameSearch=/);
    await run('bash', ['-n', '-c', stdout]);
  });

  test('shows events, and posts them to an address with a signature that verifies', { timeout: 90_000 }, async () => {
    const key = await account.newKey({ role: 'DataSubscriber', subscriber: 'tool' });
    const own = { ...loggedIn(), FS_KEY: key };
    await account.call('task/create', { Description: 'Forwarded' });
    await until(
      async () => (await fs(['events', 'tail', '--kinds', 'task.created'], own)).stdout.includes('task.created'),
      15_000,
    );
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      const event = await webhooks.verify(
        Buffer.concat((await request.toArray()) as Buffer[]),
        request.headers,
        secret,
      );
      // The receiver fails once.
      response.writeHead(received.push(event.Payload.Kind) === 1 ? 500 : 200).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const words = ['events', 'forward', '--to', to, '--secret', secret, '--kinds', 'task.created', '--json'];
    const child = spawn(process.execPath, [tool, ...words], { cwd: home, env: environment(own) });
    const said: string[] = [];
    child.stderr.on('data', (part: Buffer) => said.push(part.toString()));
    try {
      await until(() => {
        if (child.exitCode !== null) throw new Error(`forward ended: ${said.join('')}`);
        return received.length >= 2;
      }, 45_000).catch((error: unknown) => {
        throw new Error(`${received.length} received, and forward says: ${said.join('')}`, { cause: error });
      });
    } finally {
      child.kill();
      server.close();
    }
    // Tasks of other tests may follow before it is ended.
    expect(received.slice(0, 2)).toEqual(['task.created', 'task.created']);
    expect((await fs(['events', 'tail', '--since', 'now'], own)).code).toBe(0);
    expect((await fs(['events', 'tail'], own)).stdout).toBe('');
  });

  test('manages webhooks', async () => {
    const created = await fs(
      ['webhooks', 'create', '--url', 'https://hooks.example.com/fs', '--kinds', 'task.*', '--json'],
      loggedIn(),
    );
    const { Id, Secret } = JSON.parse(created.stdout) as { Id: number; Secret: string };
    expect(Secret).toMatch(/^whsec_/);
    expect(JSON.parse((await fs(['webhook', 'list', '--json'], loggedIn())).stdout)).toEqual([
      expect.objectContaining({ Id, Kinds: ['task.*'] }),
    ]);
    expect((await fs(['webhook', 'update', String(Id), '--kinds', '*'], loggedIn())).stdout).toMatch(/Kinds .*\*/);
    expect((await fs(['webhook', 'pause', String(Id)], loggedIn())).stdout).toMatch(/Paused by/);
    expect((await fs(['webhook', 'resume', String(Id)], loggedIn())).stdout).toMatch(/0 calls that were kept are made/);
    expect((await fs(['webhook', 'rotate-secret', String(Id), '--json'], loggedIn())).stdout).not.toContain(Secret);
    expect((await fs(['webhook', 'delete', String(Id)], loggedIn())).stdout).toMatch(/is deleted/);
  });

  test('imports contacts with their mistakes by line, once, and downloads them', async () => {
    const own = await testAccount();
    const target = { FS_URL: testStack().BaseUrl, FS_KEY: own.key };
    const lines = Array.from({ length: 30 }, (_, index) => `Imported ${index},i${index}@example.com`);
    lines[3] = 'Wrong,nobody@';
    lines.push('Split,split@example.com,in two');
    writeFileSync(join(home, 'contacts.csv'), `Name,Email\n${lines.join('\n')}\n`);
    const first = await fs(['import', 'contacts.csv', '--organization', 'springfield', '--json'], target);
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toEqual({
      Lines: 31,
      Imported: 29,
      Errors: [
        expect.objectContaining({ Line: 5, Field: 'Email' }),
        { Line: 32, Field: '', Message: 'has 3 cells; the header has 2 columns' },
      ],
    });
    expect((await fs(['import', 'contacts.csv', '--organization', 'springfeld'], target)).stderr).toMatch(
      /Did you mean "Springfield"/,
    );
    expect((await fs(['import', 'contacts.csv', '--organization', '1'], target)).stdout).toMatch(
      /^contacts.csv:5: Email/,
    );
    const { stdout, code } = await fs(['download', 'contacts', '--out', 'all.csv', '--json'], target);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ Records: 29 })]);
    expect(readFileSync(join(home, 'all.csv'), 'utf8').split('\r\n')).toHaveLength(31);
    expect(statSync(join(home, 'all.csv')).mode & 0o777).toBe(0o600);
    const one = ['download', 'contacts', '--out', 'one.csv', '--organization', 'Springfield', '--json'];
    expect(JSON.parse((await fs(one, target)).stdout)).toMatchObject({ Records: 29 });
    expect((await fs(['import', 'company.yaml'], target)).stderr).toMatch(/Company files need the table/);
  });

  test('goes on with a download that was interrupted, in another run', async () => {
    const own = await testAccount();
    const Matches = Array.from({ length: 20 }, (_, index) => ({
      Name: `Row ${index}`,
      Email: `r${index}@example.com`,
    }));
    await own.call('contacts/addupdate', { Matches });
    const words = ['download', 'contacts', '--out', 'rows.csv', '--json'];
    const received: { readonly path: string; readonly range: string; readonly bytes: number }[] = [];
    let isBroken = true;
    // The API, and the bucket behind it, on a line that breaks in the middle of a file.
    const line = createServer(async (request, response) => {
      const to = request.headers['x-to'] ?? testStack().BaseUrl;
      const body = Buffer.concat((await request.toArray()) as Buffer[]);
      const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
      const isFile = request.method === 'GET';
      const url = isFile ? decodeURIComponent((request.url ?? '').slice(1)) : `${String(to)}${request.url}`;
      const answer = await fetch(url, {
        method: request.method ?? '',
        headers: headers as never,
        ...(isFile ? {} : { body }),
      });
      let content = Buffer.from(await answer.arrayBuffer());
      if (!isFile) {
        const text = content
          .toString()
          .replace(/"Url":"(http[^"]*)"/, (_all, file: string) => `"Url":"${here}/${encodeURIComponent(file)}"`);
        return void response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      }
      received.push({ path: url.split('?')[0] ?? '', range: request.headers.range ?? '', bytes: content.length });
      response.writeHead(answer.status, { 'content-length': content.length });
      if (!isBroken) return void response.end(content);
      content = content.subarray(0, 500);
      response.write(content, () => setTimeout(() => response.destroy(), 200));
    });
    await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening));
    const here = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
    const target = { FS_URL: here, FS_KEY: own.key };
    const child = spawn(process.execPath, [tool, ...words], { cwd: home, env: environment(target) });
    const part = join(home, 'rows.csv.part');
    await until(() => statSync(part, { throwIfNoEntry: false })?.size === 500, 20_000);
    child.kill('SIGKILL');
    await new Promise((ended) => child.on('close', ended));
    const before = received.length;
    isBroken = false;
    const { code, stdout, stderr } = await fs(words, target);
    line.close();
    line.closeAllConnections();
    expect([code, stderr]).toEqual([0, '']);
    const { Bytes, Records } = JSON.parse(stdout) as { Bytes: number; Records: number };
    expect([Records, readFileSync(join(home, 'rows.csv')).length]).toEqual([20, Bytes]);
    expect(received.slice(before)).toEqual([{ path: received[0]?.path, range: 'bytes=500-', bytes: Bytes - 500 }]);
    expect(readdirSync(home).filter((name) => name.startsWith('rows.csv'))).toEqual(['rows.csv']);
  });

  test.each([
    ['key', 'create', '--role', 'Office'],
    ['events', 'redrive'],
    ['account', 'list'],
  ])('says that %s %s needs the table', async (...words) => {
    expect(await fs(words, loggedIn())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^fs .* needs the table/),
    });
  });
});

describe('the tool of a checkout', () => {
  const elsewhere = async (words: readonly string[], more: Record<string, string>) => {
    const before = process.cwd();
    return await withEnvironment({ XDG_CONFIG_HOME: join(home, 'none'), ...more }, async () => {
      process.chdir(home);
      return await runTool(words).finally(() => process.chdir(before));
    });
  };

  test('calls the API where an address is all there is, and says what needs the table', async () => {
    expect((await elsewhere(['webhook', 'list'], loggedIn())).stdout).toBe('The account has no webhooks.\n');
    expect((await elsewhere(['key', 'list', '--account', 'x'], loggedIn())).stderr).toMatch(
      /^fs key list needs the table/,
    );
    expect((await elsewhere(['webhook', 'list'], {})).stderr).toMatch(/^No stack found/);
  });
});
