/**
 * Command names up to version 0.2, with the current ones. They are removed in the first version after November 2027.
 */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'callbacks list': 'webhook calls',
  'callbacks show': 'webhook show-call',
  'callbacks replay': 'webhook replay',
  callbacks: 'webhook',
  'call list': 'phone-calls list',
  'call show': 'phone-calls show',
  call: 'phone-calls',
};

/** The words of a command with its current name; `former` is the old name, if that was used. */
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
