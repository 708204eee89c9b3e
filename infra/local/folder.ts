import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, Problem } from './problem.ts';

/**
 * Makes the folder and holds it until `stop`, so that no second stack uses it. The lock is SQLite's on a file of its
 * own: the operating system drops it when the process ends in whatever way, so that no stale lock file ever has to be
 * explained. Throws a Problem when it cannot be had.
 */
export function holdFolder(path: string): { stop(): Promise<void> } {
  const unwritable = (error: unknown) =>
    new Problem(`The data folder ${path} cannot be written (${messageOf(error)}); name another with FS_DATA.`);
  let lock: DatabaseSync;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
  } catch (error) {
    throw unwritable(error);
  }
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!messageOf(error).includes('locked')) throw unwritable(error);
    throw new Problem(
      `The data folder ${path} is in use by another stack; stop that one, or name another folder with FS_DATA.`,
    );
  }
  return { stop: async () => lock.close() };
}
