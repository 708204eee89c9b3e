import { serviceAgentEntity } from '../../../lib/entities/service-agents.ts';
import { CURRENT_SCHEMA } from '../../../lib/store/accounts/schema.ts';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { lockFolder } from '../../../infra/folder-lock.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { findKey, parseKey } from '../../../lib/store/requests/api-keys.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { writeWebhookDisabled } from '../../../lib/store/events/webhooks.ts';
import {
  callbackKey,
  findCallbacks,
  listCallbacks,
  writeDead,
  writeRetry,
} from '../../../lib/store/events/callbacks.ts';
import { pausedReason } from '../../../lib/domain/callbacks/targets.ts';
import { appendEvents, listEvents } from '../../../lib/store/events/events.ts';
import { layout } from '../../../lib/store/keys.ts';
import { agentChanges } from '../../../lib/store/organizations/service-agents.ts';
import { parkRecord } from '../../../lib/workflows/parked-records.ts';
import { contactItem, someContact } from '../../support/contacts.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { startBucket } from '../../support/files.ts';
import { type Ended, runTool, withEnvironment } from '../../support/cli.ts';
import { until } from '../../support/stack/process.ts';
import { testStack } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const root = join(import.meta.dirname, '../../..');
/** What `npx fs` runs. */
const tool = join(root, packageJson.bin.fs);
let engine: TestTable;
let folder: string;

/** Runs the tool with no more of an environment than given. */
const run = (words: readonly string[], environment: Record<string, string> = { FS_DATA: folder }): Promise<Ended> =>
  withEnvironment(environment, () => runTool(words));

