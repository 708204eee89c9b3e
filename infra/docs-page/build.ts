import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { SERVER_PLACEHOLDER } from '../../lib/api/http/assets.ts';
import { apiDocument } from '../openapi.ts';
import { guidesText, readGuides } from './guides.ts';
import { type Reference, llmsFull, llmsIndex } from './llms.ts';
import { loadScalar } from './scalar.ts';

/** Scalar leaves the height free that its variable sets. */
const HEADER_STYLE = `
  :root { --scalar-custom-header-height: 48px; color-scheme: light dark; }
  body { margin: 0; }
  .bar { position: sticky; top: 0; z-index: 1000; height: 48px; box-sizing: border-box; padding: 6px 12px;
    background: light-dark(#fff, #0f0f0f); border-bottom: 1px solid light-dark(#ddd, #333);
    font: 14px/1.4 system-ui, sans-serif; color: light-dark(#1b1b1b, #eee); }
  form { position: relative; max-width: 560px; margin: 0 auto; }
  #search { width: 100%; height: 36px; box-sizing: border-box; padding: 0 10px; font: inherit; font-size: 16px;
    border: 1px solid light-dark(#767676, #8a8a8a); border-radius: 6px; background: inherit; color: inherit; }
  #search::placeholder { color: light-dark(#666, #aaa); opacity: 1; }
  #found { position: absolute; top: 40px; left: 0; right: 0; padding: 6px; border-radius: 6px;
    background: light-dark(#fff, #1a1a1a); border: 1px solid light-dark(#ccc, #444); box-shadow: 0 6px 20px #0003; }
  #found[hidden] { display: none; }
  #found a { display: block; padding: 6px 8px; border-radius: 4px; color: inherit; text-decoration: none; }
  #found a:is(:hover, :focus) { background: light-dark(#eef3ff, #2a2f3a); }
  #found small { display: block; color: light-dark(#5c5c5c, #aaa); overflow-wrap: anywhere; }
`;

/** `start` waits for the other scripts, which are no modules and share the browser's global object. */
const page = (scripts: readonly string[], start: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Field-service API</title>
    <link rel="icon" href="data:," />
    <style>${HEADER_STYLE}</style>
  </head>
  <body>
    <div class="bar">
      <form role="search">
        <input id="search" type="search" placeholder="Search guides and operations" autocomplete="off"
          aria-label="Search guides and operations" />
        <nav id="found" aria-label="Found" hidden></nav>
      </form>
    </div>
    <div id="reference"></div>
    ${scripts.map((name) => `<script src="/docs/${name}" defer></script>`).join('\n    ')}
    <script src="/docs/${start}" type="module"></script>
  </body>
</html>
`;

/** A name that changes with the content, so that browsers can cache the file permanently. */
const hashedName = (name: string, content: string): string =>
  `${name}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`;

async function compress([name, content]: readonly [string, string]): Promise<readonly [string, Buffer]> {
  return [`${name}.gz`, await promisify(gzip)(content, { level: 9 })];
}

const DOCUMENT = 'openapi.json';

let document: Promise<readonly [name: string, content: Buffer]> | undefined;

const compressDocument = () =>
  (document ??= compress([DOCUMENT, JSON.stringify(apiDocument({ baseUrl: SERVER_PLACEHOLDER }))]));

/** Writes the OpenAPI document for the function `mcp`, which describes operations with it. */
export async function writeDocument(folder: string): Promise<void> {
  const [name, content] = await compressDocument();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
}

const script = (name: string, content: string) => [hashedName(name, content), content] as const;

/** The code of the page, bundled as one module. */
async function bundleStart(): Promise<string> {
  const { outputFiles } = await bundle({
    entryPoints: [join(import.meta.dirname, 'start.js')],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles.map(({ text }) => text).join('');
}

async function build(): Promise<readonly (readonly [name: string, content: Buffer])[]> {
  const guides = readGuides();
  const reference = apiDocument() as Reference;
  const before = [
    script('scalar', await loadScalar()),
    // Scalar puts the headings of the description below this word.
    script('guides', `globalThis.guides = ${JSON.stringify(guidesText(guides, 'description/'))};`),
  ];
  const start = script('start', await bundleStart());
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
