import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BuildOptions, type BuildResult, build } from 'esbuild';
import { groups } from '../../functions/index.ts';
import { fontFiles } from '../../lib/pages/pdf/fonts.ts';
import { writeDocs, writeDocument } from '../docs-page/build.ts';
import { queueNames, scheduledWorkerNames, streamWorkerNames } from '../../functions/workers/index.ts';

const root = resolve(import.meta.dirname, '../..');

/** The bundle's folder under `dist/`; for a group, its name. */
export type BundleName = string;

/** The file of each function's handler. */
export const entries: Readonly<Record<BundleName, string>> = {
  ...Object.fromEntries(groups.map(({ name }) => [name, `functions/${name}/index.ts`])),
  fallback: 'functions/fallback/index.ts',
  ...Object.fromEntries(
    [...streamWorkerNames, ...queueNames, ...scheduledWorkerNames, 'canary', 'first-call', 'origin-check'].map(
      (name) => [`workers/${name}`, `functions/workers/${name}.ts`],
    ),
  ),
};

/** docs/decisions/0004-bundles.md gives the reasons. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // pdfkit's CommonJS build: that for ES modules needs `import.meta.url`, which CommonJS lacks. It requires fontkit's
  // CommonJS build; otherwise the bundle would contain two.
  alias: { pdfkit: './node_modules/pdfkit/js/pdfkit.js', fontkit: './node_modules/fontkit/dist/main.cjs' },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
} satisfies BuildOptions;

/** The file of a bundle, which is deployed with the files next to it. */
export const bundleFile = (folder: string, name: BundleName): string => join(folder, name, 'index.js');

/**
 * Bundles every function as `<folder>/<name>/index.js`. The same sources give the same bytes, so an unchanged function
 * is not deployed again.
 */
export async function makeBundles(folder: string = join(root, 'dist')): Promise<BuildResult<{ metafile: true }>> {
  await rm(folder, { recursive: true, force: true });
  const result = await build({
    ...bundleOptions,
    entryPoints: Object.entries(entries).map(([name, source]) => ({ in: source, out: `${name}/index` })),
    outdir: folder,
    metafile: true,
  });
  await mkdir(folder, { recursive: true });
  // Lambda reads index.js as CommonJS, because it has no package.json; here the project's own would make it an ES
  // module.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeDocs(join(folder, 'docs', 'assets'));
  await writeDocument(join(folder, 'mcp', 'assets'));
  await copyFonts(join(folder, 'pages', 'assets'));
  return result;
}

/** Fonts of rare scripts are files next to the bundle, read when a text needs them. */
async function copyFonts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(fontFiles.map(({ from, name }) => copyFile(join(root, from), join(folder, name))));
}

if (import.meta.main) {
  const { metafile } = await makeBundles();
  for (const [path, { bytes }] of Object.entries(metafile.outputs))
    if (path.endsWith('.js')) console.log(`${path.padEnd(40)}${(bytes / 1000).toFixed(0).padStart(6)} KB`);
}
