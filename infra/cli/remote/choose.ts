import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RemoteOptions, findRemote } from './profile.ts';

/**
 * Whether a command that works both ways calls the API instead of the table: with `--profile`, or where neither a local
 * stack nor TABLE_NAME is there, and FS_URL or a login is.
 */
export function usesApi(options: RemoteOptions): boolean {
  if (options.profile) return true;
  if (process.env['FS_DATA'] || process.env['TABLE_NAME']) return false;
  if (process.env['FS_URL']) return true;
  return !existsSync(join('.local', 'local.json')) && findRemote(options) !== undefined;
}

type Action<Words extends unknown[]> = (...words: Words) => Promise<void>;

/** The action over HTTP where the options or the environment say so, else the one on the table. */
export const either =
  <Words extends unknown[]>(overHttp: Action<Words>, onTable: Action<Words>): Action<Words> =>
  (...words) => {
    // Commander adds the command itself behind the options.
    const options = words.findLast((word) => typeof word === 'object' && word?.constructor === Object);
    return (usesApi((options ?? {}) as RemoteOptions) ? overHttp : onTable)(...words);
  };
