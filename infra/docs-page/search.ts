/** A heading of the guides, or an operation, that a reader may look for. */
export interface Entry {
  readonly title: string;
  /** The guide it is in, or the path of the operation. */
  readonly place: string;
  readonly href: string;
  readonly text: string;
}

/** What is read of the OpenAPI document. */
export interface SearchedDocument {
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { readonly tags: readonly string[]; readonly summary: string; readonly description: string } }
    >
  >;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** `rescheduled`, `reschedules` and `reschedule` begin alike. */
const stemOf = (word: string): string => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word);

/** As the page makes it of a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');

/** The sections of the guides. A heading of the first level begins a guide. */
function guideEntries(markdown: string): Entry[] {
  let guide = '';
  return markdown.split(/^(?=#{1,2} )/m).flatMap((section) => {
    const [, level, title = ''] = /^(#{1,2}) (.*)$/m.exec(section) ?? [];
    if (!level) return [];
    if (level === '#') guide = title;
    return [{ title, place: guide, href: `#description/${anchorOf(title)}`, text: section }];
  });
}

const operationEntries = ({ paths }: SearchedDocument): Entry[] =>
  Object.entries(paths).flatMap(([path, { post }]) =>
    post
      ? [
          {
            title: post.summary,
            place: path,
            href: `#tag/${post.tags[0] ?? ''}/POST${path}`,
            text: `${path} ${post.description}`,
          },
        ]
      : [],
  );

export const searchEntries = (guides: string, document: SearchedDocument): Entry[] => [
  ...guideEntries(guides),
  ...operationEntries(document),
];

const MOST = 8;
const IN_TITLE = 10;
const IN_PLACE = 6;

/** Counts the words of a text that begin with the stem, up to three. */
const timesIn = (words: readonly string[], stem: string): number =>
  Math.min(3, words.filter((word) => word.startsWith(stem)).length);

/** A search over entries: each word of the query must begin a word of the entry; titles count most. */
export function searcher(entries: readonly Entry[]): (query: string) => Entry[] {
  const indexed = entries.map((entry) => ({
    entry,
    title: wordsOf(entry.title),
    place: wordsOf(entry.place),
    text: wordsOf(entry.text),
  }));
  return (query) => {
    const stems = wordsOf(query).map(stemOf);
    if (!stems.length) return [];
    return indexed
      .map(({ entry, title, place, text }) => {
        const ranks = stems.map(
          (stem) => (timesIn(title, stem) && IN_TITLE) + (timesIn(place, stem) && IN_PLACE) + timesIn(text, stem),
        );
        return { entry, rank: ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0) };
      })
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank)
      .slice(0, MOST)
      .map(({ entry }) => entry);
  };
}
