import { Command, CommanderError } from 'commander';
import { accountCommands } from './commands/accounts.ts';
import { eventCommands } from './commands/events.ts';
import { importCommands } from './commands/imports.ts';
import { keyCommands } from './commands/keys.ts';
import { proposalCommands } from './commands/proposals.ts';
import { errorSentence } from './output.ts';

const FAILED = 1;
const MISUSED = 2;

/**
 * The command-line tool, `npm run fs -- …`; ends with 0, with 1 and a sentence when it could not be done, or with 2
 * when it was asked wrongly.
 */
async function main(): Promise<number> {
  const program = new Command('fs')
    .description(
      'Looks after accounts, keys, events and evidence of a local stack (FS_DATA) or a deployed one (TABLE_NAME).',
    )
    .showSuggestionAfterError()
    .exitOverride();
  for (const family of [accountCommands, keyCommands, importCommands, eventCommands, proposalCommands]) family(program);
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    // Commander has told by itself what was wrong with the words it was given.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    process.stderr.write(`${errorSentence(error)}\n`);
    return FAILED;
  }
}

// A reader that has seen enough closes the pipe: `events tail | head`.
process.stdout.on('error', () => process.exit(0));
const code = await main();
// A command that went through may have told faults all the same.
process.exitCode = code || process.exitCode;
