import { SERVER_PLACEHOLDER } from '../../lib/api/http/assets.ts';
import { type Guide, guidesText } from './guides.ts';

/** The parts of the OpenAPI document that are read. */
export interface Reference {
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<string, { readonly post: { readonly summary: string; readonly description: string } }>
  >;
}

const HEAD = `# Field-service API

> The business system of a field-service company as one HTTP and JSON interface: contacts, scheduling, proposals,
> invoices, payments and events. Every operation is \`POST /api/<group>/<operation>\` with a key in \`X-Api-Key\`.
`;

/** /llms.txt, as https://llmstxt.org describes it: what exists, and where to read about it. */
export const llmsIndex = (guides: readonly Guide[], { paths }: Reference): string =>
  [
    HEAD,
    '## Guides\n',
    `- [All guides, and what each operation does](${SERVER_PLACEHOLDER}/llms-full.txt): one text, with these headings`,
    ...guides.map(({ title }) => `  - ${title}`),
    '\n## Reference\n',
    `- [OpenAPI document](${SERVER_PLACEHOLDER}/openapi.json): every operation with its fields, examples and failures`,
    '\n## Operations\n',
    ...Object.entries(paths).map(([path, { post }]) => `- \`POST ${path}\`: ${post.summary}`),
    '',
  ].join('\n');

/** /llms-full.txt: all guides, the rules of every call, and what each operation does. */
export const llmsFull = (guides: readonly Guide[], { info, paths }: Reference): string =>
  [
    HEAD,
    guidesText(guides).replaceAll(GUIDES_CALL, SERVER_PLACEHOLDER),
    '\n# Every call\n',
    info.description,
    '\n# Operations\n',
    ...Object.entries(paths).map(
      ([path, { post }]) => `## ${post.summary}\n\n\`POST ${path}\`\n\n${withLinks(post.description)}\n`,
    ),
  ].join('\n');

/** The guides that operations refer to are in the same text. */
const withLinks = (description: string): string => description.replaceAll('](/docs#description/', '](#');

/** The address of the local stack. */
const GUIDES_CALL = 'http://127.0.0.1:4000';
