import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..', '..');
const tool = join(root, packageJson.bin.fs);

test('fs says its version in less than 0.3 s of processor time, since scripts ask for it', async () => {
  const timed = `TIMEFORMAT='%U %S'; time node ${tool} --version`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', timed]);
  expect(stdout).toMatch(/^field-service-api \d+\.\d+\.\d+\n$/);
  const seconds = stderr.trim().split(' ').map(Number);
  expect(seconds).toHaveLength(2);
  expect(seconds.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.3);
});
