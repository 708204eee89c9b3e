import type { Searched } from '../../lib/shared/text/search.ts';

/**
 * A heading of the guides, or an operation, that readers may search for; its place is the guide or path that contains
 * it.
 */
export interface Entry extends Searched {
  readonly href: string;
}

/** Maximum number of results that the field above the page lists. */
export const FOUND = 8;

/** The parts of the OpenAPI document that are read. */
export interface SearchedDocument {
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { readonly tags: readonly string[]; readonly summary: string; readonly description: string } }
    >
  >;
}

/** The anchor that the page gives a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');

/** The sections of the guides. A first-level heading begins a guide. */
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
