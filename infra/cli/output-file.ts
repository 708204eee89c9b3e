import { accessSync, constants, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { confirm } from './confirm.ts';
import { CommandError } from './output.ts';

/** The mode of every file that a command writes: most contain personal data. */
export const OWNER_ONLY = 0o600;

/** Where a command writes its result. */
export interface OutputOptions {
  readonly out?: string;
  readonly force?: boolean;
}

export const FORCE = 'replace the output file if it exists, without asking';

export const outputOptions = (command: Command): Command =>
  command.option('--out <file>', 'output file (default: standard output)').option('--force', FORCE);

/** Throws a CommandError unless a file can be written there; asks before replacing one. */
export async function confirmOutput(out: string, { force = false }: Pick<OutputOptions, 'force'>): Promise<void> {
  const folder = dirname(out);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`The folder ${folder} does not exist.`);
  accessSync(folder, constants.W_OK);
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${out} is a folder.`);
  if (existsSync(out) && !force)
    await confirm(`${out} exists and is replaced.`, { option: '--force', refused: 'Nothing was written.' });
}

/**
 * Writes to the file of `--out`, or to standard output. An existing file is replaced only on request and atomically: a
 * failure leaves it unchanged. Only the owner may read it.
 */
export async function writeOutput(text: string, { out, ...options }: OutputOptions): Promise<void> {
  if (out === undefined) return void process.stdout.write(text);
  await confirmOutput(out, options);
  const beside = `${out}.${process.pid}.new`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: OWNER_ONLY });
    renameSync(beside, out);
  } catch (error) {
    rmSync(beside, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CommandError(`${out} cannot be written.`);
    // Reports the file name that the user knows.
    throw error instanceof Error ? Object.assign(error, { path: out }) : error;
  }
}
