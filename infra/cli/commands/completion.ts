import { Argument, type Command } from 'commander';
import { examples } from '../examples.ts';
import { apiWords } from '../remote/api.ts';
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

/** `completion`. */
export function completionCommand(program: Command): void {
  examples(program.command('completion'), 'npx fs completion bash > ~/.local/share/bash-completion/completions/fs')
    .description('Print a script with which a shell completes commands and options of fs: keep it in a file')
    .addArgument(new Argument('<shell>', 'shell that reads it').choices(Object.keys(shells)))
    .action(async (shell: keyof typeof shells) => {
      const calls = new Map(apiWords(await loadDocument()));
      // Operations and their fields, besides the options.
      const all = words(program).map(([path, next]) => [path, [...(calls.get(path) ?? []), ...next]] as const);
      const fields = [...calls].filter(([path]) => path.includes(' '));
      process.stdout.write(shells[shell]([...all, ...fields]));
    });
}
