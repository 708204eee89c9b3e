import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../output.ts';

/** Asks for a missing option; without a terminal, the option is required. */
export async function ask(question: string, option: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Name ${option}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = (await terminal.question(`${question} `)).trim();
  terminal.close();
  if (!answer) throw new UsageError('Nothing was done.');
  return answer;
}
