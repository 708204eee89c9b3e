import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Command } from 'commander';
import { build } from 'esbuild';
import packageFile from '../../package.json' with { type: 'json' };
import { createProgram } from '../cli/program.ts';
import { apiTypes } from './api-types.ts';
import { type ApiDocument, operationTable } from './described-operations.ts';
import { exactDocument } from './exact-document.ts';
import { writePythonPackage } from './python-package.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'lib/client');

/** The client's class with the operations of the API, under the name that programs use. */
const entry = (document: ApiDocument): string =>
  "export * from './index.ts';\n" +
  "import { fieldServiceOf } from './field-service.ts';\n" +
  `export const FieldService = fieldServiceOf(${JSON.stringify(operationTable(document))});\n`;

const ENTRY_TYPES = `import type { FieldService as Client, FieldServiceClass } from './types/index.js';
export * from './types/index.js';
export declare const FieldService: FieldServiceClass;
export type FieldService = Client;
`;

const packageJson = {
  name: 'field-service-client',
  version: packageFile.version,
  description: 'Typed client of the field-service API, and the tool fs for a key and an address.',
  license: packageFile.license,
  type: 'module',
  sideEffects: false,
  engines: packageFile.engines,
  bin: { fs: './fs.js' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};

/** Every command of the tool by its words, with its description. */
const describedCommands = (command: Command, path: readonly string[] = []): [words: string, about: string][] =>
  command.commands.length
    ? command.commands.flatMap((each) => describedCommands(each, [...path, each.name()]))
    : [[path.join(' '), command.summary() || command.description()]];

/** The tool for people with an address and a key: without the table and the AWS SDK. */
async function writeTool(document: ApiDocument, folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'infra/cli/packaged.ts')],
    outfile: join(folder, 'fs.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    define: { ALL_COMMANDS: JSON.stringify(describedCommands(await createProgram())) },
    // The API's document is a file of the package (`imports` in package.json).
    conditions: ['packaged'],
  });
  await chmod(join(folder, 'fs.js'), 0o755);
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
}

/** Declarations of lib/client, whose api.d.ts has every type of the API. */
async function writeTypes(document: ApiDocument, folder: string): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const emit = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', folder, '--rootDir', source];
  const options = ['--ignoreConfig', '--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--strict'];
  const others = ['--exactOptionalPropertyTypes', '--allowImportingTsExtensions', '--skipLibCheck', '--stripInternal'];
  await promisify(execFile)(process.execPath, [tsc, ...options, ...others, ...emit, join(source, 'index.ts')], {
    cwd: root,
  });
  for (const file of await readdir(folder)) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  await writeFile(join(folder, 'api.d.ts'), apiTypes(document));
}

/** Builds the client's package in the folder, which it empties first. Returns its minified size in bytes. */
export async function buildClient(folder: string): Promise<number> {
  const document = exactDocument();
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'types'), { recursive: true });
  await build({
    stdin: { contents: entry(document), resolveDir: source, loader: 'ts' },
    outfile: join(folder, 'index.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    // Platform-neutral: the same file works in Node.js, browsers and workers.
    platform: 'neutral',
    target: 'es2022',
    // Node.js prints the line of an uncaught error.
    lineLimit: 120,
  });
  await writeTool(document, folder);
  await writeTypes(document, join(folder, 'types'));
  await writeFile(join(folder, 'index.d.ts'), ENTRY_TYPES);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  await cp(join(root, 'docs/client.md'), join(folder, 'README.md'));
  return (await readFile(join(folder, 'index.js'))).length;
}

/** `npm run client`, or `npm run client -- --python --out <folder>`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { python: { type: 'boolean', default: false }, out: { type: 'string' } } });
  const out = values.out ?? (values.python ? 'dist/python' : 'dist/client');
  if (values.python) {
    await writePythonPackage(resolve(out));
    console.log(`${out} is the package field-service-client. pip install ${out} installs it.`);
    return;
  }
  const bytes = (await buildClient(resolve(out))).toLocaleString('en-US');
  console.log(`${out} is the package, ${bytes} bytes of JavaScript. npm pack makes its file.`);
}

if (import.meta.main) await main();
