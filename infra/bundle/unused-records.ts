import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** `export const taskEntity = entity('Task', { … });`, as prettier writes it. */
const DECLARATION = /^((?:export )?const \w+ = )(.*?);$(?=\n\n|\nexport |\nconst |\n\/\*\*|\n*$(?![^]))/gms;

/**
 * An esbuild plugin: leaves out the records of a noun that a function does not use. To declare one has no effect, which
 * esbuild cannot know of calls of functions in other files, nor where fields are spread.
 */
export const leaveOutRecords: Plugin = {
  name: 'leave-out-records',
  setup(build) {
    build.onLoad({ filter: /[\\/]lib[\\/]entities[\\/][\w-]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(DECLARATION, '$1/* @__PURE__ */ (() => ($2))();'),
      loader: 'ts',
    }));
  },
};
