import { Argument, type Command } from 'commander';
import type { CliCommand } from '../command.ts';
import { apiWords } from './api/api.ts';
import { loadDocument } from '#api-document';

type Words = readonly (readonly [path: string, next: readonly string[]])[];

/** The words that can follow each command: its subcommands and options. */
function words(command: Command, path: readonly string[] = []): Words[number][] {
  const names = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  return [
    [path.join(' '), [...names, ...options, '--help']],
    ...command.commands.flatMap((each) => words(each, [...path, each.name()])),
  ];
}

const cases = (all: Words): string[] => all.map(([path, next]) => `    "${path}") next="${next.join(' ')}";;`);

/** The words before the first option name the command, at most two; everything else is completed with file names. */
const bash = (all: Words): string => `_fs() {
  local path="" next="" word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && break
    ((index > 2)) && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(all).join('\n')}
    *) case "\${path%% *}" in
${cases(all).join('\n')}
    esac;;
  esac
  [[ "$path" == "api "* ]] && compopt -o nospace
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fs fs
`;

const zsh = (all: Words): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(all)}`;

const fish = (all: Words): string =>
  `complete -c fs -f\n${all
    .map(([path, next]) => {
      const isThere = path
        ? path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
        : '__fish_use_subcommand';
      return `complete -c fs -n '${isThere}' -a '${next.join(' ')}'`;
    })
    .join('\n')}\n`;

const shells = { bash, zsh, fish };

async function printScript(shell: keyof typeof shells, _: unknown, { parent: program }: Command): Promise<void> {
  const calls = new Map(apiWords(await loadDocument()));
  // Operations and their fields, besides the options.
  const all = (program ? words(program) : []).map(
    ([path, next]) => [path, [...(calls.get(path) ?? []), ...next]] as const,
  );
  const fields = [...calls].filter(([path]) => path.includes(' '));
  process.stdout.write(shells[shell]([...all, ...fields]));
}

export const commands: readonly CliCommand[] = [
  {
    words: 'completion',
    description: 'Print a script with which a shell completes commands and options of fs: keep it in a file',
    examples: ['npx fs completion bash > ~/.local/share/bash-completion/completions/fs'],
    json: false,
    takes: (command) =>
      command.addArgument(new Argument('<shell>', 'shell that reads it').choices(Object.keys(shells))),
    here: printScript,
  },
];
