import { existsSync, readFileSync, statSync } from 'node:fs';
import { CommandError } from './output.ts';

/** Throws a CommandError unless it is an existing file. */
export function requireFile(file: string): void {
  if (!existsSync(file)) throw new CommandError(`File ${file} not found.`);
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a folder.`);
}

/** The JSON in a file; `undefined` if it is not JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readInput(file)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function readInput(file: string): string {
  requireFile(file);
  return readFileSync(file, 'utf8');
}
