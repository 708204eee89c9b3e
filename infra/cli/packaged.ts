import type { Command } from 'commander';
import { programOfFamilies } from './families.ts';
import { needsTable } from './remote/needs-table.ts';
import { requireRemote } from './remote/profile.ts';
import { runProgram } from './run.ts';

/** The commands of the tool in a checkout, by their words. Set by the build. */
declare const ALL_COMMANDS: readonly (readonly [words: string, about: string])[];

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

async function createProgram([first = '']: readonly string[]): Promise<Command> {
  const texts = {
    description: 'Calls the API, follows its events, and moves data in and out, with an address and a key.',
    moreHelp: MORE_HELP,
    calledAs: 'fs',
  } as const;
  const program = await programOfFamilies(first, { requireApi: requireRemote }, texts);
  addTableCommands(program);
  return program;
}

// A reader may close the pipe early: `fs events tail | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
process.exitCode = await runProgram(createProgram, process.argv.slice(2));
