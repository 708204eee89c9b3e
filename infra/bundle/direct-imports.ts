import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin, PluginBuild } from 'esbuild';

/** `import { Hash, toHex } from "@smithy/core/serde";` */
const IMPORT = /^import \{([^}]+)\} from ["']((?:@smithy|@aws-sdk)\/core(?:\/[\w-]+)?)["'];$/gm;
/** `export { Hash } from "./hash-node/hash-node";` */
const EXPORT = /^export \{([^}]+)\} from "([^"]+)";$/gm;

/** `[name, as]` of each name in the braces of an import or export. */
const namesIn = (braces: string): [name: string, as: string][] =>
  braces
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [name = '', as = name] = one.split(' as ');
      return [name, as];
    });

interface Origin {
  readonly name: string;
  readonly from: string;
}

/** The module that declares each name which an index only passes on. */
async function originsIn(index: string): Promise<Map<string, Origin>> {
  const text = await readFile(index, 'utf8');
  return new Map(
    [...text.matchAll(EXPORT)].flatMap(([, braces = '', from = '']) =>
      namesIn(braces).map(([name, as]): [string, Origin] => [
        as,
        { name, from: from.startsWith('.') ? join(dirname(index), from) : from },
      ]),
    ),
  );
}

function openIndexes({ resolve }: PluginBuild) {
  const indexes = new Map<string, Promise<Map<string, Origin>>>();
  return (specifier: string, importer: string): Promise<Map<string, Origin>> => {
    const known = indexes.get(specifier);
    if (known) return known;
    const where = { kind: 'import-statement', importer, resolveDir: dirname(importer) } as const;
    const found = resolve(specifier, where).then(({ path }) => originsIn(path));
    indexes.set(specifier, found);
    return found;
  };
}

/**
 * An esbuild plugin: modules of the SDK, and those of ours that extend it, import from the module that declares a name,
 * and not from an index that passes it on. esbuild puts all that any file of a function takes of an index where the
 * index is: with the client of S3 in a file that is loaded later, 50 KB would be loaded at the start.
 */
export const directImports: Plugin = {
  name: 'direct-imports',
  setup(build) {
    const originsOf = openIndexes(build);
    build.onLoad({ filter: /[\\/](dist-es[\\/].*\.js|lib[\\/]store[\\/]dynamodb[\\/].*\.ts)$/ }, async ({ path }) => {
      let text = await readFile(path, 'utf8');
      for (const [whole, braces = '', specifier = ''] of text.matchAll(IMPORT)) {
        const origins = await originsOf(specifier, path);
        const lines = namesIn(braces).map(([name, as]) => {
          const origin = origins.get(name) ?? { name, from: specifier };
          return `import { ${origin.name} as ${as} } from ${JSON.stringify(origin.from)};`;
        });
        text = text.replace(whole, lines.join(' '));
      }
      return { contents: text, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};
