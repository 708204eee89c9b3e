import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type BuildOptions, type Metafile, type Plugin, build } from 'esbuild';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';
import { groups } from '../../functions/index.ts';
import { writeDocs, writeDocument } from '../docs-page/build.ts';
import { queueNames } from '../queues.ts';
import { consumerNames, scheduleNames } from '../table.ts';
import { directImports } from './direct-imports.ts';
import { leaveOutDocumentTexts } from './document-texts.ts';
import { leaveOut } from './left-out.ts';
import { namesAlone } from './names-alone.ts';
import { leaveOutRecords } from './unused-records.ts';
import { operationsLater, operationsOf } from './operations-later.ts';
import { copySideFiles, sideFiles } from './side-files.ts';
import { leaveOutMethods } from './unused-methods.ts';

const root = resolve(import.meta.dirname, '../..');

// esbuild runs for seconds only: collecting its garbage less often saves a quarter of the CPU of all bundles.
process.env['GOGC'] ??= '400';

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
  'workers/origin-check': 'functions/workers/origin-check.ts',
};

const KB = 1024;

/** Maximum bytes that a function loads at its start, without S3 and where it uses S3: 4 % above the largest. */
const budgets = { table: 345 * KB, files: 447 * KB };

/** Their bundles contain slot search, proposals and the price book; docs/decisions/0004-bundles.md says why. */
export const largeGroups: ReadonlySet<string> = new Set(['appointments', 'organizations', 'proposal']);

const budgetOf = (modules: readonly string[]): number =>
  modules.some((path) => path.includes('@aws-sdk/client-s3/')) ? budgets.files : budgets.table;

export interface Bundle {
  readonly name: BundleName;
  readonly file: string;
  /** Of index.js, which contains all that is loaded at the start. */
  readonly bytes: number;
  readonly budget: number;
  /** Modules in the bundle, with their bytes there. */
  readonly modules: ReadonlyMap<string, number>;
  /** Those of them that are loaded at the start. */
  readonly modulesAtStart: ReadonlyMap<string, number>;
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
  // pdfkit makes URLs of its data when it is loaded, and reads none: our fonts lie beside the bundle.
  define: { 'import.meta.url': '"file:///var/task/index.js"' },
  plugins: [leaveOut, leaveOutMethods, leaveOutRecords, leaveOutDocumentTexts, namesAlone, directImports, sideFiles],
  minify: true,
  legalComments: 'none',
  // Kept outside the bundle's folder, which is deployed; trace.ts reads them. The sources are in the repository.
  sourcemap: 'external',
  sourcesContent: false,
  // A text with other characters takes two bytes for each, and half a millisecond more to read and parse.
  charset: 'ascii',
  logLevel: 'warning',
  // Reported for the processors that runtime/json-schema.ts omits; in our own sources the compiler finds it.
  logOverride: { 'import-is-undefined': 'silent' },
} satisfies BuildOptions;

/** The file of a bundle, in the folder that is deployed. */
export const bundleFile = (folder: string, name: BundleName): string => join(folder, name, 'index.js');

/** The source map of a file of a bundle. It is not deployed. */
export const sourceMapFile = (folder: string, name: BundleName, file = 'index.js'): string =>
  join(folder, 'maps', name, `${file}.map`);

type Outputs = Metafile['outputs'];

const withAbsolutePaths = (outputs: Outputs): Outputs =>
  Object.fromEntries(Object.entries(outputs).map(([path, output]) => [resolve(root, path), output]));

/** The file, and those that it imports, by way of others too: `atStart` only what is loaded before the first call. */
function importedFrom(first: string, outputs: Outputs, { atStart }: { atStart: boolean }): string[] {
  const found = new Set([first]);
  for (const path of found)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (resolve(root, imported) in outputs && (kind === 'import-statement' || !atStart))
        found.add(resolve(root, imported));
  return [...found];
}

/** Whether sources of ours in this output load code by `await import()`. */
const loadsLater = ({ inputs }: Outputs[string], all: Metafile['inputs']): boolean =>
  Object.keys(inputs).some(
    (path) =>
      /^(functions|lib)\//.test(path) &&
      all[path]?.imports.some(({ kind, external }) => kind === 'dynamic-import' && !external),
  );

