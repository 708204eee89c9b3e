import type { Command } from 'commander';
import { nameCommand, runningFolder } from './local-stack.ts';
import type { RequireApi } from './remote/profile.ts';
import { type CommandGroups, programOf, runProgram } from './run.ts';

type AddCommands = (program: Command) => void;

/** Modules by the first words of their commands: loading all of them takes seconds of CPU. */
type CommandModules = readonly (readonly [names: readonly string[], load: () => Promise<AddCommands>])[];

/** Commands that call the API. */
const overHttp =
  (load: () => Promise<(program: Command, requireApi: RequireApi) => void>) => async (): Promise<AddCommands> => {
    const [add, { requireApi }] = await Promise.all([load(), import('./commands/local-api.ts')]);
    return (program) => add(program, requireApi);
  };

/** The commands as the help lists them. */
const groups: readonly (readonly [heading: string, modules: CommandModules])[] = [
  [
    'A day in the office:',
    [
      [['today'], overHttp(async () => (await import('./remote/people/today.ts')).todayCommand)],
      [['client'], overHttp(async () => (await import('./remote/people/client-file.ts')).clientCommand)],
      [['book', 'move'], overHttp(async () => (await import('./remote/people/plan-visit.ts')).planCommands)],
      [['owes'], overHttp(async () => (await import('./remote/people/owes.ts')).owesCommand)],
    ],
  ],
  [
    'Accounts and keys:',
    [
      [['account'], async () => (await import('./commands/accounts.ts')).accountCommands],
      [['key'], async () => (await import('./commands/keys.ts')).keyCommands],
      [['user'], async () => (await import('./commands/users.ts')).userCommands],
    ],
  ],
  [
    'Data:',
    [
      [['import', 'export'], async () => (await import('./commands/imports.ts')).importCommands],
      [['download'], async () => (await import('./commands/download.ts')).downloadCommand],
      [['contact'], async () => (await import('./commands/contacts.ts')).contactCommands],
      [['phone-calls'], async () => (await import('./commands/phone-calls.ts')).phoneCallCommands],
      [['proposal'], async () => (await import('./commands/proposals.ts')).proposalCommands],
      [['links'], async () => (await import('./commands/links.ts')).linkCommands],
      [['bookings'], async () => (await import('./commands/bookings.ts')).bookingCommands],
      [['agents'], async () => (await import('./commands/agents.ts')).agentCommands],
      [['payments'], async () => (await import('./commands/payments.ts')).paymentCommands],
    ],
  ],
  [
    'Events:',
    [
      [['events'], async () => (await import('./commands/events.ts')).eventCommands],
      [['webhook'], async () => (await import('./commands/webhooks.ts')).webhookCommands],
    ],
  ],
  [
    'Calls over HTTP:',
    [
      [['status', 'open'], overHttp(async () => (await import('./remote/status.ts')).statusCommands)],
      [['login', 'logout', 'whoami'], overHttp(async () => (await import('./remote/login.ts')).loginCommands)],
      [['api', 'docs'], overHttp(async () => (await import('./remote/api.ts')).apiCommands)],
    ],
  ],
  [
    'Operations:',
    [
      [['audit'], async () => (await import('./commands/audit.ts')).auditCommands],
      [['check'], async () => (await import('./commands/check.ts')).checkCommand],
      [['preflight'], async () => (await import('./commands/preflight.ts')).preflightCommand],
      [['reset'], async () => (await import('./commands/reset.ts')).resetCommand],
    ],
  ],
];

/** Lists the words of all commands. */
const completion: CommandModules[number] = [
  ['completion'],
  async () => (await import('./commands/completion.ts')).completionCommand,
];

const MORE_HELP = `
Examples:
  npx fs key create --role Office --name "call centre"
  npx fs import company.yaml --dry-run
  npx fs events tail --follow

Where it connects:
  FS_DATA     data folder of a local stack (npm start); without it .local
  TABLE_NAME  table of a deployed stack, with AWS_REGION and AWS credentials;
              some need BUCKET_NAME, BASE_URL, CALLBACK_KEY_SECRET,
              PAYMENT_KEY_SECRET or USER_POOL_ID too
  FS_URL      address of an API, with a key of it in FS_KEY, as fs login keeps
              them: for login to docs, status, open, events tail and forward,
              webhook, download and import of contacts, without a table
  DYNAMODB_ENDPOINT  address of another DynamoDB, as for npm start

Exit codes:
  0  done
  1  refused or failed, or what was checked is not valid
  2  wrong usage; nothing was done

Standard output has only the result, messages go to standard error. With --json
the result is one JSON document, {"Error": "…"} if the command fails. Commands
that follow events print one for each event.`;

const load = async (modules: CommandModules): Promise<AddCommands[]> =>
  Promise.all(modules.map(([, loadModule]) => loadModule()));

/** The program with the commands of the first word; with all of them if it is not a command, such as `--help`. */
export async function createProgram([first = '']: readonly string[] = []): Promise<Command> {
  const ofFirst = groups.flatMap(([, modules]) => modules).filter(([names]) => names.includes(first));
  const loaded: CommandGroups = ofFirst.length
    ? [['Commands:', ...(await load(ofFirst))]]
    : await Promise.all([
        ...groups.map(async ([heading, modules]) => [heading, ...(await load(modules))] as const),
        load([completion]).then((added) => ['Shell:', ...added] as const),
      ]);
  return programOf(loaded, {
    description: 'Manages accounts, keys, data and events of a local or deployed stack.',
    moreHelp: MORE_HELP,
    calledAs: 'npx fs',
  });
}

/**
 * Runs a command and returns its exit code. Prints the sentence of a failure, with `--json` also as a JSON document.
 */
export const runCommand = (words: readonly string[]): Promise<number> =>
  runProgram(createProgram, words, { nameCommand, runningFolder });
