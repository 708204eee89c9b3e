import { Command, CommanderError } from 'commander';
import { currentName } from './former-names.ts';
import { ReportedError, UsageError, errorSentence, print } from './output.ts';
import { usageSentence } from './usage-sentence.ts';
import { version } from './version.ts';

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** The commands as the help lists them. */
export type CommandGroups = readonly (readonly [heading: string, ...add: ((program: Command) => void)[]])[];

/** What only commands on a table need. */
interface TableContext {
  readonly nameCommand?: (names: readonly string[]) => void;
  readonly runningFolder?: () => string | undefined;
}

/** `fs`, `account`, `create`. */
const namesOf = (command: Command): string[] => [...(command.parent ? namesOf(command.parent) : []), command.name()];

/** `import [options] <files...>` is `import <files...>`. */
const commandTerm = (command: Command): string =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) => {
      const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${text}>` : `[${text}]`;
    }),
  ].join(' ');

/** What the help says of the tool in a checkout, and of the one in the package. */
export interface Texts {
  readonly description: string;
  readonly moreHelp: string;
  /** How it is called where it is installed; examples say `npx fs`, which elsewhere is somebody else's package. */
  readonly calledAs: 'fs' | 'npx fs';
}

/** The program with the commands of the groups. */
export function programOf(groups: CommandGroups, { description, moreHelp, calledAs }: Texts): Command {
  const program = new Command('fs')
    .description(description)
    .configureOutput({
      writeOut: (text) => process.stdout.write(text.replaceAll('npx fs ', `${calledAs} `)),
      outputError: (text, write) => write(`${usageSentence(text)}\n`),
    })
    .usage('<command> [options]')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print the help of a command')
    .configureHelp({ subcommandTerm: commandTerm })
    .showSuggestionAfterError()
    .exitOverride();
  for (const [heading, ...add] of groups) {
    program.commandsGroup(heading);
    for (const addCommands of add) addCommands(program);
  }
  for (const command of [program, ...program.commands.filter((each) => each.commands.length)])
    command.helpCommand('help [command]', 'Print the help of a command');
  return program.addHelpText('after', moreHelp);
}

/** What Commander found wrong with the words of a command, which it has printed. */
const printedSentence = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'Name a command. --help lists them.' : usageSentence(message);

/** Runs a command and returns its exit code. Prints the sentence of a failure, for programs as a JSON document too. */
export async function runProgram(
  createProgram: (words: readonly string[]) => Command | Promise<Command>,
  given: readonly string[],
  { nameCommand = () => undefined, runningFolder = () => undefined }: TableContext = {},
): Promise<number> {
  const { words, former, current } = currentName(given);
  if (former !== undefined)
    process.stderr.write(`fs ${former} is called fs ${current} now. The old name ends with version 1.0.\n`);
  const fail = (sentence: string, code: number): number => {
    if (words.includes('--json')) print({ Error: sentence }, { json: true, text: '' });
    return code;
  };
  try {
    const program = (await createProgram(words)).hook('preAction', (_, action) => nameCommand(namesOf(action)));
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof ReportedError) return FAILED;
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : fail(printedSentence(error), MISUSED);
    const sentence = errorSentence(error, runningFolder());
    process.stderr.write(`${sentence}\n`);
    return fail(sentence, error instanceof UsageError ? MISUSED : FAILED);
  }
}