async function json<Answer = Record<string, unknown>>(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await run([...words, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Answer;
}

let account: string;

beforeAll(async () => {
  engine = await startTable();
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
  const stack = {
    AccountId: 'none',
    DynamoDBEndpoint: engine.endpoint,
    TableName: engine.tableName,
    Region: 'us-east-1',
  };
  await writeFile(join(folder, 'local.json'), JSON.stringify(stack));
  account = String((await json('account', 'create', '--name', 'Blue Sky'))['AccountId']);
  await writeFile(join(folder, 'local.json'), JSON.stringify({ ...stack, AccountId: account }));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await engine.stop();
});

describe('account', () => {
  test('is shown, suspended, and deleted with its name as confirmation', async () => {
    const id = String((await json('account', 'create', '--name', 'Short Lived'))['AccountId']);
    expect(await json('account', 'show', id, '--size')).toMatchObject({
      Organizations: 1,
      HighestIds: { Organization: 1 },
    });
    expect((await run(['account', 'suspend', id])).stdout).toContain('Short Lived is suspended');
    expect((await run(['key', 'create', '--account', id, '--role', 'Owner', '--name', 'x'])).stderr).toContain(
      'Resume',
    );
    const remove = (name: string) => run(['account', 'delete', id, '--yes', name]);
    expect((await remove('Short Lived')).stderr).toMatch(/Try again in \d+ seconds/);
    await openTable().update({ update: layout.account.key({ account: id }), set: { SuspendedAt: 1 } });
    expect((await remove('Wrong')).stderr).toContain('--yes "Short Lived"');
    expect((await remove('Short Lived')).stdout).toContain('Short Lived is deleted');
    expect(await openTable().get(layout.account.key({ account: id }))).toBeUndefined();
  });

  test('of another version is refused by what reads or changes its items, with what to do', async () => {
    const key = layout.account.key({ account });
    const commands = [
      ['check', '--repair', '--yes'],
      ['account', 'show', account],
      ['account', 'migrate', account],
    ];
    for (const schema of [CURRENT_SCHEMA + 1, CURRENT_SCHEMA - 1]) {
      await openTable().update({ update: key, set: { Schema: schema } });
      for (const command of commands) {
        const { code, stderr } = await run(command);
        expect([command[0], code, stderr]).toEqual([
          command[0],
          1,
          expect.stringContaining(`Account ${account} has schema ${schema}`) as string,
        ]);
      }
    }
    await openTable().update({ update: key, set: { Schema: CURRENT_SCHEMA } });
    expect(await json('account', 'migrate')).toContainEqual({
      AccountId: account,
      From: CURRENT_SCHEMA,
      To: CURRENT_SCHEMA,
      Items: 0,
    });
  });
});

describe('the command-line tool', () => {
  test('creates an account with its first organization', async () => {
    expect(await json('account', 'create', '--name', 'Red', '--time-zone', 'America/Denver')).toEqual({
      AccountId: expect.stringMatching(/^[0-9a-z]{12}$/) as string,
      Name: 'Red',
      OrganizationId: 1,
      OrganizationName: 'Red',
      TimeZone: 'America/Denver',
    });
  });

  test('creates a key of the local account that works, and shows it once', async () => {
    const made = await json<{ Key: string; Public: string }>(
      'key',
      'create',
      '--role',
      'Marketing',
      '--name',
      'Shop',
      '--organization',
      '1',
      '--expires',
      '2099-01-31',
      '--rate',
      '3',
      '--in-flight',
      '4',
      '--subscriber',
      'crm',
      '--date-style',
      'us',
      '--lenient',
      '--feed',
      'flat',
    );
    expect(made).toMatchObject({
      AccountId: account,
      OrganizationId: 1,
      Role: 'Marketing',
      ExpiresAt: '2099-02-01T00:00:00.000Z',
      Rate: 3,
      Burst: 6,
      InFlight: 4,
      Subscriber: 'crm',
      DateStyle: 'us',
      Lenient: true,
      Channel: '',
      Campaign: '',
      Feed: 'flat',
    });
    expect(await json('key', 'create', '--role', 'Office', '--name', 'Desk')).toMatchObject({ Rate: 50, InFlight: 25 });
    const parts = parseKey(made.Key);
    expect(parts && (await findKey(openTable(), parts))).toMatchObject({ Account: account, Name: 'Shop' });
    const list = await run(['key', 'list']);
    expect(list.stdout).toContain(made.Public);
    expect(list.stdout).not.toContain(made.Key);
  });

  test('lists parked changes, queues their events after a repair, and says what still fails', async () => {
    const files = await startBucket();
    const { AwsEndpoint } = testStack();
    const local = join(folder, 'local.json');
    const before = await readFile(local, 'utf8');
    const Bucket = process.env['BUCKET_NAME'];
    const services = { BaseUrl: 'http://127.0.0.1', AwsEndpoint, Bucket };
    await writeFile(local, JSON.stringify({ ...(JSON.parse(before) as object), ...services }));
    await engine.records();
    await openTable().commit([{ put: contactItem('parked', someContact(1)) }]);
    await openTable().commit([
      { put: { ...layout.contact.key({ account: 'parked', id: 2 }), E: 'Contact', Id: 2, V: 1 } },
    ]);
    for (const record of await engine.records())
      await parkRecord('event-queue', record, new Error('a bug'), new Date());
    const listed = await run(['events', 'redrive', '--list']);
    expect(listed.stdout.split('\n').filter((line) => line.includes('parked/event-queue/parked/'))).toHaveLength(2);
    expect(listed.stdout).toContain('a bug');
    const done = await run(['events', 'redrive', '--account', 'parked']);
    expect([done.code, done.stdout]).toEqual([1, expect.stringContaining('1 events or appointments queued, 1 files')]);
    const [left = '', ...more] = await files.list('');
    expect(more).toEqual([]);
    const { events } = await listEvents(accountStore(openTable(), 'parked'), 1, 2);
    expect(events).toHaveLength(1);

    const discard = ['events', 'redrive', '--file', left, '--discard', 'never had an account'];
    expect(await run(discard)).toMatchObject({ code: 1, stderr: expect.stringContaining('Confirm with --yes') });
    expect((await run([...discard.slice(0, 3), 'parked/none.json'])).stderr).toContain('No file parked/none.json');
    expect(await files.list('')).toEqual([left]);
    expect(await json(...discard, '--yes')).toEqual([{ File: left, Records: 1, Reason: 'never had an account' }]);
    expect((await run(['events', 'redrive', '--list'])).stdout).toBe('No parked changes.\n');
    const [given = '', ...others] = await files.list('');
    expect([given, others]).toEqual([`discarded/parked/${left.replaceAll('/', '-')}`, []]);
    expect(JSON.parse(await files.get(given))).toMatchObject({
      Reason: 'never had an account',
      File: left,
      Error: expect.stringContaining('Error'),
      Records: [{ dynamodb: { Keys: { PK: { S: 'A#parked#CONTACT#0000000002' } } } }],
    });
    await writeFile(local, before);
  });

  test('creates a key of a service agent, which a rotation keeps', async () => {
    const agent = serviceAgentEntity.blank({ Id: 7, OrganizationId: 1, Created: 0, Name: 'Ann' });
    await openTable().commit([agentChanges({ account }, undefined, agent).change]);
    const words = ['key', 'create', '--role', 'ServiceAgent', '--name', 'Phone', '--agent'];
    const made = await json<{ Key: string; Public: string }>(...words, '7');
    expect(made).toMatchObject({ OrganizationId: 1, AgentId: 7, Role: 'ServiceAgent' });
    expect(await json('key', 'rotate', made.Public)).toMatchObject({ OrganizationId: 1, AgentId: 7 });
    expect((await run([...words, '8'])).stderr).toContain('Service agent "8" not found');
    const office = ['key', 'create', '--role', 'Office', '--name', 'Desk', '--agent', '7'];
    expect((await run(office)).stderr).toContain('--agent needs --role ServiceAgent');
  });

  test('limits a key to operations, reading and addresses, also after its rotation, for a year by default', async () => {
    const words = ['key', 'create', '--role', 'Office', '--name', 'Web site'];
    const limits = [
      '--allow',
      'contacts/locate,Appointments/*',
      '--read-only',
      '--from',
      '203.0.113.0/24,2001:db8::/32',
    ];
    const made = await json<{ Public: string; ExpiresAt: string }>(...words, ...limits);
    const restrictions = {
      Allow: ['contacts/locate', 'appointments/*'],
      ReadOnly: true,
      From: ['203.0.113.0/24', '2001:db8::/32'],
    };
    expect(made).toMatchObject(restrictions);
    expect(Math.round((Date.parse(made.ExpiresAt) - Date.now()) / 86_400_000)).toBe(365);
    expect(await json('key', 'rotate', made.Public)).toMatchObject({ ...restrictions, ExpiresAt: made.ExpiresAt });
    expect(await json(...words, '--expires', 'never')).toMatchObject({ ExpiresAt: null, Allow: [], ReadOnly: false });
    const soon = await json(...words, '--expires', '40d');
    const { stdout } = await run(['key', 'list']);
    expect(stdout).toMatch(
      new RegExp(
        `Key ${soon.Public} ends on .*, in 40 days. Replace it: npx fs key rotate ${soon.Public} --expires never`,
      ),
    );
    expect(stdout).not.toContain(`Key ${made.Public} ends`);
    expect(stdout).toContain('read-only, contacts/locate, appointments/*, from 203.0.113.0/24');
    expect((await run([...words, '--allow', 'contacts/serch'])).stderr).toContain('is no operation and no group');
    expect((await run([...words, '--from', '203.0.113.0/99'])).stderr).toContain('Write it like 203.0.113.0/24');
  });

  test('rotates and revokes a key', async () => {
    const { Key, Public } = await json<{ Key: string; Public: string }>(
      'key',
      'create',
      '--role',
      'Owner',
      '--name',
      'Back office',
    );
    const next = await json<{ Public: string }>('key', 'rotate', Key, '--grace', '2h');
    expect(next).toMatchObject({
      Key: expect.stringMatching(/^fsk_/) as string,
      Replaces: Public,
      Role: 'Owner',
      Name: 'Back office',
    });
    expect(await json('key', 'revoke', Public)).toMatchObject({
      Public,
      RevokedAt: expect.any(String) as string,
      ReplacedBy: next.Public,
    });
    const states = await json<{ Public: string; State: string }[]>('key', 'list');
    expect(states.filter((key) => [Public, next.Public].includes(key.Public)).map(({ State }) => State)).toEqual([
      'revoked',
      'active',
    ]);
  });

  test('sets how long events stay readable, and messages are kept', async () => {
    expect(await json('account', 'retention', account, '--events', '7')).toMatchObject({ EventDays: 7 });
    expect(await openTable().get(layout.sequence.key({ account }))).toMatchObject({ RetentionDays: 7 });
    const set = await json('account', 'retention', account, '--messages', '90');
    expect(set).toMatchObject({ EventDays: 7, MessageDays: 90 });
    expect((await run(['account', 'retention', account, '--events', '91'])).stderr).toContain('from 1 to 90');
    expect((await run(['account', 'retention', 'nobody'])).stderr).toBe('Account nobody not found.\n');
  });

  test('shows recent events in order', async () => {
    const events = [1, 2, 3].map((id) => ({
      change: `change-${id}`,
      payload: JSON.stringify({ Kind: 'contact.created', Id: id, ContactId: id, Changed: ['Name'] }),
    }));
    await appendEvents(accountStore(openTable(), account), events, new Date(), Date.now() + 5_000);
    const { stdout } = await run(['events', 'tail', '--last', '2', '--json']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { Id: number }).Id),
    ).toEqual([2, 3]);
    expect((await run(['events', 'tail'])).stdout).toMatch(/^ +1 .* contact\.created +1 +Name\n/);
  });

  const commands: [words: string, code: number, sentence: string][] = [
    ['key create --role Owner --name x --organization 9', 1, 'Organization "9" not found'],
    ['key create --role Owner --name x --account nobody', 1, 'Account nobody not found.'],
    ['key revoke nothing', 1, 'has no key nothing'],
    ['key rotate nothing', 1, 'has no key nothing'],
    ['account create --name x --time-zone Mars/Olympus', 2, 'IANA name'],
  ];
  test.each(commands)('explains what is wrong with "%s" and exits with %i', async (words, code, sentence) => {
    const ended = await run(words.split(' '));
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) as string });
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test('explains how to name a stack when none is named, or none is found', async () => {
    const list = ['key', 'list', '--account', 'x'];
    const before = process.cwd();
    process.chdir(folder);
    const nowhere = await run(list, {}).finally(() => process.chdir(before));
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^No stack found\. .*FS_DATA.*TABLE_NAME.*\n$/) as string,
    });
    const aws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
    const absent = await run(list, { ...aws, TABLE_NAME: 'some-table', AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint });
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Table not found.*\n$/) as string });
  });
});

