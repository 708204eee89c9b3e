import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('what messages say needs no schema: zod is not in its bundle', async () => {
  const { metafile } = await build({
    entryPoints: ['email', 'text'].map((name) => join(root, `lib/messages/${name}.ts`)),
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
  });
  const packages = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(packages.filter(Boolean))].sort()).toEqual(['@handlebars/parser', 'lru-cache']);
});
