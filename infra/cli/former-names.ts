/** Names of commands until version 0.2, and what they are now. They end with version 1.0. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'callbacks list': 'webhook calls',
  'callbacks show': 'webhook show-call',
  'callbacks replay': 'webhook replay',
  callbacks: 'webhook',
  'call list': 'phone-calls list',
  'call show': 'phone-calls show',
  call: 'phone-calls',
};

/** The words of a command with its name of today; `former` is the name that they gave, if it is another. */
export function currentName(words: readonly string[]): {
  readonly words: readonly string[];
  readonly former?: string;
  readonly current?: string;
} {
  for (const count of [2, 1]) {
    const former = words.slice(0, count).join(' ');
    const current = FORMER_NAMES[former];
    if (current !== undefined) return { words: [...current.split(' '), ...words.slice(count)], former, current };
  }
  return { words };
}
