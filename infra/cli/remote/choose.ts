import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RemoteOptions, findRemote } from './profile.ts';

/**
 * Whether a command that works both ways calls the API instead of the table: with `--profile`, or if there is FS_URL or
 * a login but neither a local stack nor TABLE_NAME.
 */
export function usesApi(options: RemoteOptions): boolean {
  if (options.profile) return true;
  if (process.env['FS_DATA'] || process.env['TABLE_NAME']) return false;
  if (process.env['FS_URL']) return true;
  return !existsSync(join('.local', 'local.json')) && findRemote(options) !== undefined;
}

type Action<Words extends unknown[]> = (...words: Words) => Promise<void>;

/** The action over HTTP if the options or the environment say so, else the one on the table. */
export const either =
  <Words extends unknown[]>(overHttp: Action<Words>, onTable: Action<Words>): Action<Words> =>
  (...words) => {
    // Commander appends the command itself after the options.
    const options = words.findLast((word) => typeof word === 'object' && word?.constructor === Object);
    return (usesApi((options ?? {}) as RemoteOptions) ? overHttp : onTable)(...words);
  };
