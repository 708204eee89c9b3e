import { CommandError } from '../output.ts';

/** What is said where a command needs the table, and an address is all there is. */
export const needsTable = (command: string): CommandError =>
  new CommandError(
    `fs ${command} needs the table, not only an address and a key. Run it in a checkout, with FS_DATA or TABLE_NAME.`,
  );
