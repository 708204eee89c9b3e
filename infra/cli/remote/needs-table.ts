import { CommandError } from '../output.ts';

/** The error of a command that requires the table if only an address is known. */
export const needsTable = (command: string): CommandError =>
  new CommandError(
    `fs ${command} needs the table, not only an address and a key. Run it in a checkout, with FS_DATA or TABLE_NAME.`,
  );
