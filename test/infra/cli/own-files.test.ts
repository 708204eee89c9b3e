import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeOutput } from '../../../infra/cli/output-file.ts';
import { createProgram } from '../../../infra/cli/program.ts';
import { momentText, pastMoment } from '../../../infra/cli/values.ts';
import { holdFolder } from '../../../infra/local/data-folder.ts';
import { runTool } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'own-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a file that a command writes is readable by its owner only', async () => {
  await writeOutput('text', { out: join(folder, 'out.json') });
  expect(modeOf(join(folder, 'out.json'))).toBe(0o600);
});

test('the data folder is its owner’s, also one that was open to others', async () => {
  const path = join(folder, 'data');
  mkdirSync(path, { mode: 0o755 });
  await holdFolder(path).stop();
  expect(modeOf(path)).toBe(0o700);
});

test('a time may be how long ago', () => {
  const now = Date.parse('2026-11-21T14:00:00Z');
  expect(momentText('1d', now)).toBe('2026-11-20T14:00:00.000Z');
  expect(momentText('2026-11-20', now)).toBe('2026-11-20');
  const past = pastMoment('90m').getTime();
  expect(Date.now() - past).toBeGreaterThanOrEqual(5_400_000);
});

test.each(['bash', 'zsh', 'fish'])('the completion of %s has every command and its options', async (shell) => {
  const { stdout } = await runTool(['completion', shell]);
  for (const command of (await createProgram()).commands) expect(stdout).toContain(command.name());
  for (const word of ['create', '--remove-signed', '--ignore-computed']) expect(stdout).toContain(word);
});
