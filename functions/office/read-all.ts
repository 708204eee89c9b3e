import { MAX_TAKE } from '../../lib/resources/queries.ts';
import type { UserCall } from './office-page.ts';

/** A list of a query. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Whether more match than were read. */
  readonly isCut: boolean;
}

/** What a query lists, in pages of 500, at most so many pages. */
export async function readAll<Item>(
  { call }: Pick<UserCall, 'call'>,
  { operation, list, request }: { readonly operation: string; readonly list: string; readonly request: object },
  maxPages: number,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  for (let page = 0; page < maxPages; page++) {
    const paged = { ...request, Skip: page * MAX_TAKE, Take: MAX_TAKE };
    const answer = await call<Readonly<Record<string, unknown>>>({ operation, request: paged });
    items.push(...(answer[list] as readonly Item[]));
    if (items.length >= Number(answer['Count'])) return { items, isCut: false };
  }
  return { items, isCut: true };
}
