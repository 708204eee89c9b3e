import type { PatientTable } from '../../lib/store/dynamodb/table.ts';

/** Every text of a value that names an item or partition of an account. */
export function* keysIn(value: unknown, account: string): Generator<string> {
  if (typeof value === 'string' && value.startsWith(`A#${account}#`)) yield value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [name, each] of value instanceof Map ? [...value] : Object.entries(value)) {
    if (/^(?:GSI\d)?[PS]K$/.test(String(name)) && typeof each === 'string' && each.includes(account)) yield each;
    else yield* keysIn(each, account);
  }
}

/** The table, which remembers what it is asked for and what it answers. */
export function watched(table: PatientTable) {
  const seen: unknown[] = [];
  const watch =
    <Input extends readonly unknown[], Output>(method: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      seen.push(input);
      const output = await method(...input);
      seen.push(output);
      return output;
    };
  const { get, getMany, query, commit, update, putMany, writeCached } = table;
  const methods = { get, getMany, query, commit, update, putMany, writeCached };
  const watching = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, watch(method as never)]));
  const own: PatientTable = { ...table, ...watching, until: () => own };
  return { table: own, seen };
}

/** What a function returns, or throws; the first pages of what it lists. */
export async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
    const pages: unknown[] = [];
    for await (const page of result as AsyncIterable<unknown>) if (pages.push(page) === 3) break;
    return pages;
  } catch (error) {
    return error;
  }
}
