import { readFileSync } from 'node:fs';
import type { ApiDocument } from './described-operations.ts';

/** The document of the API, a file next to the tool. */
export const loadDocument = async (): Promise<ApiDocument> =>
  JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as ApiDocument;
