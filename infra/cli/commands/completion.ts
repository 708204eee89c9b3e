import { Argument, type Command } from 'commander';
import { examples } from '../examples.ts';

/** What may follow the words of each command: its commands and options. */
function words(command: Command, path: readonly string[] = []): (readonly [path: string, next: readonly string[]])[] {
  const names = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => long ?? []);
  return [
    [path.join(' '), [...names, ...options, '--help']],
    ...command.commands.flatMap((each) => words(each, [...path, each.name()])),
  ];
}

const cases = (program: Command, quote: string): string[] =>
  words(program).map(([path, next]) => `    ${quote}${path}${quote}) next="${next.join(' ')}";;`);

/** Words before the first option name the command, at most two of them; file names complete everything else. */
const bash = (program: Command): string => `_fs() {
  local path="" next="" word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && break
    ((index > 2)) && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(program, '"').join('\n')}
    *) case "\${path%% *}" in
${cases(program, '"').join('\n')}
    esac;;
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fs fs
`;

const zsh = (program: Command): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;

const fish = (program: Command): string =>
  `complete -c fs -f\n${words(program)
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
  examples(program.command('completion'), 'source <(npx fs completion bash)')
    .description('Print a script with which a shell completes commands and options of fs')
    .addArgument(new Argument('<shell>', 'shell that reads it').choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => void process.stdout.write(shells[shell](program)));
}
