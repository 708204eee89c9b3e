import type { Command } from 'commander';

/** Adds example commands to the help of a command. */
export const examples = (command: Command, ...lines: readonly [string, ...string[]]): Command =>
  command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
