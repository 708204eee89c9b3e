import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SERVER_PLACEHOLDER } from '../../lib/api/http/assets.ts';
import { apiDocument } from '../openapi.ts';
import { loadScalar } from './scalar.ts';

const page = (scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Field-service API</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    ${scripts.map((name) => `<script src="/docs/${name}" defer></script>`).join('\n    ')}
  </body>
</html>
`;

/** A name that changes with the content, so that browsers keep the file for good. */
const hashedName = (name: string, content: string): string =>
  `${name}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`;

async function compress([name, content]: readonly [string, string]): Promise<readonly [string, Buffer]> {
  return [`${name}.gz`, await promisify(gzip)(content, { level: 9 })];
}

async function build(): Promise<readonly (readonly [name: string, content: Buffer])[]> {
  const scripts = { scalar: await loadScalar(), start: await readFile(join(import.meta.dirname, 'start.js'), 'utf8') };
  const scriptFiles = Object.entries(scripts).map(([name, content]) => [hashedName(name, content), content] as const);
  const files = [
    ['openapi.json', JSON.stringify(apiDocument({ baseUrl: SERVER_PLACEHOLDER }))],
    ['index.html', page(scriptFiles.map(([name]) => name))],
    ...scriptFiles,
  ] as const;
  return Promise.all(files.map(compress));
}

let built: ReturnType<typeof build> | undefined;

/** Writes what the function `docs` serves: the page, its scripts and the OpenAPI document. Returns their bytes. */
export async function writeDocs(folder: string): Promise<number> {
  built ??= build();
  const files = await built;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
  return files.reduce((sum, [, content]) => sum + content.length, 0);
}
