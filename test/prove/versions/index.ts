import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { groups } from '../../functions/index.ts';
import { freePort } from '../../infra/local/ports.ts';

const root = resolve(import.meta.dirname, '../..');
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });

/** The commit that dated the newest version of the changelog. */
async function releasedCommit(): Promise<{ version: string; commit: string }> {
  const [heading, version = ''] = /^## (\S+) - \d{4}/m.exec(await readFile(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (!heading) throw new Error('CHANGELOG.md has no dated version.');
  const [commit = ''] = git('log', '--format=%H', '--reverse', `-S## ${version} - `, '--', 'CHANGELOG.md').split('\n');
  return { version, commit };
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** `npm start` of a working tree on a data folder. */
async function start(tree: string, folder: string): Promise<Server> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), FS_DATA: folder, FS_DEMO: 'small' };
  const child = spawn(process.execPath, ['infra/start.ts'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await ready(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  // Read to its end: a server that cannot print ends.
  child.stdout?.on('data', (text) => String(text).includes('Ready: ') && done());
  child.once('exit', () => reject(new Error('npm start ended before it was ready.')));
  await promise;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Calls every operation that the server has with its example: those that change something first, then those that read.
 */
async function callAll({ url }: Server, folder: string): Promise<Map<string, Answer>> {
  const { ApiKey } = JSON.parse(await readFile(join(folder, 'local.json'), 'utf8')) as { ApiKey: string };
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object };
  const all = groups.flatMap(({ operations }) => operations.filter(({ name }) => Object.hasOwn(paths, `/api/${name}`)));
  const reads = all.filter(({ access }) => access === 'read');
  const answers = new Map<string, Answer>();
  for (const { name, example } of [...all.filter(({ access }) => access !== 'read'), ...reads]) {
    const headers = { 'content-type': 'application/json', 'x-api-key': ApiKey };
    const answer = await fetch(`${url}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(example) });
    answers.set(name, { status: answer.status, text: await answer.text() });
  }
  return answers;
}

/** Operations that fail, and reads that succeeded in the version before. */
function wrong(answers: ReadonlyMap<string, Answer>, before: ReadonlyMap<string, Answer> | undefined): string[] {
  const access = new Map(groups.flatMap(({ operations }) => operations.map((each) => [each.name, each.access])));
  return [...answers].flatMap(([name, { status, text }]) => {
    const wasRead = access.get(name) === 'read' && before?.get(name)?.status === 200;
    return status >= 500 || (wasRead && status !== 200) ? [`${name}: ${status} ${text.slice(0, 200)}`] : [];
  });
}

/**
 * What the last released version has stored is read and changed by this one, and the other way round, as in a
 * deployment that shifts calls and in one that is rolled back: both serve the same data folder in turn, and every
 * operation of every group is called with its example.
 */
export async function versions(): Promise<boolean> {
  const { version, commit } = await releasedCommit();
  const folder = await mkdtemp(join(tmpdir(), 'versions-'));
  const tree = join(folder, 'released');
  const data = join(folder, 'data');
  const failures: string[] = [];
  try {
    git('worktree', 'add', '--detach', tree, commit);
    // Its own packages: this version may have left or changed some of them.
    execFileSync('npm', ['ci', '--prefer-offline', '--prefix', tree], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let before: ReadonlyMap<string, Answer> | undefined;
    for (const [name, place] of [
      [version, tree],
      ['this version', root],
      [`${version} after a rollback`, tree],
      ['this version again', root],
    ] as const) {
      const server = await start(place, data);
      try {
        const answers = await callAll(server, data);
        const succeeded = [...answers.values()].filter(({ status }) => status === 200).length;
        process.stdout.write(`versions: ${name}: ${succeeded} of ${answers.size} examples succeed\n`);
        failures.push(...wrong(answers, before).map((line) => `${name}: ${line}`));
        before = answers;
      } finally {
        await server.stop();
      }
    }
  } finally {
    git('worktree', 'remove', '--force', tree);
    await rm(folder, { recursive: true, force: true });
  }
  for (const line of failures) process.stdout.write(`${line}\n`);
  process.stdout.write(failures.length ? '' : 'versions: each reads and changes what the other has written\n');
  return failures.length === 0;
}
