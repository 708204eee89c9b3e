import { Command, CommanderError } from 'commander';
import { accountCommands } from './commands/accounts.ts';
import { auditCommands } from './commands/audit.ts';
import { callCommands } from './commands/calls.ts';
import { callbackCommands } from './commands/callbacks.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { contactCommands } from './commands/contacts.ts';
import { downloadCommand } from './commands/download.ts';
import { eventCommands } from './commands/events.ts';
import { importCommands } from './commands/imports.ts';
import { keyCommands } from './commands/keys.ts';
import { linkCommands } from './commands/links.ts';
import { proposalCommands } from './commands/proposals.ts';
import { resetCommand } from './commands/reset.ts';
import { traceCommand } from './commands/trace.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { ReportedError, UsageError, errorSentence, print } from './output.ts';
import { nameCommand, runningFolder } from './target.ts';
import { version } from './version.ts';

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** The commands as the help lists them. */
const groups: readonly (readonly [heading: string, ...add: ((program: Command) => void)[]])[] = [
  ['Accounts and keys:', accountCommands, keyCommands],
  ['Data:', importCommands, downloadCommand, contactCommands, callCommands, proposalCommands, linkCommands],
  ['Events:', eventCommands, webhookCommands, callbackCommands],
  ['Operations:', auditCommands, checkCommand, traceCommand, resetCommand, completionCommand],
];

const MORE_HELP = `
Examples:
  npx fs key create --role Office --name "call centre"
  npx fs import company.yaml --dry-run
  npx fs events tail --follow

Where it connects:
  FS_DATA     data folder of a local stack (npm start); without it .local
  TABLE_NAME  table of a deployed stack, with AWS_REGION and AWS credentials;
              some need BUCKET_NAME, BASE_URL or CALLBACK_KEY_SECRET too
  DYNAMODB_ENDPOINT  address of another DynamoDB, as for npm start

Exit codes:
  0  done
  1  refused or failed, or what was checked is not valid
  2  wrong usage; nothing was done

Standard output has only the result, messages go to standard error. With --json
the result is one JSON document, {"Error": "…"} if the command fails. Commands
that follow events print one for each event.`;

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

export function createProgram(): Command {
  const program = new Command('fs')
    .description('Manages accounts, keys, data and events of a local or deployed stack.')
    .usage('<command> [options]')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print the help of a command')
    .configureHelp({ subcommandTerm: commandTerm })
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_, action) => nameCommand(namesOf(action)));
  for (const [heading, ...add] of groups) {
    program.commandsGroup(heading);
    for (const addCommands of add) addCommands(program);
  }
  for (const command of [program, ...program.commands.filter((each) => each.commands.length)])
    command.helpCommand('help [command]', 'Print the help of a command');
  return program.addHelpText('after', MORE_HELP);
}

/** What Commander found wrong with the words of a command, which it has printed. */
const usageSentence = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'Name a command. --help lists them.'
    : message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');

/** Runs a command and returns its exit code. Prints the sentence of a failure, for programs as a JSON document too. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const fail = (sentence: string, code: number): number => {
    if (words.includes('--json')) print({ Error: sentence }, { json: true, text: '' });
    return code;
  };
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof ReportedError) return FAILED;
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : fail(usageSentence(error), MISUSED);
    const sentence = errorSentence(error, runningFolder());
    process.stderr.write(`${sentence}\n`);
    return fail(sentence, error instanceof UsageError ? MISUSED : FAILED);
  }
}