describe('the program', () => {
  test('ends quietly when its reader closes the pipe', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `node ${tool} --help | head -1; echo $?`]);
    expect([stdout, stderr]).toEqual(['Usage: fs <command> [options]\n0\n', '']);
  });

  test('reports a Node.js that is too old in one sentence', async () => {
    const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const ended = promisify(execFile)(process.execPath, ['--import', old, tool, '--help']);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^This is Node\.js 20\.20\.2; Node\.js 22\.18 or newer is needed: .*\n$/),
    });
  });
});

describe('payments', () => {
  test('are connected with keys of a file, shown without them, and disconnected', async () => {
    await writeFile(join(folder, 'payment-key'), 'k'.repeat(43));
    const keys = join(folder, 'keys.txt');
    const secrets = ['rk_live_0123456789abcd', 'whsec_0123456789abcd'];
    await writeFile(keys, secrets.join('\n'));
    const environment = { FS_DATA: folder, BASE_URL: 'https://api.example.com' };
    const payments = (...words: string[]) => run(['payments', ...words], environment);
    const address = `https://api.example.com/c/stripe/${account}-0`;
    expect((await payments('show')).stdout).toContain(address);
    const connected = await payments('connect', '--keys', keys);
    expect([connected.code, connected.stdout.includes('live')]).toEqual([0, true]);
    const shown = await payments('show', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject([{ Provider: 'Stripe', SecretKey: '…abcd', Webhook: address }]);
    const items = await openTable().query({ partition: layout.paymentProvider.of({ account }) });
    const seen = [connected.stdout, connected.stderr, shown.stdout, JSON.stringify(items)].join();
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    await writeFile(keys, 'pk_live_0123456789\nnone');
    expect((await payments('connect', '--keys', keys)).stderr).toMatch(/SecretKey must .* WebhookSecret must /);
    expect((await payments('connect', '--organization', '99', '--keys', keys)).stderr).toContain('not found');
    expect((await payments('disconnect')).code).toBe(0);
    expect((await payments('disconnect')).stderr).toContain('no payment provider');
  });
});

describe('webhook and callbacks', () => {
  test('a webhook is made with its secret, shown once, rotated and deleted', async () => {
    await writeFile(join(folder, 'callback-key'), 'k'.repeat(43));
    const create = ['webhook', 'create', '--url', 'http://127.0.0.1:3000/hook', '--kinds'];
    const made = await json(...create, 'appointment.*,payment.recorded');
    expect(made).toMatchObject({
      Kinds: ['appointment.*', 'payment.recorded'],
      Secret: expect.stringMatching(/^whsec_/),
    });
    const other = await json(...create, '*');
    const rotated = await json('webhook', 'rotate-secret', String(made['Id']), '--grace', '7d');
    const ofAccount = await json('webhook', 'rotate-secret');
    expect(new Set([made, other, rotated, ofAccount].map(({ Secret }) => Secret)).size).toBe(4);
    expect(await json<object[]>('webhook', 'list')).toHaveLength(2);
    expect(await json('webhook', 'delete', String(made['Id']))).toMatchObject({ Deleted: true });
    expect((await run(['webhook', 'delete', String(made['Id'])])).stderr).toContain('There is no webhook');
    const wrong = await run([...create, 'appointments.booked']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('There is no kind "appointments.booked"')]);
    const misspelt = await run([...create, 'appointment.bookd']);
    expect(misspelt.stderr).toContain('There is no kind "appointment.bookd". Did you mean "appointment.booked"?');
    const [left] = await json<{ Id: number }[]>('webhook', 'list');
    const table = openTable();
    await writeWebhookDisabled(accountStore(table, account), left?.Id ?? 0, { At: 1, Reason: 'HTTP 410' });
    expect(await json('webhook', 'list')).toMatchObject([{ DisabledReason: 'HTTP 410' }]);
    expect(await json('webhook', 'enable', String(left?.Id))).toMatchObject({ DisabledReason: '' });
    expect(await json('webhook', 'list')).toMatchObject([{ DisabledReason: '' }]);
    const updated = await json('webhook', 'update', String(left?.Id), '--kinds', 'task.*');
    expect(updated).toMatchObject({ Url: 'http://127.0.0.1:3000/hook', Kinds: ['task.*'] });
    const inner = ['webhook', 'create', '--url', 'https://169.254.169.254/', '--kinds', '*'];
    expect((await run(inner)).stderr).toContain('must have a host of the public internet');
  });

  test('callbacks are listed, shown with their event, and replayed when they were given up', async () => {
    const payload = JSON.stringify({ Kind: 'contact.created', Id: 7, TransactionKind: null });
    const calls = {
      kind: 'contact.created',
      targets: [{ target: 'webhook-9', address: 'https://hooks.example.com/' }],
    };
    const table = openTable();
    const event = { change: 'Contact.7.1', payload, calls };
    await appendEvents(accountStore(table, account), [event], new Date(), Date.now() + 5_000);
    const [listed] = await json<{ Id: string }[]>('webhook', 'calls');
    expect(listed).toMatchObject({ Kind: 'contact.created', State: 'waiting', Attempts: 0 });
    const id = String(listed?.Id);
    expect(id).toMatch(/^\d+-webhook-9$/);
    expect(await json('webhook', 'show-call', id)).toMatchObject({
      Event: { Payload: { Kind: 'contact.created', Id: 7 } },
    });
    expect(await json('webhook', 'replay', id)).toEqual({ Replayed: 1 });
    const [callback] = await findCallbacks(table, [callbackKey({ account }, Number(id.split('-')[0]), 'webhook-9')]);
    if (callback)
      await writeDead(
        accountStore(table, callback.Account),
        callback,
        { reason: 'HTTP 500', attempts: 10, payload },
        new Date(),
      );
    expect(await json('webhook', 'calls', '--dead')).toMatchObject([{ Id: id, State: 'dead', Reason: 'HTTP 500' }]);
    expect(await json('webhook', 'replay', '--dead')).toEqual({ Replayed: 1 });
    expect(await json('webhook', 'calls', '--dead')).toEqual([]);
    expect((await run(['webhook', 'show-call', '99-delivery'])).stderr).toContain('There is no call "99-delivery".');
  });

  test('a list of webhooks says whose calls fail, and a paused one is resumed with what it missed', async () => {
    const [webhook] = await json<{ Id: number }[]>('webhook', 'list');
    const [id, target] = [String(webhook?.Id), `webhook-${webhook?.Id}`];
    const table = openTable();
    const calls = { kind: 'task.created', targets: [{ target, address: 'https://hooks.example.com/' }] };
    const payload = JSON.stringify({ Kind: 'task.created', Id: 1, TransactionKind: null });
    const event = (number: number) => ({ change: `Task.1.${number}`, payload, calls });
    await appendEvents(accountStore(table, account), [1, 2, 3].map(event), new Date(), Date.now() + 5_000);
    const queued = (await listCallbacks(accountStore(table, account), { first: 1, last: 100 })).filter(
      (call) => call.Target === target,
    );
    const [kept, given, failing] = queued;
    if (!kept || !given || !failing) throw new Error('Events have queued no calls.');
    await writeDead(
      accountStore(table, kept.Account),
      kept,
      { reason: pausedReason(Number(id)), attempts: 0, payload },
      new Date(),
    );
    await writeDead(
      accountStore(table, given.Account),
      given,
      { reason: 'HTTP 500', attempts: 10, payload },
      new Date(),
    );
    await writeRetry(accountStore(table, failing.Account), failing, {
      at: Date.now(),
      reason: 'HTTP 503',
      attempts: 1,
      isListed: false,
    });
    const counts = { Failing: 1, GivenUp: 1, Kept: 1, LastFailure: 'HTTP 500' };
    expect(await json('webhook', 'list')).toMatchObject([{ DisabledAt: null, ...counts }]);
    expect(await json('webhook', 'pause', id)).toMatchObject({ DisabledReason: 'Paused by fs webhook pause.' });
    expect(await json('webhook', 'resume', id)).toMatchObject({ DisabledAt: null, Made: 1 });
    expect(await json('webhook', 'list')).toMatchObject([{ ...counts, Kept: 0 }]);
  });
});

