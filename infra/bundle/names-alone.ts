import type { Plugin } from 'esbuild';
import * as names from '../../functions/names.ts';

/** An esbuild plugin: a function that names operations does without the groups that have them. */
export const namesAlone: Plugin = {
  name: 'names-alone',
  setup({ onLoad }) {
    const contents = Object.entries(names).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
    onLoad({ filter: /[\\/]functions[\\/]names\.ts$/ }, () => ({ contents: contents.join('\n') }));
  },
};
