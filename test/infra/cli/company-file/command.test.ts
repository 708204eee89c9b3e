import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTool, withEnvironment } from '../../../support/cli.ts';
import { testAccount, testStack } from '../../../support/stack/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'company-'));
const at = (name: string) => join(folder, name);

/** Runs the tool on the account of the test's local.json, in its folder. */
const run = (...words: string[]) => withEnvironment({ FS_DATA: folder }, () => runTool(words));

const before = process.cwd();
beforeAll(async () => {
  process.chdir(folder);
  const { accountId } = await testAccount();
  writeFileSync(at('local.json'), JSON.stringify({ ...testStack(), AccountId: accountId }));
  writeFileSync(at('company.yaml'), 'taxRates: [{ name: Virginia, rate: 5.3 }]\ncancelReasons: [Weather, Rain]\n');
  writeFileSync(at('wrong.yaml'), 'taxRates: [{ name: Virginia, rat: 5.3 }]\n');
  writeFileSync(at('notes.txt'), '');
  writeFileSync(at('contacts.csv'), 'Name,Email\nAna,ana@example.com\nBen,nobody\n');
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

describe('import', () => {
  test('says in its help that it updates, and that nothing is removed', async () => {
    const { stdout } = await run('import', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Create and update records .* Nothing is ever removed/);
  });

  test('shows the changes, imports them, and reports no change the second time', async () => {
    const created = 'cancel reason Rain: created\ncancelReasons: no change\ntax rate Virginia: created\n';
    expect(await run('import', 'company.yaml', '--dry-run')).toEqual({
      code: 0,
      stdout: `${created}\n2 created, 0 updated, 1 unchanged. Nothing was written.\n`,
      stderr: '',
    });
    const { stdout } = await run('import', 'company.yaml');
    const undo = 'Run 1. For 30 days fs import --undo 1 takes it back.';
    expect(stdout).toBe(`${created}\n2 created, 0 updated, 1 unchanged.\n${undo}\n`);
    const again = JSON.parse((await run('import', 'company.yaml', '--json')).stdout) as { Rows: { Change: string }[] };
    expect(again.Rows.map(({ Change }) => Change)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  test('reports where a company file is invalid, and exits with 1', async () => {
    expect(await run('import', 'wrong.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'wrong.yaml:1:30: taxRates[0].rat is not a field; did you mean rate?\n' +
        'wrong.yaml has 1 error. Nothing was written.\n',
    });
    const { code, stdout } = await run('import', 'wrong.yaml', '--json');
    const Message = 'is not a field; did you mean rate?';
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        Error: 'wrong.yaml has 1 error. Nothing was written.',
        Errors: [{ File: 'wrong.yaml', Line: 1, Column: 30, Field: 'taxRates[0].rat', Message }],
      },
    ]);
    expect((await run('import', 'company.yaml', 'wrong.yaml')).stderr).toContain('wrong.yaml:1:30: taxRates[0].rat');
  });

  test('imports contacts, reports invalid lines, exits with 1, and continues where it ended', async () => {
    const first = await run('import', 'contacts.csv');
    expect(first).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^contacts\.csv:3: Email must be/) as string,
    });
    expect(first.stdout).toMatch(/Created +1\n/);
    expect((await run('import', 'contacts.csv', '--json')).stdout).toContain('"Skipped": 1');
  });

  const sentences: readonly (readonly [string, string])[] = [
    ['import notes.txt', 'notes.txt is not supported. Use a company file (.yaml) or contacts (.csv).\n'],
    ['import company.yaml --account nobody', 'Account nobody not found.\n'],
    [
      'import contacts.csv --organization Nowhere',
      'Organization "Nowhere" not found. Use the name, location id or id of an organization.\n',
    ],
  ];
  test.each(sentences)('%s fails with one sentence', async (words, sentence) => {
    expect(await run(...words.split(' '))).toEqual({ code: 1, stdout: '', stderr: sentence });
  });
});

test('export writes a file whose import changes nothing', async () => {
  expect(await run('export', '--out', 'out.yaml')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run('export', '--out', 'out.yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'out.yaml exists and is replaced. Confirm with --force.\n',
  });
  expect(await run('export', '--out', 'out.yaml', '--force')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run('export', '--out', '.', '--force')).toEqual({ code: 1, stdout: '', stderr: '. is a folder.\n' });
  expect((await run('export')).stdout).toBe(readFileSync(at('out.yaml'), 'utf8'));
  expect((await run('import', 'out.yaml')).stdout).toContain('0 created, 0 updated,');
});
