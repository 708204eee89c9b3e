/** Commander's messages about invalid words, and our sentences for them. */
const SENTENCES: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^missing required argument '(.+)'$/, 'Name the <$1>.'],
  [/^required option '(.+)' not specified$/, 'The option $1 is required.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, 'The option $1 needs a value.'],
  [/^option '(?:-\w, )?(--[\w-]+).*?' argument '([^]*)' is invalid\. ?([^]*)$/, '$1 cannot be "$2". $3'],
  [/^command-argument value '([^]*)' is invalid for argument '(.+)'\. ?([^]*)$/, '<$2> cannot be "$1". $3'],
  [/^unknown (option|command) '([^]*)'(.*)$/, 'There is no $1 $2.$3'],
  [/^too many arguments(?: for '(.+)')?\. (.*)$/, 'These are too many arguments. $2'],
];

/** `error: unknown command 'acount'\n(Did you mean account?)` as `There is no command acount. Did you mean account?` */
export function usageSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  const [, words = text, hint = ''] = /^([^]*?) ?(?:\((Did you mean .+\?)\))?$/.exec(text) ?? [];
  const [pattern, sentence = ''] = SENTENCES.find(([each]) => each.test(words)) ?? [];
  const said = pattern ? words.replace(pattern, sentence).trim() : words;
  const help = words.startsWith('unknown command') && !hint ? '--help lists them.' : hint;
  return `${/[.?]$/.test(said) ? said : `${said}.`} ${help}`.trim();
}
