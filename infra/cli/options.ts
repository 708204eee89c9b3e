import type { Command } from 'commander';

export const jsonOption = (command: Command): Command => command.option('--json', 'print the result as JSON');
