import type { CliCommand } from './command.ts';

/** What the package has in place of each file of `#on-table`. */
export const commands: readonly CliCommand[] = [];
