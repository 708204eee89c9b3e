import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SERVER_PLACEHOLDER } from '../../lib/api/http/assets.ts';
import { apiDocument } from '../openapi.ts';
import { guidesText, readGuides } from './guides.ts';
import { type Reference, llmsFull, llmsIndex } from './llms.ts';
import { loadScalar } from './scalar.ts';

/** `start` waits for the others, which are no modules: they share the browser's global object. */
const page = (scripts: readonly string[], start: string): string => `<!doctype html>
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
    <script src="/docs/${start}" type="module"></script>
  </body>
</html>
`;

/** A name that changes with the content, so that browsers keep the file for good. */
const hashedName = (name: string, content: string): string =>
  `${name}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`;

async function compress([name, content]: readonly [string, string]): Promise<readonly [string, Buffer]> {
  return [`${name}.gz`, await promisify(gzip)(content, { level: 9 })];
}

const DOCUMENT = 'openapi.json';

let document: Promise<readonly [name: string, content: Buffer]> | undefined;

const compressDocument = () =>
  (document ??= compress([DOCUMENT, JSON.stringify(apiDocument({ baseUrl: SERVER_PLACEHOLDER }))]));

/** Writes the OpenAPI document for the function `mcp`, which describes operations by it. */
export async function writeDocument(folder: string): Promise<void> {
  const [name, content] = await compressDocument();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
}

const script = (name: string, content: string) => [hashedName(name, content), content] as const;

async function build(): Promise<readonly (readonly [name: string, content: Buffer])[]> {
  const guides = readGuides();
  const reference = apiDocument() as Reference;
  const before = [
    script('scalar', await loadScalar()),
    // Scalar puts the headings of the description below this word.
    script('guides', `globalThis.guides = ${JSON.stringify(guidesText(guides, 'description/'))};`),
  ];
  const start = script('start', await readFile(join(import.meta.dirname, 'start.js'), 'utf8'));
  const files = [
    [
      'index.html',
      page(
        before.map(([name]) => name),
        start[0],
      ),
    ],
    ['llms.txt', llmsIndex(guides, reference)],
    ['llms-full.txt', llmsFull(guides, reference)],
    ...before,
    start,
  ] as const;
  return Promise.all([compressDocument(), ...files.map(compress)]);
}

let built: ReturnType<typeof build> | undefined;

/** Writes what the function `docs` serves: page, scripts, OpenAPI document and texts. Returns their bytes. */
export async function writeDocs(folder: string): Promise<number> {
  built ??= build();
  const files = await built;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
  return files.reduce((sum, [, content]) => sum + content.length, 0);
}
