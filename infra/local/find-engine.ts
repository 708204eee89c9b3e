import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { Problem } from './problem.ts';

/** Where DynamoDB comes from: a program to start, or an address where it runs already. */
export type EngineSource = { readonly program: string } | { readonly endpoint: string };

export interface EngineSearch {
  readonly platform: string;
  readonly architecture: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of an installed package, or `undefined`. */
  readonly packageFolder: (name: string) => string | undefined;
}

const require = createRequire(import.meta.url);

const installedFolder = (name: string): string | undefined => {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The DynamoDB engine of this machine: the installed package `@dynoxide/<platform>-<architecture>`, else `dynoxide` on
 * the path, else what DYNAMODB_ENDPOINT names. Throws a Problem that says how to get one.
 */
export function findEngine({
  platform = process.platform,
  architecture = process.arch,
  environment = process.env,
  packageFolder = installedFolder,
}: Partial<EngineSearch> = {}): EngineSource {
  const name = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  const installed = packageFolder(`@dynoxide/${platform}-${architecture}`);
  const folders = [
    ...(installed ? [installed, join(installed, 'bin')] : []),
    ...(environment['PATH'] ?? '').split(delimiter).filter(Boolean),
  ];
  const program = folders.map((folder) => join(folder, name)).find(isProgram);
  if (program) return { program };
  const endpoint = environment['DYNAMODB_ENDPOINT'];
  if (endpoint && URL.canParse(endpoint)) return { endpoint };
  throw new Problem(
    `There is no DynamoDB engine for ${platform}-${architecture}: put the program dynoxide (github.com/nubo-db/dynoxide) on the path, ` +
      'or start DynamoDB Local and set DYNAMODB_ENDPOINT to its address.',
  );
}
