import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

/**
 * What is large and seldom needed, by the name it has beside a bundle, and where it lies in the sources: data, or code
 * that is imported at first use.
 */
const sources: Readonly<Record<string, string>> = {
  './postal-data.json': 'lib/files/postal-data.json',
  './pricebook.js': 'lib/store/pricebook.ts',
  './proposal-engine.js': 'functions/proposal/proposal-engine.ts',
  './scheduling-engine.js': 'functions/appointments/scheduling-engine.ts',
};

/**
 * An esbuild plugin that leaves these out of the bundles: data wherever it is imported, code where the import is
 * dynamic. They are put beside index.js and read at first use, so that no cold start pays for them. The sources import
 * them like any module. Code beside a bundle has modules of its own: it must be given the table, and must keep nothing
 * that the bundle needs to see; the failures it throws and what it saves are known by their form (lib/api).
 */
export const sideFiles: Plugin = {
  name: 'side-files',
  setup({ onResolve }) {
    onResolve({ filter: /\/postal-data\.json$/ }, () => ({ path: './postal-data.json', external: true }));
    onResolve({ filter: /\/(pricebook|proposal-engine|scheduling-engine)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: `./${path.slice(path.lastIndexOf('/') + 1, -3)}.js`, external: true }
        : undefined,
    );
  },
};

/** Puts beside a bundle what it asks for, and what that asks for in turn, and gives the names. */
export async function putSideFiles(
  root: string,
  file: string,
  { imports }: Pick<Metafile['outputs'][string], 'imports'>,
  options: BuildOptions,
): Promise<string[]> {
  const wanted = [...new Set(imports.map(({ path }) => path))].filter((path) => path in sources);
  const names = await Promise.all(
    wanted.map(async (path) => {
      const [source, outfile] = [join(root, sources[path] ?? ''), join(dirname(file), path)];
      if (!path.endsWith('.js')) await copyFile(source, outfile);
      else {
        const { metafile } = await build({ ...options, entryPoints: [source], outfile, metafile: true });
        const asked = Object.values(metafile.outputs).flatMap((output) => output.imports);
        return [path.slice(2), ...(await putSideFiles(root, file, { imports: asked }, options))];
      }
      return [path.slice(2)];
    }),
  );
  return [...new Set(names.flat())];
}
