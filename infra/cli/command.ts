import type { Command } from 'commander';
import { accountOption, jsonOption } from './options.ts';
import { type RemoteOptions, type RequireApi, profileOption } from './remote/profile.ts';

/** What a command does with its arguments, its options, and itself. */
type Run = (...words: never[]) => unknown;
type RunOverHttp = (requireApi: RequireApi, ...words: never[]) => unknown;

/**
 * Where a command runs, and what it does there:
 * - `overHttp`: with an address and a key (`--profile`)
 * - `onTable`: by the operator, on the table, for one account (`--account`)
 * - `onWholeTable`: by the operator, for accounts that it names itself, or all
 * - `here`: without API and table
 */
type Where =
  | { readonly overHttp: RunOverHttp; readonly onTable?: Run }
  | { readonly onTable: Run }
  | { readonly onWholeTable: Run }
  | { readonly here: Run };

/** A command of the tool: its name and parameters, and what it does in each place where it runs. */
export type CliCommand = Where & {
  /** For example `webhook create`. */
  readonly words: string;
  /** For lists of commands, if the description is long. */
  readonly summary?: string;
  readonly description: string;
  /** Lines that users can try. */
  readonly examples?: readonly [string, ...string[]];
  /** Adds its arguments and options, besides those implied by where it runs. */
  readonly takes?: (command: Command) => Command;
  /** `false` for commands without `--json`, which print lines or a file. */
  readonly json?: false;
};

/** Where the tool runs: in a checkout, or as the package. */
export interface Place {
  /** The API that a command over HTTP calls. */
  readonly requireApi: RequireApi;
  /** Whether a command that works both ways uses the table. The package has no table. */
  readonly usesTable?: (options: RemoteOptions) => boolean;
}

/** A function of a module that is loaded on the first call, because the package has no modules of the table. */
export const whenCalled =
  <Name extends string, Words extends unknown[]>(
    load: () => Promise<Readonly<Record<Name, (...words: Words) => Promise<void>>>>,
    name: Name,
  ) =>
  async (...words: Words): Promise<void> =>
    (await load())[name](...words);

/** The options that Commander passes: before the command, after the arguments. */
export const optionsOf = <Options>(given: readonly unknown[]): Options => given.at(-2) as Options;

/** What a command does with what Commander passes. Over HTTP it also gets the API to call. */
function actionOf(declared: CliCommand, { requireApi, usesTable }: Place): (...given: never[]) => unknown {
  if ('here' in declared) return declared.here;
  if ('onWholeTable' in declared) return declared.onWholeTable;
  if (!('overHttp' in declared)) return declared.onTable;
  const { overHttp, onTable } = declared;
  return (...given) => (onTable && usesTable?.(optionsOf(given)) ? onTable(...given) : overHttp(requireApi, ...given));
}

/** The command with the name below another one, which is created if it is missing. */
const commandBelow = (parent: Command, name: string): Command =>
  parent.commands.find((each) => each.name() === name) ?? parent.command(name);

/** Adds example commands to the help of a command. */
const examples = (command: Command, ...lines: readonly [string, ...string[]]): Command =>
  command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );

/** Adds a command to the program. */
export function addCommand(program: Command, declared: CliCommand, place: Place): void {
  const { words, summary, description, examples: lines, takes, json } = declared;
  const command = words.split(' ').reduce(commandBelow, program).description(description);
  if (summary) command.summary(summary);
  if ('onTable' in declared && place.usesTable) accountOption(command);
  if ('overHttp' in declared) profileOption(command);
  if (json !== false) jsonOption(command);
  if (lines) examples(command, ...lines);
  const action = actionOf(declared, place);
  (takes?.(command) ?? command).action(async (...given: unknown[]) => void (await action(...(given as never[]))));
}
