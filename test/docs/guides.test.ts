import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventKinds } from '../../lib/resources/event-kinds.ts';
import { codeBlocks } from '../support/documents/pages.ts';
import { type StackProcess, running } from '../support/stack/process.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, 'docs/guides', name), 'utf8');
const shellOf = (name: string) =>
  codeBlocks(read(name))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);

let folder: string;
let stack: StackProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  stack = await running({ FS_DATA: folder, FS_DEMO: 'small' });
}, 180_000);
afterAll(async () => {
  await stack.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs a guide behind the helpers of the first one; returns what it prints. */
async function follow(name: string): Promise<string> {
  const [helpers = ''] = shellOf('first-call.md');
  const script = [helpers.split('\n\n')[0], ...shellOf(name)]
    .join('\n')
    .replaceAll('http://127.0.0.1:4000', stack.local.BaseUrl)
    .replaceAll('.local/', `${folder}/`);
  const env = { ...process.env, FS_DATA: folder };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env })).stdout;
}

/** The one needs files of other systems, and is tested with the import; the other has placeholders. */
const NOT_FOLLOWED = ['moving.md', 'welcome.md'];
const guides = readdirSync(join(root, 'docs/guides')).filter((name) => !NOT_FOLLOWED.includes(name));

test.each(guides)('%s does what it says on a local stack', { timeout: 60_000 }, async (name) => {
  expect(shellOf(name).length).toBeGreaterThan(0);
  const output = await follow(name);
  expect(output.trim()).not.toBe('');
  expect(output).not.toMatch(/"ResultCode":[1-9]/);
  expect(output).not.toMatch(/^undefined$/m);
});

test('webhooks.md lists every kind of event', () => {
  const listed = [...read('webhooks.md').matchAll(/^\| (\w+) +\| ([\w, ]+?) +\|$/gm)].flatMap(([, noun, kinds = '']) =>
    kinds.split(', ').map((kind) => `${noun}.${kind}`),
  );
  expect(listed.filter((kind) => kind !== 'record.kinds')).toEqual(Object.values(eventKinds).flat());
});
