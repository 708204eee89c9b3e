import { copyFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** Data that is large and rarely needed: it is beside the bundles that use it and read at first use. */
const DATA_FILES = ['lib/domain/postal/postal-data.json', 'lib/pages/pdf/fonts.json'];

/** An esbuild plugin that keeps the data files out of the bundles. */
export const sideFiles: Plugin = {
  name: 'side-files',
  setup({ onResolve }) {
    const names = DATA_FILES.map((file) => basename(file));
    onResolve({ filter: /\.json$/ }, ({ path }) =>
      names.includes(basename(path)) ? { path: `./${basename(path)}`, external: true } : undefined,
    );
  },
};

/** Copies the data files that a bundle imports to its folder and returns their names. */
export async function copySideFiles(
  root: string,
  bundleFile: string,
  outputs: readonly Pick<Metafile['outputs'][string], 'imports'>[],
): Promise<string[]> {
  const imported = DATA_FILES.filter((file) =>
    outputs.some(({ imports }) => imports.some(({ path }) => path === `./${basename(file)}`)),
  );
  await Promise.all(imported.map((file) => copyFile(join(root, file), join(dirname(bundleFile), basename(file)))));
  return imported.map((file) => basename(file));
}
