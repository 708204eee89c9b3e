import type { Command } from 'commander';
import { type CliCommand, type Place, addCommand } from './command.ts';
import type { CommandGroups, Texts } from './run.ts';
import { programOf } from './run.ts';

type AddCommands = (program: Command) => void;
type Module = { readonly commands: readonly CliCommand[] };

/** Commands that begin with the same word, or stand alone in one file. Loading all of them takes seconds of CPU. */
interface Family {
  /** The first words of its commands. */
  readonly names: readonly string[];
  /** The help text for a first word that is followed by others; `onTable` if there is a table. */
  readonly about?: string;
  readonly aboutOnTable?: string;
  readonly alias?: string;
  /** The files of its commands. The package has none of those imported from `#on-table` (`imports` of package.json). */
  readonly files: readonly (() => Promise<Module>)[];
}

/** The commands as the help lists them. */
const groups: readonly (readonly [heading: string, families: readonly Family[]])[] = [
  [
    'A day in the office:',
    [
      { names: ['today'], files: [() => import('./commands/people/today.ts')] },
      { names: ['dayplan'], files: [() => import('./commands/people/dayplan.ts')] },
      { names: ['client'], files: [() => import('./commands/people/client-file.ts')] },
      { names: ['book', 'move'], files: [() => import('./commands/people/plan-visit.ts')] },
      { names: ['owes'], files: [() => import('./commands/people/owes.ts')] },
    ],
  ],
  [
    'Accounts and keys:',
    [
      {
        names: ['account'],
        about: 'Create, list, suspend, migrate and delete accounts',
        files: [() => import('#on-table/accounts'), () => import('#on-table/account-upkeep')],
      },
      { names: ['key'], about: 'Create, list, rotate and revoke API keys', files: [() => import('#on-table/keys')] },
      {
        names: ['user'],
        about: 'Compare users with the user pool in which they sign in',
        files: [() => import('#on-table/users')],
      },
    ],
  ],
  [
    'Data:',
    [
      {
        names: ['import', 'export'],
        files: [() => import('./commands/imports/import.ts'), () => import('#on-table/imports/export')],
      },
      { names: ['download'], files: [() => import('./commands/download/download.ts')] },
      {
        names: ['contact'],
        about: 'Find and merge duplicates; export or erase everything about a person',
        files: [() => import('#on-table/merges'), () => import('#on-table/contacts')],
      },
      {
        names: ['phone-calls'],
        about: 'List and show logged calls, also without a contact',
        files: [() => import('#on-table/phone-calls')],
      },
      {
        names: ['proposal'],
        about: 'Verify acceptances and write their evidence',
        files: [() => import('#on-table/proposals')],
      },
      {
        names: ['links'],
        about: 'Show and revoke the links that clients get',
        files: [() => import('#on-table/links')],
      },
      {
        names: ['bookings'],
        about: 'List and undo visits that strangers book on a page',
        files: [() => import('#on-table/bookings')],
      },
      {
        names: ['agents'],
        about: 'Have service agents leave, and move their visits',
        files: [() => import('#on-table/agents')],
      },
      {
        names: ['payments'],
        about: 'Connect Stripe, so that clients pay on their pages',
        files: [() => import('#on-table/payments')],
      },
      {
        names: ['leads'],
        about: 'Make addresses for forms of other sites, whose leads become contacts and tasks',
        files: [() => import('#on-table/leads')],
      },
      {
        names: ['messages'],
        about: 'Show which messages clients get, and check the services that send them',
        files: [() => import('#on-table/messages'), () => import('#on-table/message-services')],
      },
    ],
  ],
  [
    'Events:',
    [
      {
        names: ['events'],
        about: 'Show and forward events',
        aboutOnTable: 'Show, forward, cause and redrive events',
        files: [
          () => import('./commands/events/tail.ts'),
          () => import('./commands/events/forward.ts'),
          () => import('#on-table/events/trigger'),
          () => import('#on-table/events/redrive'),
          () => import('#on-table/events/rebuild'),
        ],
      },
      {
        names: ['webhook', 'webhooks'],
        alias: 'webhooks',
        about: 'Manage addresses that are called with events',
        files: [() => import('./commands/webhooks/webhooks.ts'), () => import('#on-table/webhooks/calls')],
      },
    ],
  ],
  [
    'Calls over HTTP:',
    [
      { names: ['status', 'open'], files: [() => import('./commands/status.ts')] },
      { names: ['login', 'logout', 'whoami'], files: [() => import('./commands/login.ts')] },
      { names: ['api', 'docs'], files: [() => import('./commands/api/api.ts')] },
    ],
  ],
  [
    'Operations:',
    [
      {
        names: ['audit'],
        about: 'Export what happened in an account, and verify an export',
        files: [() => import('#on-table/audit')],
      },
      { names: ['check'], files: [() => import('#on-table/check')] },
      { names: ['preflight'], files: [() => import('#on-table/preflight')] },
      { names: ['reset'], files: [() => import('#on-table/reset')] },
    ],
  ],
  // No first word loads it alone: it lists the words of all commands.
  ['Shell:', [{ names: [], files: [() => import('./commands/completion.ts')] }]],
];

/** Loads a family, and returns what adds its commands below its first word. */
async function loadFamily({ names, about, aboutOnTable, alias, files }: Family, place: Place): Promise<AddCommands> {
  const modules = await Promise.all(files.map((load) => load()));
  return (program) => {
    const [name] = names;
    const commands = modules.flatMap((module) => module.commands);
    if (about && name && commands.length) {
      const parent = program.command(name).description((place.usesTable && aboutOnTable) || about);
      if (alias) parent.alias(alias);
    }
    for (const command of commands) addCommand(program, command, place);
  };
}

/** The program with the commands of the first word; with all of them if it is not a command, such as `--help`. */
export async function programOfFamilies(first: string, place: Place, texts: Texts): Promise<Command> {
  const load = (families: readonly Family[]) => Promise.all(families.map((family) => loadFamily(family, place)));
  const ofFirst = groups.flatMap(([, families]) => families).filter(({ names }) => names.includes(first));
  const loaded: CommandGroups = ofFirst.length
    ? [['Commands:', ...(await load(ofFirst))]]
    : await Promise.all(groups.map(async ([heading, families]) => [heading, ...(await load(families))] as const));
  return programOf(loaded, texts);
}
