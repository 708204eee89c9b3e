import { readFileSync } from 'node:fs';
import { anchorOf } from './search.ts';

/** The pages of docs/guides, in working order. */
const NAMES = [
  'welcome',
  'first-call',
  'clients',
  'booking',
  'scheduling-rules',
  'day-plan',
  'calendars',
  'quote-to-paid',
  'send-a-link',
  'messages',
  'office',
  'leads-from-a-form',
  'calendars',
  'webhooks',
  'mirroring',
  'downloads',
  'files',
  'paging',
  'errors',
  'time-zones',
  'testing-locally',
  'moving',
];

export interface Guide {
  /** File name, without `.md`. */
  readonly name: string;
  readonly title: string;
  /** Markdown, with the title as its first-level heading. */
  readonly text: string;
}

export const readGuides = (): Guide[] =>
  NAMES.map((name) => {
    const text = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8').trim();
    return { name, title: /^# (.*)$/m.exec(text)?.[1] ?? name, text };
  });

/**
 * The guides as one Markdown text. A link to another guide becomes a link to its heading, with an address that begins
 * with `prefix`; a link to another file of the repository becomes its words and the file's name.
 */
export function guidesText(guides: readonly Guide[], prefix = ''): string {
  const titles = new Map(guides.map(({ name, title }) => [`${name}.md`, title]));
  const toLink = (words: string, file: string) => {
    const title = titles.get(file);
    return title ? `[${words}](#${prefix}${anchorOf(title)})` : `${words} (${file.replace('../', 'docs/')})`;
  };
  return guides
    .map(({ text }) => text)
    .join('\n\n')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)/g, (_, words: string, file: string) => toLink(words, file));
}

/** The addresses of all headings of the guides, in the form of links to `/docs#description/…`. */
export const guideAnchors = (guides: readonly Guide[]): string[] =>
  guides.flatMap(({ text }) => [...text.matchAll(/^#{1,2} (.*)$/gm)].map(([, title = '']) => anchorOf(title)));
