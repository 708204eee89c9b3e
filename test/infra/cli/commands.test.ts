import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../infra/cli/program.ts';
import { type Ended, runTool, withEnvironment } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
const at = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(at('company.yaml'), 'company: A\n');
  writeFileSync(at('contacts.csv'), 'Name\n');
  writeFileSync(at('log.txt'), 'nothing\n');
  writeFileSync(at('callback-key'), 'k'.repeat(43));
  writeFileSync(at('payment-key'), 'k'.repeat(43));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What each command needs at least; of the last ones no table. */
const commands: readonly (readonly [name: string, ...words: string[]])[] = [
  ['account create', '--name', 'x'],
  ['account list'],
  ['account show', 'x'],
  ['account suspend', 'x'],
  ['account resume', 'x'],
  ['account delete', 'x'],
  ['account retention', 'x'],
  ['account migrate', 'x'],
  ['key create', '--account', 'x', '--role', 'Owner', '--name', 'x'],
  ['key list', '--account', 'x'],
  ['key rotate', '--account', 'x', 'x'],
  ['key revoke', '--account', 'x', 'x'],
  ['import', '--account', 'x', at('company.yaml')],
  ['export', '--account', 'x'],
  ['download', '--account', 'x', 'contacts', '--out', at('out.csv')],
  ['contact export', '--account', 'x', '1'],
  ['contact duplicates', '--account', 'x'],
  ['contact merge', '--account', 'x', '2', '1', '--yes'],
  ['contact unmerge', '--account', 'x', '2'],
  ['contact erase', '--account', 'x', '1', '--yes'],
  ['phone-calls list', '--account', 'x'],
  ['phone-calls show', '--account', 'x', '1'],
  ['proposal verify', '--account', 'x', '1'],
  ['proposal evidence', '--account', 'x', '1'],
  ['links show', '--account', 'x', 'proposal', '1'],
  ['links revoke', '--account', 'x', 'proposal', '1'],
  ['bookings list', '--account', 'x', '--since', '1h'],
  ['bookings undo', '--account', 'x', '--since', '1h', '--all'],
  ['agents calendars', '--account', 'x'],
  ['agents leave', '--account', 'x', 'Ann', '--date', '2035-03-06'],
  ['payments connect', '--account', 'x', '--keys', at('log.txt')],
  ['payments show', '--account', 'x'],
  ['payments disconnect', '--account', 'x'],
  ['leads create', '--account', 'x', '--organization', '1', '--name', 'x'],
  ['leads list', '--account', 'x'],
  ['leads revoke', '--account', 'x', '1'],
  ['leads test', '--account', 'x', '1'],
  ['messages settings', '--account', 'x'],
  ['events tail', '--account', 'x'],
  ['events forward', '--account', 'x', '--to', 'http://localhost:1/'],
  ['events redrive'],
  ['events rebuild', '--since', '2026-01-01'],
  ['webhook create', '--account', 'x', '--url', 'https://hooks.example.com/', '--kinds', '*'],
  ['webhook list', '--account', 'x'],
  ['webhook update', '--account', 'x', '1', '--kinds', '*'],
  ['webhook test', '--account', 'x', '1'],
  ['webhook delete', '--account', 'x', '1'],
  ['webhook enable', '--account', 'x', '1'],
  ['webhook pause', '--account', 'x', '1'],
  ['webhook resume', '--account', 'x', '1'],
  ['webhook rotate-secret', '--account', 'x'],
  ['webhook calls', '--account', 'x'],
  ['webhook show-call', '--account', 'x', '1-notification'],
  ['webhook replay', '--account', 'x', '1-notification'],
  ['audit export', '--account', 'x', '--from', '2026-01-01'],
  ['audit fields', '--account', 'x'],
  ['check'],
  ['user check', '--account', 'x'],
];
const withoutTable: typeof commands = [
  ['audit verify', at('log.txt')],
  ['events trigger', 'task.created'],
  ['preflight', 'production'],
  ['messages connect', 'production'],
  ['messages show', 'production'],
  ['messages test', 'ann@example.com', '--stage', 'production'],
  ['reset'],
  ['completion', 'bash'],
];
/** They call an API over HTTP, and use no table. */
const overHttp: typeof commands = [
  ['login', '--url', 'http://127.0.0.1:9'],
  ['logout', '--profile', 'none'],
  ['status', '--profile', 'none'],
  ['today', '--profile', 'none'],
  ['client', '--profile', 'none', 'x'],
  ['book', '--profile', 'none', '--client', 'x', '--service', 'x'],
  ['move', '--profile', 'none', '1'],
  ['dayplan', '--profile', 'none'],
  ['owes', '--profile', 'none'],
  ['open', '--profile', 'none'],
  ['whoami', '--profile', 'none'],
  ['api', 'test/echo'],
  ['docs'],
];
const all = [...commands, ...withoutTable, ...overHttp];

