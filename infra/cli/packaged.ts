import type { Command } from 'commander';
import { completionCommand } from './commands/completion.ts';
import { defineDownload } from './definitions/download.ts';
import { forwardCommand, tailCommand } from './definitions/events.ts';
import { defineImport } from './definitions/imports.ts';
import { defineWebhooks } from './definitions/webhooks.ts';
import { apiCommands } from './remote/api.ts';
import { importContactsOverHttp } from './remote/contacts.ts';
import { downloadKind } from './remote/download.ts';
import { forwardEvents, tailEvents } from './remote/events.ts';
import { loginCommands } from './remote/login.ts';
import { needsTable } from './remote/needs-table.ts';
import { clientCommand } from './remote/people/client-file.ts';
import { owesCommand } from './remote/people/owes.ts';
import { planCommands } from './remote/people/plan-visit.ts';
import { todayCommand } from './remote/people/today.ts';
import { profileOption, requireRemote } from './remote/profile.ts';
import { statusCommands } from './remote/status.ts';
import { webhookActions } from './remote/webhooks.ts';
import { type CommandGroups, programOf, runProgram } from './run.ts';

/** The commands of the tool in a checkout, by their words. Set by the build. */
declare const ALL_COMMANDS: readonly (readonly [words: string, about: string])[];

function eventCommands(program: Command): void {
  const events = program.command('events').description('Show and forward events');
  profileOption(tailCommand(events)).action(tailEvents);
  profileOption(forwardCommand(events)).action(forwardEvents);
}

const groups: CommandGroups = [
  [
    'A day in the office:',
    (program) => todayCommand(program, requireRemote),
    (program) => clientCommand(program, requireRemote),
    (program) => planCommands(program, requireRemote),
    (program) => owesCommand(program, requireRemote),
  ],
  [
    'Calls over HTTP:',
    (program) => statusCommands(program, requireRemote),
    (program) => loginCommands(program, requireRemote),
    (program) => apiCommands(program, requireRemote),
  ],
  [
    'Data:',
    (program) => defineImport(program, importContactsOverHttp, profileOption),
    (program) => defineDownload(program, downloadKind, profileOption),
  ],
  ['Events:', eventCommands, (program) => defineWebhooks(program, webhookActions, profileOption)],
  ['Operations:', completionCommand],
];

const MORE_HELP = `
Examples:
  fs login --url https://api.example.com
  fs api contacts/locate NameSearch=garc
  fs events tail --follow

It calls the API of fs login, or that of FS_URL with the key FS_KEY. Commands
that need the table say so: they are for a checkout of the server.

Exit codes:
  0  done
  1  refused or failed
  2  wrong usage; nothing was done`;

/** Adds the commands of a checkout, which say what they require. */
function addTableCommands(program: Command): void {
  for (const [words, about] of ALL_COMMANDS) {
    const names = words.split(' ');
    const place = names.reduce<Command>((parent, name, index) => {
      const found = parent.commands.find((each) => each.name() === name);
      if (found) return found;
      const added = parent.command(name, { hidden: true });
      if (index < names.length - 1) return added;
      return added
        .description(about)
        .allowUnknownOption()
        .allowExcessArguments()
        .action(() => {
          throw needsTable(words);
        });
    }, program);
    if (!place.name()) throw new TypeError(`${words} is no command.`);
  }
}

function createProgram(): Command {
  const program = programOf(groups, {
    description: 'Calls the API, follows its events, and moves data in and out, with an address and a key.',
    moreHelp: MORE_HELP,
    calledAs: 'fs',
  });
  addTableCommands(program);
  return program;
}

// A reader may close the pipe early: `fs events tail | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
process.exitCode = await runProgram(createProgram, process.argv.slice(2));
