import type { CliCommand } from './command.ts';

/** Stands in for each file of `#on-table` in the package. */
export const commands: readonly CliCommand[] = [];
