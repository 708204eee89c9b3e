import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { groups } from '../../functions/index.ts';
import type { Operation } from '../../lib/api/operation.ts';

/** `import { locate } from './locate.ts';` */
const IMPORT = /^import \{ (\w+) \} from '(\.\/[\w-]+\.ts)';$/gm;

const served = new Map(groups.flatMap(({ operations }) => operations).map((operation) => [operation.name, operation]));

interface ImportOfOperation {
  /** The whole line. */
  readonly line: string;
  readonly as: string;
  readonly from: string;
  readonly operation: Operation;
}

/** The imports of several operations in the source of a group; none of a draft, which the group leaves out. */
function importsOfOperations(source: string, text: string): ImportOfOperation[] {
  const found = [...text.matchAll(IMPORT)].flatMap(([line, as = '', from = '']) => {
    const operation = served.get(`${basename(dirname(source))}/${basename(from, '.ts')}`);
    return operation ? [{ line, as, from, operation }] : [];
  });
  return found.length > 1 ? found : [];
}

/** The sources of the operations that the function of this source loads later. */
export const operationsOf = (root: string, source: string): readonly string[] =>
  importsOfOperations(source, readFileSync(resolve(root, source), 'utf8')).map(({ from }) =>
    join(dirname(source), from),
  );

/**
 * An esbuild plugin: the group in `source` loads each of its operations at the first call of it. An only one, which
 * every call needs, is loaded at the start.
 */
export const operationsLater = (source: string): Plugin => ({
  name: 'operations-later',
  setup(build) {
    const file = resolve(build.initialOptions.absWorkingDir ?? '', source);
    build.onLoad({ filter: /[\\/]functions[\\/]\w+[\\/]index\.ts$/ }, ({ path }) => {
      if (path !== file) return undefined;
      const text = readFileSync(path, 'utf8');
      const contents = importsOfOperations(source, text).reduce((changed, { line, as, from, operation }) => {
        const needs = JSON.stringify(operation.needs);
        return changed.replace(
          line,
          `const ${as} = { needs: ${needs}, load: async () => (await import('${from}')).${as} };`,
        );
      }, text);
      return { contents, loader: 'ts' };
    });
  },
});
