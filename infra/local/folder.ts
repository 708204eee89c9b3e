import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem, errorCode, errorMessage } from './problem.ts';

/**
 * Makes the folder with those above it. `mkdir` with `recursive` is no help: where the system says that there is
 * nothing though the folder above is there (all of /proc), Node.js 24 tries for ever.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Two stacks may start at once; the lock says which of them stays.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folder and holds it until `stop`, so that no second stack uses it. The lock is SQLite's on a file of its
 * own: the operating system drops it when the process ends in whatever way, so that no stale lock file ever has to be
 * explained. Throws a Problem when it cannot be had.
 */
export function holdFolder(path: string): { stop(): Promise<void> } {
  const unwritable = (error: unknown) =>
    new Problem(`The data folder ${path} cannot be written (${errorMessage(error)}); name another with FS_DATA.`);
  let lock: DatabaseSync;
  try {
    makeFolder(path);
    lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
  } catch (error) {
    throw unwritable(error);
  }
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!errorMessage(error).includes('locked')) throw unwritable(error);
    throw new Problem(
      `The data folder ${path} is in use by another stack; stop that one, or name another folder with FS_DATA.`,
    );
  }
  return { stop: async () => lock.close() };
}

/**
 * Replaces a file in one step: a reader, or we ourselves after a kill, find the old text or the new one and never half
 * of it.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, text, { mode });
  renameSync(beside, file);
}

/**
 * What a person or a tool on this machine needs to use the stack; it lies in the data folder as `local.json`, readable
 * by its owner only.
 */
export interface LocalJson {
  readonly BaseUrl: string;
  /** An Owner key of the account that the first start made. */
  readonly ApiKey: string;
  readonly AccountId: string;
  readonly OrganizationId: number;
  readonly DynamoDBEndpoint: string;
  /** S3 and SQS. */
  readonly AwsEndpoint: string;
  readonly TableName: string;
  readonly Bucket: string;
  readonly Region: string;
}

const fileIn = (folder: string): string => join(folder, 'local.json');

/** What the last start wrote; empty before the first. */
export function readLocal(folder: string): Partial<LocalJson> {
  const file = fileIn(folder);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalJson>;
  } catch (error) {
    throw new Problem(`${file} cannot be read (${errorMessage(error)}); mend it, or remove it to get a new key.`);
  }
}

export const writeLocal = (folder: string, local: LocalJson): void =>
  replaceFile(fileIn(folder), `${JSON.stringify(local, null, 2)}\n`);
