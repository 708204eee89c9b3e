import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The file in a data folder that a running local stack locks. */
export const LOCK_FILE = 'lock';

/**
 * Locks a data folder until `stop`; `undefined` while a stack has it. SQLite locks a separate file: the operating
 * system releases it however the process ends, so no lock goes stale.
 */
export function lockFolder(folder: string): { stop(): Promise<void> } | undefined {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) return undefined;
    throw error;
  }
  return { stop: async () => lock.close() };
}
