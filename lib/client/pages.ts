import type { Answer, Fields } from './caller.ts';

/** Where the pages of an operation are limited and listed: `['Limit', 'Matches']` of contacts/locate. */
export type Paging = readonly [size: string, list: string];

/** A page, and with `for await` every record from there on. */
export type Page<Result, Item> = Promise<Result> & AsyncIterable<Item>;

/** The API returns at least so many records a page where the request names no number, if there are so many. */
const DEFAULT_SIZE = 100;

/** The Skip of the next page; `undefined` after the last. */
function nextSkip(skip: number, size: number, count: number, { Message: message, Count: total }: Fields) {
  // A page of 6 MB ends early, and Message says where the next begins.
  const [, named] = /Continue with Skip (\d+)/.exec(String(message)) ?? [];
  if (named) return Number(named);
  const next = skip + count;
  return count < size || (typeof total === 'number' && next >= total) ? undefined : next;
}

/**
 * Reads a list page by page: each names the list of the one before, so that another program with the same key does not
 * continue it.
 */
export function readPages(
  read: (request: Fields, list: string) => Promise<Answer>,
  request: Fields,
  [size, list]: Paging,
): Page<Fields, unknown> {
  const first = read(request, '');
  const everyRecord = async function* (): AsyncGenerator<unknown> {
    let skip = Number(request['Skip'] ?? 0);
    for (let page = await first; ;) {
      const records = page.fields[list] as readonly unknown[];
      yield* records;
      const next = nextSkip(skip, Number(request[size] || DEFAULT_SIZE), records.length, page.fields);
      if (next === undefined) return;
      skip = next;
      page = await read({ ...request, Skip: skip }, page.headers.get('x-list') ?? '');
    }
  };
  return Object.assign(
    first.then(({ fields }) => fields),
    { [Symbol.asyncIterator]: everyRecord },
  );
}
