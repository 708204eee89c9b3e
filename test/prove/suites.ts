import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface FailedTest {
  /** Its file and its full name, or the file alone where that could not run. */
  readonly name: string;
  /** The first line. */
  readonly message: string;
}

export interface Results {
  /** That ran: without those that are skipped. */
  readonly total: number;
  /** By file and full name; tests of one name in one file are as many entries. */
  readonly passed: readonly string[];
  readonly failed: readonly FailedTest[];
}

/** What vitest writes. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The test files in folders of `test`. */
export async function testFilesIn(...folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for await (const name of glob(`test/{${folders.join(',')}}/**/*.test.ts`, { cwd: root })) files.push(name);
  return files;
}

/** Runs test files on a slow stack, in an environment of their own, and prints what fails as soon as a file is done. */
export async function runSuites(
  files: readonly string[],
  { environment, options = [] }: { environment: NodeJS.ProcessEnv; options?: readonly string[] },
): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), 'suites-'));
  const reportFile = join(folder, 'results.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const limits = ['--testTimeout=180000', '--hookTimeout=180000'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  try {
    const child = spawn(process.execPath, [vitest, 'run', ...files, ...options, ...limits, ...reporters], {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    });
    await once(child, 'exit');
    const text = await readFile(reportFile, 'utf8').catch(() => '');
    if (text) return resultsOf(JSON.parse(text) as TestReport);
    return { total: 0, passed: [], failed: [{ name: 'vitest', message: 'The run ended before its report.' }] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function resultsOf({ testResults }: TestReport): Results {
  const passed: string[] = [];
  const failed: FailedTest[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const failedBefore = failed.length;
    for (const test of assertionResults) {
      const testName = `${file}: ${test.fullName}`;
      if (test.status === 'passed') passed.push(testName);
      if (test.status === 'failed') failed.push({ name: testName, message: firstLine(test.failureMessages[0]) });
    }
    if (status === 'failed' && failed.length === failedBefore) failed.push({ name: file, message: firstLine(message) });
  }
  return { total: passed.length + failed.length, passed, failed };
}

const firstLine = (message = ''): string => message.split('\n')[0]?.slice(0, 300) ?? '';
