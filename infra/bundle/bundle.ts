import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { groups } from '../../functions/index.ts';
import { writeDocs } from '../docs-page/build.ts';
import { queueNames } from '../queues.ts';
import { consumerNames, scheduleNames } from '../table.ts';
import { leaveOutDocumentTexts } from './document-texts.ts';
import { leaveOut } from './left-out.ts';
import { copySideFiles, sideFiles } from './side-files.ts';

const root = resolve(import.meta.dirname, '../..');

/** The bundle's folder under `dist/`; for a group, the group's name. */
export type BundleName = string;

/** The file of every function's handler. */
export const entries: Readonly<Record<BundleName, string>> = {
  ...Object.fromEntries(groups.map(({ name }) => [name, `functions/${name}/index.ts`])),
  fallback: 'functions/fallback/index.ts',
  ...Object.fromEntries(
    [...consumerNames, ...queueNames, ...scheduleNames].map((name) => [
      `workers/${name}`,
      `functions/workers/${name}.ts`,
    ]),
  ),
  'workers/canary': 'functions/workers/canary.ts',
};

const KB = 1024;

/** Maximum bytes of a bundle without and with S3, and of the largest groups. */
const budgets = { table: 500 * KB, large: 550 * KB, files: 700 * KB };

/** Their bundles contain slot search, proposals and the price book; docs/decisions/0004-bundles.md says why. */
export const largeGroups: ReadonlySet<string> = new Set(['appointments', 'organizations', 'proposal']);

function budgetOf(name: string, modules: readonly string[]): number {
  if (modules.some((path) => path.includes('@aws-sdk/client-s3/'))) return budgets.files;
  return largeGroups.has(name) ? budgets.large : budgets.table;
}

export interface Bundle {
  readonly name: BundleName;
  readonly file: string;
  readonly bytes: number;
  readonly budget: number;
  /** Modules in the bundle, with their bytes there. */
  readonly modules: ReadonlyMap<string, number>;
  /** Data files beside the bundle, read at first use. */
  readonly beside: readonly string[];
}

/** docs/decisions/0004-bundles.md says what each option saves. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // CommonJS: ESM imports of Node's modules load undici, which costs 15 to 20 ms.
  format: 'cjs',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  plugins: [leaveOut, leaveOutDocumentTexts, sideFiles],
  minify: true,
  legalComments: 'none',
  // Kept outside the bundle's folder, which is deployed; trace.ts reads them. The sources are in the repository.
  sourcemap: 'external',
  sourcesContent: false,
  charset: 'utf8',
  logLevel: 'warning',
  // Reported for the processors that runtime/json-schema.ts omits; in our own sources the compiler finds it.
  logOverride: { 'import-is-undefined': 'silent' },
} satisfies BuildOptions;

/** The file of a bundle, in the folder that is deployed. */
export const bundleFile = (folder: string, name: BundleName): string => join(folder, name, 'index.js');

/** The source map of a bundle. It is not deployed. */
export const sourceMapFile = (folder: string, name: BundleName): string => join(folder, 'maps', `${name}.js.map`);

async function moveSourceMap(folder: string, name: BundleName): Promise<void> {
  const target = sourceMapFile(folder, name);
  await mkdir(dirname(target), { recursive: true });
  await rename(`${bundleFile(folder, name)}.map`, target);
}

/**
 * Bundles every function, or those of `sources`, as `<folder>/<name>/index.js`. The same sources give the same bytes:
 * an unchanged function is not deployed again.
 */
export const makeBundles = async (
  folder: string = join(root, 'dist'),
  sources: typeof entries = entries,
): Promise<readonly Bundle[]> => {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: Object.entries(sources).map(([name, source]) => ({ in: source, out: `${name}/index` })),
    outdir: folder,
    metafile: true,
  });
  // Lambda has no package.json and reads index.js as CommonJS; here the project's own would make it a module.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeDocs(join(folder, 'docs', 'assets'));
  const bundles = Object.keys(sources).map(async (name) => {
    const file = bundleFile(folder, name);
    const [, output] = Object.entries(metafile.outputs).find(([path]) => resolve(root, path) === file) ?? [];
    if (!output) throw new Error(`esbuild made no ${file}`);
    const modules = new Map(
      Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput ? [[path, bytesInOutput]] : [],
      ),
    );
    await moveSourceMap(folder, name);
    const budget = budgetOf(name, [...modules.keys()]);
    const beside = await copySideFiles(root, file, output);
    return { name, file, bytes: output.bytes, budget, modules, beside };
  });
  return Promise.all(bundles);
};

/** A line a bundle, for `npm run bundle`. */
export const formatSizes = (bundles: readonly Bundle[]): string =>
  bundles
    .map(({ name, bytes, budget }) => {
      const kilobytes = (size: number) => (size / KB).toFixed(1).padStart(7);
      const note = bytes > budget ? '  over the budget' : '';
      return `${name.padEnd(20)}${kilobytes(bytes)} KB of ${kilobytes(budget)} KB${note}`;
    })
    .join('\n');

if (import.meta.main) {
  const bundles = await makeBundles();
  console.log(formatSizes(bundles));
  process.exitCode = bundles.some(({ bytes, budget }) => bytes > budget) ? 1 : 0;
}
