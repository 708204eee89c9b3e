import { createInterface } from 'node:readline/promises';
import { CommandError } from './output.ts';

/** Asks on a terminal; anywhere else only `option` confirms. Throws a CommandError unless the answer is yes. */
export async function confirm(
  question: string,
  { option, refused }: { readonly option: string; readonly refused: string },
): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(`${question} Confirm with ${option}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError(refused);
}