describe('events forward', () => {
  /** Answers 500 to the first call of each event whose number is odd, and keeps those that it took, once verified. */
  async function receiver(secret: () => string): Promise<{ server: Server; url: string; taken: number[] }> {
    const taken: number[] = [];
    const tried = new Set<number>();
    const server = createServer(async (request, response) => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      const { Id } = new Webhook(secret()).verify(body, request.headers as Record<string, string>) as { Id: number };
      const isFirst = !tried.has(Id);
      tried.add(Id);
      if (isFirst && Id % 2) return void response.writeHead(500).end();
      taken.push(Id);
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, url: `http://localhost:${(server.address() as AddressInfo).port}/hook`, taken };
  }

  /** Runs until it has printed so many lines. */
  async function forward(id: string, url: string, lines: number) {
    const output = { out: '', errors: '' };
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const options = { env: { PATH, NODE_COMPILE_CACHE, FS_DATA: folder }, cwd: folder };
    const child = spawn(tool, ['events', 'forward', '--account', id, '--to', url], options);
    child.stdout.on('data', (data: Buffer) => (output.out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output.errors += data.toString()));
    await until(() => output.out.split('\n').length > lines, 20_000);
    child.kill();
    await once(child, 'exit');
    return output;
  }

  const append = (id: string, ids: readonly number[]) =>
    appendEvents(
      accountStore(openTable(), id),
      ids.map((each) => ({
        change: `Task.${each}.1`,
        payload: JSON.stringify({ Kind: 'task.created', Id: each, Changed: [] }),
      })),
      new Date(),
      Date.now() + 5_000,
    );

  test('posts every event signed, repeats it while the receiver fails, and goes on where it stopped', async () => {
    await writeFile(join(folder, 'callback-key'), 'k'.repeat(43));
    const id = String((await json('account', 'create', '--name', 'Forwarded'))['AccountId']);
    await append(id, [1, 2]);
    let secret = '';
    const { server, url, taken } = await receiver(() => secret);
    secret = String((await json('webhook', 'rotate-secret', '--account', id))['Secret']);
    const first = await forward(id, url, 2);
    expect(first.errors).toContain(`Event 1 is repeated until ${url} has it: HTTP 500.`);
    expect(first.out).toMatch(/^ +1 {2}task\.created +1 {2}204 +\d+ ms\n/);
    await append(id, [3]);
    const second = await forward(id, url, 1);
    expect(taken).toEqual([1, 2, 3]);
    expect(second.out.trim().split('\n')).toHaveLength(1);
    server.close();
  });

  test('refuses addresses of private networks', async () => {
    const { code, stderr } = await run(['events', 'forward', '--to', 'http://10.0.0.1/']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The address must begin with https://')]);
  });
});

describe('reset', () => {
  test('removes the data of a stopped stack after a confirmation, and nothing else', async () => {
    const data = join(folder, 'stack');
    await mkdir(join(data, 'aws'), { recursive: true });
    const files = ['local.json', 'callback-key', 'dynamodb.sqlite', 'dynamodb.sqlite-wal', 'stream-event-queue.json'];
    for (const file of [...files, 'aws/fauxqs.db', 'notes.txt']) await writeFile(join(data, file), '{}');
    const reset = (...words: string[]) => run(['reset', ...words], { FS_DATA: data });
    const unconfirmed = await reset();
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([
      1,
      expect.stringMatching(/^This removes all data .* --yes\.\n$/),
    ]);
    const lock = lockFolder(data);
    const running = await reset('--yes');
    expect([running.code, running.stderr]).toEqual([
      1,
      `The local stack in ${data} is running. Stop it first with Ctrl-C.\n`,
    ]);
    expect(await readdir(data)).toContain('dynamodb.sqlite');
    await lock?.stop();
    expect(await reset('--yes', '--json')).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(data)).toEqual(['notes.txt']);
    expect(await reset()).toMatchObject({ code: 0, stdout: `${data} holds no data of a local stack.\n` });
  });
});
