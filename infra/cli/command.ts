import type { Command } from 'commander';
import { examples } from './examples.ts';
import { accountOption, jsonOption } from './options.ts';
import { type RemoteOptions, type RequireApi, profileOption } from './remote/profile.ts';

/** What a command does with its arguments, its options, and itself. */
type Run = (...words: never[]) => unknown;

/** A command of the tool: what it is called, what it takes, and what it does in each place where it runs. */
export interface CliCommand {
  /** `webhook create`. */
  readonly words: string;
  /** For lists of commands, where the description is long. */
  readonly summary?: string;
  readonly description: string;
  /** Lines to try. */
  readonly examples?: readonly [string, ...string[]];
  /** Adds its arguments and options, besides those that follow from where it runs. */
  readonly takes?: (command: Command) => Command;
  /** `false` for a command without `--json`: it prints lines or a file. */
  readonly json?: false;
  /** With an address and a key (`--profile`). */
  readonly overHttp?: (requireApi: RequireApi, ...words: never[]) => unknown;
  /** On the table, for one account (`--account`). */
  readonly onTable?: Run;
  /** On the table, for accounts that it names itself, or all. */
  readonly onWholeTable?: Run;
  /** Without API and table. */
  readonly here?: Run;
}

/** Where the tool runs: in a checkout, or as the package. */
export interface Place {
  /** Which API a command over HTTP calls. */
  readonly requireApi: RequireApi;
  /** Whether a command that works both ways works on the table. The package has no table. */
  readonly usesTable?: (options: RemoteOptions) => boolean;
}

/** A function of a module that is loaded when the function is called: the package has no modules of the table. */
export const whenCalled =
  <Name extends string, Words extends unknown[]>(
    load: () => Promise<Readonly<Record<Name, (...words: Words) => Promise<void>>>>,
    name: Name,
  ) =>
  async (...words: Words): Promise<void> =>
    (await load())[name](...words);

/** What Commander calls with arguments, options and the command. */
function actionOf({ words, overHttp, onTable, ...others }: CliCommand, { requireApi, usesTable }: Place) {
  return async (...given: unknown[]): Promise<void> => {
    const run = others.here ?? others.onWholeTable ?? onTable;
    const isOnTable = !overHttp || (onTable && usesTable?.((given.at(-2) ?? {}) as RemoteOptions));
    if (!isOnTable) await overHttp(requireApi, ...(given as never[]));
    else if (run) await run(...(given as never[]));
    else throw new TypeError(`${words} runs nowhere.`);
  };
}

/** The command of the name below another one, which is made where it is missing. */
const commandBelow = (parent: Command, name: string): Command =>
  parent.commands.find((each) => each.name() === name) ?? parent.command(name);

/** Adds a command to the program. */
export function addCommand(program: Command, declared: CliCommand, place: Place): void {
  const { words, summary, description, examples: lines, takes, json, overHttp, onTable } = declared;
  const command = words.split(' ').reduce(commandBelow, program).description(description);
  if (summary) command.summary(summary);
  if (onTable && place.usesTable) accountOption(command);
  if (overHttp) profileOption(command);
  if (json !== false) jsonOption(command);
  if (lines) examples(command, ...lines);
  (takes?.(command) ?? command).action(actionOf(declared, place));
}
