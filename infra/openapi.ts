import { readFileSync } from 'node:fs';
import { groups } from '../functions/index.ts';
import { openApiDocument } from '../lib/api/openapi/document.ts';
import { kindMeanings } from '../lib/domain/event-kinds.ts';
import { eventVariants } from '../lib/events/event-data.ts';
import { resources, variants } from './resources.ts';
import packageFile from '../package.json' with { type: 'json' };

/** Recorded by `npm run examples`, one operation per line. */
const answers = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as Record<string, object>;

/**
 * The OpenAPI document of everything that exists, for the local stack or for the deployment at `baseUrl`; the full one
 * also has what requests accept and ignore. An exact one has exact types, not simplified for generators.
 */
export const apiDocument = ({
  baseUrl,
  isFull = false,
  isExact = isFull,
}: { baseUrl?: string | undefined; isFull?: boolean; isExact?: boolean } = {}): object =>
  openApiDocument({
    groups,
    resources,
    variants,
    calls: { resource: 'DataSubscriberEvent', field: 'Payload', payload: eventVariants, meanings: kindMeanings() },
    answers,
    version: packageFile.version,
    isFull,
    isExact,
    ...(baseUrl ? { baseUrl } : {}),
  });