/** Whether a package makes schemas of zod too: it may call methods that no source of ours does. */
const hasOtherSchemas = (inputs: object): boolean =>
  Object.keys(inputs).some((path) => path.includes('node_modules/@modelcontextprotocol/'));

/** The outputs of a function's first build, and those that it loads before its first call. */
interface Files {
  readonly all: Outputs;
  readonly atStart: Outputs;
}

/** Of a second step, whose sources are esbuild's own output: the first has reported what our sources have. */
const secondStep = {
  ...bundleOptions,
  // fontkit has one; esbuild reports nothing of packages, but no longer knows that this is of one.
  logOverride: { ...bundleOptions.logOverride, 'duplicate-object-key': 'silent' },
} satisfies BuildOptions;

/** The file of what two or more operations of a function share. */
const COMMON = 'common.js';

/** The name under which a file exports a chunk that it contains. */
const chunkName = (path: string): string => basename(path, '.js').replaceAll('-', '_');

const exportChunks = (paths: Iterable<string>): string =>
  [...paths].map((path) => `export * as ${chunkName(path)} from './${basename(path)}';`).join('');

/** Where the chunks of a first build are that have no file of their own: file by path of the chunk. */
type Places = ReadonlyMap<string, string>;

/** An esbuild plugin: makes `file` of the chunks that are placed there, and takes those of other files from them. */
const placedIn = (file: string, modules: string, places: Places): Plugin => ({
  name: 'placed-in',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/.*\.js$/ }, ({ kind, path, namespace }) => {
      const chunk = join(modules, path);
      const place = places.get(chunk);
      if (kind === 'entry-point' || (place === file && namespace !== 'placed')) return undefined;
      return place && namespace !== 'placed' && path !== './index.js'
        ? { path: chunk, namespace: 'placed' }
        : { path, external: true };
    });
    onLoad({ filter: /^/, namespace: 'placed' }, ({ path }) => ({
      contents: `module.exports = require('./${places.get(path)}').${chunkName(path)}`,
    }));
  },
});

/**
 * Where each chunk is: index.js has those of the start, and COMMON what two or more operations share. A first call
 * reads its operation and COMMON, and not a file for each set of operations that share something.
 */
function placeChunks(modules: string, operations: readonly string[], outputs: Outputs): Places {
  const start = importedFrom(join(modules, 'index.js'), outputs, { atStart: true });
  const ofOperations = Object.entries(outputs)
    .filter(([, { entryPoint = '' }]) => operations.includes(entryPoint))
    .flatMap(([path]) => importedFrom(path, outputs, { atStart: true }));
  const shared = ofOperations.filter((path, index) => ofOperations.indexOf(path) !== index);
  return new Map([
    ...shared.map((path) => [path, COMMON] as const),
    ...start.map((path) => [path, 'index.js'] as const),
  ]);
}

/**
 * Bundles a function as index.js, with all that it loads at its start, and files for what it loads later: each module
 * is in one file, and is one instance. esbuild splits ES modules only, which in Node.js load undici, and has a file for
 * each set of modules that others share: a second step makes CommonJS of them, and few files.
 */
async function split(name: BundleName, source: string, folder: string, { inputs }: Outputs[string]): Promise<Files> {
  const modules = join(folder, 'modules', name);
  const plugins = bundleOptions.plugins.filter((plugin) => plugin !== leaveOutMethods || !hasOtherSchemas(inputs));
  const { metafile } = await build({
    ...bundleOptions,
    plugins: [operationsLater(source), ...plugins],
    format: 'esm',
    supported: {},
    splitting: true,
    // Marks of calls without effect are comments, by which the second step leaves out what nothing uses.
    minify: false,
    minifyIdentifiers: true,
    sourcemap: 'linked',
    entryPoints: [{ in: source, out: 'index' }],
    outdir: modules,
    metafile: true,
  });
  const outputs = withAbsolutePaths(metafile.outputs);
  const places = placeChunks(modules, operationsOf(root, source), outputs);
  // esbuild also writes files for imports in code that it left out.
  const paths = importedFrom(join(modules, 'index.js'), outputs, { atStart: false });
  const placed = (file: string | undefined) => paths.filter((path) => places.get(path) === file);
  const buildFile = (file: string, contents: string) =>
    build({
      ...secondStep,
      plugins: [placedIn(file, modules, places), sideFiles],
      stdin: { contents, resolveDir: modules },
      outfile: join(folder, name, file),
    });
  const chunks = placed('index.js').filter((path) => basename(path) !== 'index.js');
  await buildFile('index.js', `export * from './index.js';${exportChunks(chunks)}`);
  if (placed(COMMON).length) await buildFile(COMMON, exportChunks(placed(COMMON)));
  await build({
    ...secondStep,
    plugins: [placedIn('', modules, places), sideFiles],
    entryPoints: placed(undefined),
    outdir: dirname(bundleFile(folder, name)),
  });
  const ofPaths = (files: readonly string[]): Outputs =>
    Object.fromEntries(files.flatMap((path) => (outputs[path] ? [[path, outputs[path]]] : [])));
  return { all: ofPaths(paths), atStart: ofPaths(placed('index.js')) };
}

