import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
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

/** Asks for hidden input on a terminal. */
export async function askSecretly(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer.trim();
}
