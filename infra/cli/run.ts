import { Command, CommanderError } from 'commander';
import { ReportedError, UsageError, errorSentence, print } from './output.ts';
import { version } from './version.ts';

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** The commands as the help lists them. */
export type CommandGroups = readonly (readonly [heading: string, ...add: ((program: Command) => void)[]])[];

/** What only commands on a table require. */
interface TableContext {
  readonly nameCommand?: (names: readonly string[]) => void;
  readonly runningFolder?: () => string | undefined;
}

/** `fs`, `account`, `create`. */
const namesOf = (command: Command): string[] => [...(command.parent ? namesOf(command.parent) : []), command.name()];

/** Shortens `import [options] <files...>` to `import <files...>`. */
const commandTerm = (command: Command): string =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) => {
      const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${text}>` : `[${text}]`;
    }),
  ].join(' ');

/** The help texts of the tool in a checkout, and of the packaged one. */
interface Texts {
  readonly description: string;
  readonly moreHelp: string;
  /** How the installed tool is called; examples say `npx fs`, which elsewhere is another package. */
  readonly calledAs: 'fs' | 'npx fs';
}

/** Commander's messages about invalid words, and our sentences for them. */
const SENTENCES: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^missing required argument '(.+)'$/, 'Name the <$1>.'],
  [/^required option '(.+)' not specified$/, 'The option $1 is required.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, 'The option $1 needs a value.'],
  [/^option '(?:-\w, )?(--[\w-]+).*?' argument '([^]*)' is invalid\. ?([^]*)$/, '$1 cannot be "$2". $3'],
  [/^command-argument value '([^]*)' is invalid for argument '(.+)'\. ?([^]*)$/, '<$2> cannot be "$1". $3'],
  [/^unknown (option|command) '([^]*)'(.*)$/, 'There is no $1 $2.$3'],
  [/^too many arguments(?: for '(.+)')?\. (.*)$/, 'These are too many arguments. $2'],
];

/** `error: unknown command 'acount'\n(Did you mean account?)` as `There is no command acount. Did you mean account?` */
function usageSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  const [, words = text, hint = ''] = /^([^]*?) ?(?:\((Did you mean .+\?)\))?$/.exec(text) ?? [];
  const [pattern, sentence = ''] = SENTENCES.find(([each]) => each.test(words)) ?? [];
  const said = pattern ? words.replace(pattern, sentence).trim() : words;
  const help = words.startsWith('unknown command') && !hint ? '--help lists them.' : hint;
  return `${/[.?]$/.test(said) ? said : `${said}.`} ${help}`.trim();
}

/** The program with the commands of these groups. */
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

/** Commander's error about the words of a command, which it has already printed. */
const printedSentence = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'Name a command. --help lists them.' : usageSentence(message);

/**
 * Runs a command and returns its exit code. Prints the sentence of a failure, with `--json` also as a JSON document.
 */
export async function runProgram(
  createProgram: (words: readonly string[]) => Command | Promise<Command>,
  words: readonly string[],
  { nameCommand = () => undefined, runningFolder = () => undefined }: TableContext = {},
): Promise<number> {
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
