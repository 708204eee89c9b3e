import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../infra/client/build.ts';

const run = promisify(execFile);

/** A folder outside of the checkout where the package of the client is installed. */
export interface ClientFolder {
  readonly folder: string;
  /** Bytes of JavaScript. */
  readonly size: number;
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** What tsc finds wrong with the files, strictly; `''` if nothing. */
  typeErrors(files: readonly string[], options?: readonly string[]): Promise<string>;
  run(file: string, environment?: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

const STRICT = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --ignoreConfig';
const MODERN = '--target es2024 --module nodenext --allowImportingTsExtensions';

export async function installClient(): Promise<ClientFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const installed = join(folder, 'node_modules/field-service-client');
  await mkdir(installed, { recursive: true });
  const size = await buildClient(installed);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const node = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
  return {
    folder,
    size,
    write: (name, content) => writeFile(join(folder, name), content),
    typeErrors: (files, options = node) =>
      run(resolve('node_modules/.bin/tsc'), [...`${STRICT} ${MODERN}`.split(' '), ...options, ...files], {
        cwd: folder,
      }).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      ),
    run: async (file, environment = {}) =>
      (await run(process.execPath, [file], { cwd: folder, env: { ...process.env, ...environment } })).stdout,
    remove: () => rm(folder, { recursive: true }),
  };
}
