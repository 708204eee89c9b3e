import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** Data that is large and seldom needed, by the name under which a bundle asks for it, and where it lies in the sources. */
const sources: Readonly<Record<string, string>> = { './postal-data.json': 'lib/files/postal-data.json' };

/**
 * An esbuild plugin that leaves such data out of the bundles. It is put beside index.js and read at first use, so that it is not loaded with every cold
 * start. The sources import it like any module.
 */
export const sideFiles: Plugin = {
  name: 'side-files',
  setup(build) {
    build.onResolve({ filter: /^\.\/postal-data\.json$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Puts beside a bundle the data it asks for, and gives the names. */
export async function copySideFiles(root: string, file: string, { imports }: Metafile['outputs'][string]): Promise<string[]> {
  const wanted = [...new Set(imports.map(({ path }) => path))].filter((path) => path in sources);
  await Promise.all(wanted.map((path) => copyFile(join(root, sources[path] ?? ''), join(dirname(file), path))));
  return wanted.map((path) => path.slice(2));
}
