import type { Command } from 'commander';
import { accountCommands } from './commands/accounts.ts';
import { agentCommands } from './commands/agents.ts';
import { auditCommands } from './commands/audit.ts';
import { bookingCommands } from './commands/bookings.ts';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import { contactCommands } from './commands/contacts.ts';
import { downloadCommand } from './commands/download.ts';
import { eventCommands } from './commands/events.ts';
import { importCommands } from './commands/imports.ts';
import { keyCommands } from './commands/keys.ts';
import { linkCommands } from './commands/links.ts';
import { requireApi } from './commands/local-api.ts';
import { paymentCommands } from './commands/payments.ts';
import { phoneCallCommands } from './commands/phone-calls.ts';
import { preflightCommand } from './commands/preflight.ts';
import { proposalCommands } from './commands/proposals.ts';
import { resetCommand } from './commands/reset.ts';
import { userCommands } from './commands/users.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { apiCommands } from './remote/api.ts';
import { loginCommands } from './remote/login.ts';
import { statusCommands } from './remote/status.ts';
import { type CommandGroups, programOf, runProgram } from './run.ts';
import { nameCommand, runningFolder } from './target.ts';

/** The commands as the help lists them. */
const groups: CommandGroups = [
  ['Accounts and keys:', accountCommands, keyCommands, userCommands],
  [
    'Data:',
    importCommands,
    downloadCommand,
    contactCommands,
    phoneCallCommands,
    proposalCommands,
    linkCommands,
    bookingCommands,
    agentCommands,
    paymentCommands,
  ],
  ['Events:', eventCommands, webhookCommands],
  [
    'Calls over HTTP:',
    (program) => statusCommands(program, requireApi),
    (program) => loginCommands(program, requireApi),
    (program) => apiCommands(program, requireApi),
  ],
  ['Operations:', auditCommands, checkCommand, preflightCommand, resetCommand, completionCommand],
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

export const createProgram = (): Command =>
  programOf(groups, {
    description: 'Manages accounts, keys, data and events of a local or deployed stack.',
    moreHelp: MORE_HELP,
    calledAs: 'npx fs',
  });

/** Runs a command and returns its exit code. Prints the sentence of a failure, for programs as a JSON document too. */
export const runCommand = (words: readonly string[]): Promise<number> =>
  runProgram(createProgram, words, { nameCommand, runningFolder });