const leaves = (command: Command): Command[] =>
  command.commands.length ? command.commands.flatMap(leaves) : [command];
const nameOf = (command: Command): string =>
  [command.parent?.parent ? command.parent.name() : '', command.name()].join(' ').trim();
const program = await createProgram();
const hasJson = new Set(
  leaves(program).flatMap((command) => (command.options.some(({ long }) => long === '--json') ? nameOf(command) : [])),
);

const run = ([name, ...words]: (typeof commands)[number], ...more: string[]) =>
  runTool([...name.split(' '), ...words, ...more]);

const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
/** A deployed stack that does not answer. */
const AWAY = 'http://127.0.0.1:9';
const away = {
  ...credentials,
  TABLE_NAME: 'some-table',
  BUCKET_NAME: 'some-bucket',
  BASE_URL: AWAY,
  CALLBACK_KEY_SECRET: 'some-secret',
  AWS_ENDPOINT_URL_DYNAMODB: AWAY,
  AWS_ENDPOINT_URL_S3: AWAY,
};

/** Runs commands at the same time, with `--json` where they have it. */
const runAll = (list: typeof commands, environment: Record<string, string>) =>
  withEnvironment(environment, () =>
    Promise.all(
      list.map(async (command) => ({
        name: command[0],
        ended: await run(command, ...(hasJson.has(command[0]) ? ['--json'] : [])),
      })),
    ),
  );

/** A failure with 1 and one sentence, which is the only JSON document on standard output too. */
function expectFailure(name: string, { code, stdout, stderr }: Ended, sentence: RegExp): void {
  expect([code, stderr], name).toEqual([1, expect.stringMatching(sentence)]);
  const Error = stderr.trimEnd();
  expect(hasJson.has(name) ? JSON.parse(stdout) : stdout, name).toEqual(hasJson.has(name) ? { Error } : '');
}

describe('every command', () => {
  test('is in the list of this file', () => {
    expect(all.map(([name]) => name).sort()).toEqual(leaves(program).map(nameOf).sort());
    expect(all.map(([name]) => name).filter((name) => !hasJson.has(name))).toEqual([
      'export',
      'proposal evidence',
      'audit export',
      'completion',
      'api',
      'docs',
    ]);
  });

  test('refuses an unknown option with 2 and the nearest one, and does nothing', async () => {
    for (const command of all) {
      const { code, stdout, stderr } = await run(command, '--hlp');
      expect([code, stdout, stderr], command[0]).toEqual([2, '', 'There is no option --hlp. Did you mean --help?\n']);
    }
  });

  test('refuses to run without a local stack, with 1 and the sentence that names it', async () => {
    const list = [...commands, ...withoutTable.filter(([name]) => name === 'events trigger')];
    for (const { name, ended } of await runAll(list, { FS_DATA: at('nowhere') }))
      expectFailure(
        name,
        ended,
        /^No local stack at FS_DATA=.*nowhere\. Start one with npm start and the same FS_DATA\.\n$/,
      );
  });

  test('ends with 1 and one sentence when the stack does not answer', async () => {
    for (const { name, ended } of await runAll(commands, away))
      expectFailure(name, ended, /^The (table|server at 127\.0\.0\.1:9) does not answer\. [^\n]+\n$/);
    const local = { AccountId: 'x', ApiKey: 'x', DynamoDBEndpoint: AWAY, TableName: 't', Region: 'r', BaseUrl: AWAY };
    writeFileSync(at('local.json'), JSON.stringify(local));
    const [list, trigger] = await runAll([['key list'], ['events trigger', 'task.created']], { FS_DATA: folder });
    if (list)
      expectFailure(list.name, list.ended, /^The local stack in .* does not answer\. Start it with npm start, /);
    if (trigger) expectFailure(trigger.name, trigger.ended, /^No answer at http:\/\/127\.0\.0\.1:9\. /);
  });

  test('has help with a line about each option, and an example where it takes more than a name', async () => {
    for (const [name] of all) {
      const { code, stdout, stderr } = await run([name], '--help');
      expect([code, stderr, stdout.startsWith(`Usage: fs ${name} `)], name).toEqual([0, '', true]);
    }
  });
});