async function moveSourceMaps(folder: string, name: BundleName): Promise<void> {
  const from = dirname(bundleFile(folder, name));
  await mkdir(dirname(sourceMapFile(folder, name)), { recursive: true });
  for (const file of await readdir(from))
    if (file.endsWith('.js.map')) await rename(join(from, file), sourceMapFile(folder, name, basename(file, '.map')));
}

const bytesOfModules = (outputs: readonly Outputs[string][]): Map<string, number> =>
  new Map(
    outputs.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]): [string, number][] =>
        bytesInOutput ? [[path, bytesInOutput]] : [],
      ),
    ),
  );

/** The names of the outputs, beside the sources that they are made of. */
const entryPointsOf = (sources: typeof entries) =>
  Object.entries(sources).map(([name, source]) => ({ in: source, out: `${name}/index` }));

/** The functions that load code later, with what they are made of: found by bundling without any of the dear steps. */
async function findSplit(folder: string, sources: typeof entries): Promise<ReadonlyMap<BundleName, Outputs[string]>> {
  const { metafile } = await build({
    ...bundleOptions,
    minify: false,
    // Leaves out what no condition lets run, as the whole build does.
    minifySyntax: true,
    sourcemap: false,
    logLevel: 'silent',
    entryPoints: entryPointsOf(sources),
    outdir: folder,
    metafile: true,
    write: false,
  });
  const outputs = withAbsolutePaths(metafile.outputs);
  return new Map(
    Object.keys(sources).flatMap((name) => {
      const output = outputs[resolve(bundleFile(folder, name))];
      return output && loadsLater(output, metafile.inputs) ? [[name, output] as const] : [];
    }),
  );
}

/**
 * Bundles every function, or those of `sources`, as `<folder>/<name>/index.js` with the files that it loads later. The
 * same sources give the same bytes: an unchanged function is not deployed again.
 */
export const makeBundles = async (
  folder: string = join(root, 'dist'),
  sources: typeof entries = entries,
): Promise<readonly Bundle[]> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const splitOnes = await findSplit(folder, sources);
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: entryPointsOf(Object.fromEntries(Object.entries(sources).filter(([name]) => !splitOnes.has(name)))),
    outdir: folder,
    metafile: true,
  });
  // Lambda has no package.json and reads index.js as CommonJS; here the project's own would make it a module.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeDocs(join(folder, 'docs', 'assets'));
  await writeDocument(join(folder, 'mcp', 'assets'));
  const outputs = withAbsolutePaths(metafile.outputs);
  const inOneFile = (file: string): Files => {
    const output = outputs[resolve(file)];
    if (!output) throw new Error(`esbuild made no ${file}`);
    return { all: { [file]: output }, atStart: { [file]: output } };
  };
  const bundles = await mapWithConcurrency(Object.entries(sources), 4, async ([name, source]): Promise<Bundle> => {
    const file = bundleFile(folder, name);
    const found = splitOnes.get(name);
    const { all, atStart } = found ? await split(name, source, folder, found) : inOneFile(file);
    const beside = await copySideFiles(root, file, Object.values(all));
    await moveSourceMaps(folder, name);
    const { size: bytes } = await stat(file);
    const modules = bytesOfModules(Object.values(all));
    const budget = budgetOf([...modules.keys()]);
    return { name, file, bytes, budget, modules, modulesAtStart: bytesOfModules(Object.values(atStart)), beside };
  });
  await rm(join(folder, 'modules'), { recursive: true, force: true });
  return bundles;
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
