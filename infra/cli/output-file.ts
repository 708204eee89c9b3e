import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { confirm } from './confirm.ts';
import { CommandError } from './output.ts';

/** Where a command writes its result. */
export interface OutputOptions {
  readonly out?: string;
  readonly force?: boolean;
}

export const outputOptions = (command: Command): Command =>
  command
    .option('--out <file>', 'output file (default: standard output)')
    .option('--force', 'replace the output file if it exists, without asking');

/**
 * Writes to the file of `--out`, or to standard output. An existing file is replaced only on request, and in one step:
 * a failure leaves it as it was.
 */
export async function writeOutput(
  text: string,
  { out, force = false }: OutputOptions,
  mode: number = 0o644,
): Promise<void> {
  if (out === undefined) return void process.stdout.write(text);
  if (!existsSync(dirname(out))) throw new CommandError(`The folder ${dirname(out)} does not exist.`);
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${out} is a folder.`);
  if (existsSync(out) && !force)
    await confirm(`${out} exists and is replaced.`, { option: '--force', refused: 'Nothing was written.' });
  const beside = `${out}.${process.pid}.new`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode });
    renameSync(beside, out);
  } catch (error) {
    rmSync(beside, { force: true });
    // The name of the file that the user knows.
    throw error instanceof Error ? Object.assign(error, { path: out }) : error;
  }
}