describe('a command', () => {
  const failures: readonly (readonly [words: string, code: number, sentence: string])[] = [
    ['acount', 2, 'There is no command acount. Did you mean account?\n'],
    ['zzz', 2, 'There is no command zzz. --help lists them.\n'],
    ['key zzz', 2, 'There is no command zzz. --help lists them.\n'],
    ['webhook zzz', 2, 'There is no command zzz. --help lists them.\n'],
    ['key lst', 2, 'There is no command lst. Did you mean list?\n'],
    ['key create --role Ownr --name x', 2, 'Did you mean "Owner"?\n'],
    ['key create --role Owner', 2, 'The option --name <name> is required.\n'],
    ['api', 2, 'Name the <operation>.\n'],
    ['login --url', 2, 'The option --url needs a value.\n'],
    ['events tail --since noon', 2, '--since cannot be "noon". It must be now, or the id of an event.\n'],
    ['completion basj', 2, '<shell> cannot be "basj". Allowed choices are bash, zsh, fish.\n'],
    [
      'leads create --organization 1 --name x --thanks /thanks',
      2,
      '--thanks cannot be "/thanks". It must be a page such as https://example.com/thanks.\n',
    ],
    [
      'leads create --organization 1 --name x --site https://example.com --site example.com',
      2,
      '--site cannot be "example.com". It must be an origin such as https://example.com, without a path.\n',
    ],
    ['docs a b', 2, 'These are too many arguments. Expected 1 argument but got 2: a, b.\n'],
    ['download contact --out x.csv', 2, 'Did you mean "contacts"?\n'],
    ['download contacts --out x.csv --format xml', 2, 'It must be csv or jsonl.\n'],
    ['events tail --last many', 2, 'It must be a whole number from 1 to 10000.\n'],
    ['account create', 2, 'Name the company with --name, or create the demo company with --demo.\n'],
    ['account create --demo --time-zone America/Denver', 2, 'Leave out --time-zone.\n'],
    ['webhook replay', 2, 'Name one call, or all that were given up with --dead.\n'],
    ['import company.yaml contacts.csv', 1, 'File company.yaml not found.\n'],
    ['import FOLDER/company.yaml FOLDER/contacts.csv', 2, 'Import contacts by themselves, one file at a time.\n'],
    ['import nothing.yaml', 1, 'File nothing.yaml not found.\n'],
    ['import FOLDER', 1, 'FOLDER is a folder.\n'],
    ['proposal verify FOLDER', 1, 'FOLDER is a folder.\n'],
    ['download contacts --out /nowhere/x.csv', 1, 'The folder /nowhere does not exist.\n'],
    ['download contacts --out FOLDER', 1, 'FOLDER is a folder.\n'],
    ['download contacts --out FOLDER/log.txt/x.csv', 1, 'The folder FOLDER/log.txt does not exist.\n'],
    ['download contacts --out FOLDER/log.txt', 1, 'FOLDER/log.txt exists and is replaced. Confirm with --force.\n'],
  ];
  test.each(failures)('%s: exits with %i and one sentence', async (words, code, sentence) => {
    const inFolder = (text: string) => text.replaceAll('FOLDER', folder);
    const ended = await withEnvironment(away, () => runTool(inFolder(words).split(' ')));
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr.endsWith(inFolder(sentence)), ended.stderr).toBe(true);
    expect(ended.stderr).not.toMatch(/\bE[A-Z]{4,}\b|^\s+at /m);
  });

  test('prints wrong usage as one JSON document too', async () => {
    const { code, stdout } = await runTool(['key', 'list', '--acount', 'x', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([2, { Error: 'There is no option --acount. Did you mean --account?' }]);
    expect(JSON.parse((await runTool(['key', '--json'])).stdout)).toHaveProperty('Error');
  });

  test('without a name lists all commands in groups, where it connects and what its exit codes mean', async () => {
    const { code, stdout } = await runTool(['--help']);
    expect(code).toBe(0);
    const headings = [
      'Accounts and keys:',
      'Data:',
      'Events:',
      'Operations:',
      'Examples:',
      'Where it connects:',
      'Exit codes:',
    ];
    expect(headings.filter((heading) => !stdout.includes(`\n${heading}\n`))).toEqual([]);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect((await runTool([])).code).toBe(2);
  });
});
