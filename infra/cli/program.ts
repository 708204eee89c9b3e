import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Place } from './command.ts';
import { programOfFamilies } from './families.ts';
import { isLocalTarget, nameCommand, openLocalApi, runningFolder } from './local-stack.ts';
import { type RemoteOptions, findRemote, requireRemote } from './remote/profile.ts';
import { runProgram } from './run.ts';

/**
 * Whether a command that works both ways calls the API instead of the table: with `--profile`, or if there is FS_URL or
 * a login but neither a local stack nor TABLE_NAME.
 */
function usesApi(options: RemoteOptions): boolean {
  if (options.profile) return true;
  if (process.env['FS_DATA'] || process.env['TABLE_NAME']) return false;
  if (process.env['FS_URL']) return true;
  return !existsSync(join('.local', 'local.json')) && findRemote(options) !== undefined;
}

/** A checkout: with tables, and with a local stack, whose API commands call where others use its table. */
const checkout: Place = {
  requireApi(options) {
    if (usesApi(options) || !isLocalTarget()) return requireRemote(options);
    const { baseUrl: url, key } = openLocalApi();
    return { profile: '', url, key };
  },
  usesTable: (options) => !usesApi(options),
};

const MORE_HELP = `
Examples:
  npx fs key create --role Office --name "call centre"
  npx fs import company.yaml --dry-run
  npx fs events tail --follow

Where it connects:
  FS_DATA     data folder of a local stack (npm start); without it .local
  TABLE_NAME  table of a deployed stack, with AWS_REGION and AWS credentials;
              some need BUCKET_NAME, BASE_URL, CALLBACK_KEY_SECRET,
              PAYMENT_KEY_SECRET or USER_POOL_ID too
  FS_URL      address of an API, with a key of it in FS_KEY, as fs login keeps
              them: for login to docs, status, open, events tail and forward,
              webhook, download and import of contacts, without a table
  DYNAMODB_ENDPOINT  address of another DynamoDB, as for npm start

Exit codes:
  0  done
  1  refused or failed, or what was checked is not valid
  2  wrong usage; nothing was done

Standard output has only the result, messages go to standard error. With --json
the result is one JSON document, {"Error": "…"} if the command fails. Commands
that follow events print one for each event.`;

/** The program with the commands of the first word; with all of them if it is not a command, such as `--help`. */
export const createProgram = ([first = '']: readonly string[] = []): Promise<Command> =>
  programOfFamilies(first, checkout, {
    description: 'Manages accounts, keys, data and events of a local or deployed stack.',
    moreHelp: MORE_HELP,
    calledAs: 'npx fs',
  });

/**
 * Runs a command and returns its exit code. Prints the sentence of a failure, with `--json` also as a JSON document.
 */
export const runCommand = (words: readonly string[]): Promise<number> =>
  runProgram(createProgram, words, { nameCommand, runningFolder });
