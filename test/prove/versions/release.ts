import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Access } from '../../../lib/api/operation.ts';
import { namesOn } from '../deployed-stack.ts';
import { type Deployment, readDeployment } from '../deployment.ts';

const root = resolve(import.meta.dirname, '../../..');
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'field-service-api');

/** What the proof calls. */
export interface Example {
  readonly name: string;
  readonly access: Access;
  readonly example: object;
}

/** A version that was released. */
export interface Release {
  readonly version: string;
  /** Its tree, with the packages of its lockfile. */
  readonly sources: string;
  /** Its template and bundles, as it deploys them. */
  readonly deployed: string;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });

/** The newest dated version of the changelog: its tag, or else the commit that dated it. */
async function findRelease(): Promise<{ readonly version: string; readonly commit: string }> {
  const [heading, version = ''] = /^## (\S+) - \d{4}/m.exec(await readFile(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (!heading) throw new Error('CHANGELOG.md has no dated version.');
  const [tag] = git('tag', '--list', `v${version}`).split('\n');
  const dating = git('log', '--format=%H', '--reverse', `-S## ${version} - `, '--', 'CHANGELOG.md').split('\n');
  return { version, commit: tag ? git('rev-list', '-n', '1', tag).trim() : (dating[0] ?? '') };
}

/** The last release, made once a commit in the cache folder of the user by its own `npm ci` and `npm run synth`. */
export async function makeRelease(): Promise<Release> {
  const { version, commit } = await findRelease();
  const folder = join(CACHE, `release-${commit.slice(0, 12)}`);
  const release = { version, sources: join(folder, 'sources'), deployed: join(folder, 'deployed') };
  if (existsSync(release.deployed)) return release;
  process.stdout.write(`versions: make ${version} in ${folder}\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(release.sources, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', release.sources], { input: archive });
  const npm = (...words: readonly string[]) =>
    execFileSync('npm', words, { cwd: release.sources, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('ci', '--prefer-offline');
  const unfinished = `${release.deployed}.new`;
  npm('run', 'synth', '--', '--output', unfinished);
  await rename(unfinished, release.deployed);
  return release;
}

/** What the release deploys on a stack with this address. */
export async function deploymentOf({ deployed }: Release, baseUrl: string): Promise<Deployment> {
  const file = (await readdir(deployed)).find((name) => name.endsWith('.template.json')) ?? '';
  const template = JSON.parse(await readFile(join(deployed, file), 'utf8')) as object;
  return readDeployment(template, deployed, namesOn(baseUrl));
}

const PRINT_EXAMPLES = `
  const { groups } = await import('./functions/index.ts');
  const operations = groups.flatMap(({ operations }) => operations);
  console.log(JSON.stringify(operations.map(({ name, access, example }) => ({ name, access, example }))));
`;

/** The operations of the release with the examples of its own document. */
export const examplesOf = ({ sources }: Release): readonly Example[] =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', PRINT_EXAMPLES], {
      cwd: sources,
      encoding: 'utf8',
    }),
  ) as readonly Example[];
