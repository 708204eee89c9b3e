import type { Answer, Fields } from './caller.ts';

/** A page, and with `for await` every record from there on. */
export type Page<Result, Item> = Promise<Result> & AsyncIterable<Item>;

/**
 * Reads a list page by page: each page names the list of the previous one, so that another program with the same key
 * does not continue it.
 */
export function readPages(
  read: (request: Fields, list: string) => Promise<Answer>,
  request: Fields,
  list: string,
): Page<Fields, unknown> {
  const first = read(request, '');
  const everyRecord = async function* (): AsyncGenerator<unknown> {
    for (let page = await first; ;) {
      yield* page.fields[list] as readonly unknown[];
      const next = page.headers.get('x-next-skip');
      if (next === null) return;
      page = await read({ ...request, Skip: Number(next) }, page.headers.get('x-list') ?? '');
    }
  };
  return Object.assign(
    first.then(({ fields }) => fields),
    { [Symbol.asyncIterator]: everyRecord },
  );
}
