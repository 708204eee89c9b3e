import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Ended, runTool, withEnvironment } from './cli.ts';
import { type TestAccount, testAccount, testStack } from './stack/stack.ts';

/** What `fs import --undo` reports as JSON. */
export interface UndoneRun {
  readonly Run: number;
  readonly DryRun: boolean;
  readonly Removed: Record<string, number>;
  readonly Restored: Record<string, number>;
  readonly KeptRefusals: number;
  readonly Left: readonly { Kind: string; Id: number; Name?: string; Why: string }[];
}

/** `fs import` in a folder of its own, for the tests of a file. */
export function importTool() {
  const folder = mkdtempSync(join(tmpdir(), 'import-runs-'));
  beforeAll(async () => {
    const { accountId: AccountId, organizationId: OrganizationId, key: ApiKey } = await testAccount();
    writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId, OrganizationId, ApiKey }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** A command on the table of the tests. */
  const run = (...words: readonly string[]): Promise<Ended> =>
    withEnvironment({ FS_DATA: folder }, () => runTool([...words]));

  /** `fs import` of an account; what it prints as JSON. */
  async function fs<Result>({ accountId }: TestAccount, ...words: readonly string[]): Promise<Result> {
    const { stdout, stderr } = await run('import', '--account', accountId, '--json', ...words);
    expect(stderr.replaceAll(/^.* s left\n/gm, '')).toBe('');
    return JSON.parse(stdout) as Result;
  }

  const undo = <Report = UndoneRun>(account: TestAccount, run: number, ...words: readonly string[]): Promise<Report> =>
    fs<Report>(account, '--undo', String(run), ...words);

  return { fileOf, fs, run, undo };
}
