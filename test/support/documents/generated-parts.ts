import { kindMeanings } from '../../../lib/domain/event-kinds.ts';
import { columnsDocument } from './downloads-document.ts';

interface GeneratedPart {
  readonly page: string;
  /** How the part begins, which ends with the page. */
  readonly start: string;
  readonly text: () => string;
}

/** The ends of pages that follow from declarations. `npm run examples` writes them, and a test compares. */
export const generatedParts: readonly GeneratedPart[] = [
  { page: 'docs/downloads.md', start: '## appointments', text: columnsDocument },
  {
    page: 'docs/guides/webhooks.md',
    start: '- `contact.created`',
    text: () =>
      Object.entries(kindMeanings())
        .map(([kind, meaning]) => `- \`${kind}\`: ${meaning}`)
        .join('\n'),
  },
];
