import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  /** The nearest heading of the second level above it. */
  readonly section: string;
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a page in Markdown, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  let section = '';
  return [...page.matchAll(/^## (.*)$|^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, heading, language, text]) => {
    if (heading !== undefined) section = heading;
    return language === undefined || text === undefined ? [] : [{ section, language, text }];
  });
}

/** For a shell that follows a page: `npx fs` is the tool, without the start of npm, which takes 2 s. */
export const npxOfTool = `npx() { if [ "$1" = fs ]; then shift; node infra/cli/fs.ts "$@"; else "$@"; fi; }`;

/** The pages for readers, by their paths from the root. */
export const pages = (root: string): string[] => [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(root, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The anchors of a page's headings, as GitHub names them. */
export const anchors = (page: string): Set<string> =>
  new Set(
    [...page.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** The relative links of a page: a path, an anchor or both. */
export const relativeLinks = (page: string): string[] =>
  [
    ...page
      .replaceAll(/^```[^]*?^```$/gm, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
