import type { Command } from 'commander';
import { examples } from './examples.ts';
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

/** A command of the tool: what it is called and takes, and what it does in each place where it runs. */
export type CliCommand = Where & {
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
};

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

/** The options among what Commander gives: they stand before the command, behind the arguments. */
export const optionsOf = <Options>(given: readonly unknown[]): Options => given.at(-2) as Options;

/** What a command does with what Commander gives. Over HTTP it also gets which API it calls. */
function actionOf(declared: CliCommand, { requireApi, usesTable }: Place): (...given: never[]) => unknown {
  if ('here' in declared) return declared.here;
  if ('onWholeTable' in declared) return declared.onWholeTable;
  if (!('overHttp' in declared)) return declared.onTable;
  const { overHttp, onTable } = declared;
  return (...given) => (onTable && usesTable?.(optionsOf(given)) ? onTable(...given) : overHttp(requireApi, ...given));
}

/** The command of the name below another one, which is made where it is missing. */
const commandBelow = (parent: Command, name: string): Command =>
  parent.commands.find((each) => each.name() === name) ?? parent.command(name);

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
