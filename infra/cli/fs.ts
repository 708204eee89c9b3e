#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { accountCommands } from './commands/accounts.ts';
import { callCommands } from './commands/calls.ts';
import { callbackCommands } from './commands/callbacks.ts';
import { checkCommand } from './commands/check.ts';
import { contactCommands } from './commands/contacts.ts';
import { downloadCommand } from './commands/download.ts';
import { eventCommands } from './commands/events.ts';
import { importCommands } from './commands/imports.ts';
import { keyCommands } from './commands/keys.ts';
import { proposalCommands } from './commands/proposals.ts';
import { resetCommand } from './commands/reset.ts';
import { traceCommand } from './commands/trace.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { errorSentence } from './output.ts';
import { nameCommand } from './target.ts';

const FAILED = 1;
const MISUSED = 2;

/** `fs`, `account`, `create`. */
const namesOf = (command: Command): string[] => [...(command.parent ? namesOf(command.parent) : []), command.name()];

/** The command-line tool, `npx fs …`. Exits with 0; with 1 and a sentence on failure; with 2 on wrong usage. */
async function main(): Promise<number> {
  const program = new Command('fs')
    .description(
      'Manages accounts, keys, events and evidence of a local stack (FS_DATA) or a deployed one (TABLE_NAME).',
    )
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_, action) => nameCommand(namesOf(action)));
  const commands = [
    accountCommands,
    keyCommands,
    importCommands,
    eventCommands,
    webhookCommands,
    callbackCommands,
    downloadCommand,
    proposalCommands,
    callCommands,
    contactCommands,
    traceCommand,
    checkCommand,
    resetCommand,
  ];
  for (const addCommands of commands) addCommands(program);
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    // Commander has already printed what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    process.stderr.write(`${errorSentence(error)}\n`);
    return FAILED;
  }
}

// A reader may close the pipe early: `events tail | head`.
process.stdout.on('error', () => process.exit(0));
const code = await main();
// A command that completed may have set an exit code itself, for invalid lines or failed checks.
process.exitCode = code || process.exitCode;
