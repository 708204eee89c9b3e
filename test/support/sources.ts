import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** An import or re-export as a source writes it. */
export interface Import {
  readonly from: string;
  /**
   * A path inside the project (`lib/store/keys.ts`) or the name of a package (`zod`, `node:fs`, `@aws-sdk/client-s3`).
   */
  readonly to: string;
  /** Whether the file is one of ours. */
  readonly own: boolean;
  /** Types only, so that nothing of it is there at run time. */
  readonly typesOnly: boolean;
  readonly text: string;
}

/** A source file of the project. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const root = join(import.meta.dirname, '../..');
const statement =
  /^\s*(?:import|export)\s+(?<types>type\s)?[^'";]*?from\s*'(?<from>[^']+)'|^\s*import\s*'(?<effect>[^']+)'|\bimport\('(?<lazy>[^']+)'\)/gm;

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(({ 0: found, groups = {} }) => {
    const name = groups['from'] ?? groups['effect'] ?? groups['lazy'] ?? '';
    const own = name.startsWith('.');
    return {
      from: path,
      to: own ? normalize(join(dirname(path), name)) : name,
      own,
      typesOnly: groups['types'] !== undefined,
      text: found.trim(),
    };
  });
}

/** Every source under the folders, by its path from the root of the project. */
export function sourcesIn(...folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** A source without its comments and the insides of its strings, to look for what the code does. */
export const codeOf = ({ text }: Source): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
