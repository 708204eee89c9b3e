import type { Command } from 'commander';

export interface AccountOption {
  readonly account?: string;
}

export const accountOption = (command: Command): Command =>
  command.option('--account <id>', "account id (default: the local stack's account)");

export const jsonOption = (command: Command): Command => command.option('--json', 'print the result as JSON');
