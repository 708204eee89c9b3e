import type { Fault } from '../faults.ts';
import { fold } from '../words.ts';
import type { BookChange } from './plan-types.ts';
import type { BookKind, PriceBook } from './records.ts';
import { KINDS, nameIn, ownerOf } from './told.ts';

/** How many of a kind a book may have, so that all of it can be read at once; services an organization, or the account. */
const MOST: Record<BookKind, number> = {
  services: 1_000, parts: 10_000, partTemplates: 1_000, dimensions: 1_000, revenueCategories: 1_000, proposalTemplates: 1_000,
};

/** Things of one kind and owner whose name, whatever its case and accents, another has too. */
function namesakes(book: PriceBook, changes: readonly BookChange[]): Fault[] {
  const byName = new Map<string, number[]>();
  const key = (kind: BookKind, thing: object) => `${kind}#${ownerOf(kind, thing)}#${fold(nameIn(kind, thing))}`;
  const kinds = new Set(changes.map(({ kind }) => kind));
  for (const kind of kinds) {
    for (const thing of book[kind].values()) {
      const name = key(kind, thing);
      const ids = byName.get(name);
      if (ids) ids.push(thing.Id);
      else byName.set(name, [thing.Id]);
    }
  }
  return changes.flatMap(({ kind, field, after }) => {
    const twin = nameIn(kind, after) ? byName.get(key(kind, after))?.find((id) => id !== after.Id) : undefined;
    const { what, name } = KINDS[kind];
    return twin === undefined ? [] : [{ field: `${field}.${name}`, message: `is also that of ${what} ${twin}` }];
  });
}

function tooMany(book: PriceBook, changes: readonly BookChange[]): Fault[] {
  const fresh = changes.filter(({ before }) => !before);
  return [...new Set(fresh.map(({ kind }) => kind))].flatMap((kind) => {
    const owners = new Set(fresh.filter((change) => change.kind === kind).map(({ after }) => ownerOf(kind, after)));
    const count = (owner: number | null) => [...book[kind].values()].filter((thing) => ownerOf(kind, thing) === owner).length;
    const { list, what } = KINDS[kind];
    return [...owners].some((owner) => count(owner) > MOST[kind]) ? [{ field: list, message: `would make more than ${MOST[kind]} of the kind ${what}` }] : [];
  });
}

/** What belongs to the whole account is not for a caller of one organization to change. */
const notTheirs = (changes: readonly BookChange[]): Fault[] =>
  changes.flatMap(({ kind, field, before, after }) => {
    if (ownerOf(kind, after) !== null) return [];
    const { what } = KINDS[kind];
    const message = before
      ? `changes ${what} ${after.Id}, which belongs to the whole account: only a key of the account may change it`
      : `would be a new ${what} of the whole account, which only a key of the account may make`;
    return [{ field, message }];
  });

/** What is wrong with the book as a whole after these changes. */
export const checkBook = (book: PriceBook, changes: readonly BookChange[], accountWide: boolean): Fault[] => [
  ...namesakes(book, changes),
  ...tooMany(book, changes),
  ...(accountWide ? [] : notTheirs(changes)),
];
