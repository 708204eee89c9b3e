import type { ApiDocument } from '../../client/described-operations.ts';

/** The OpenAPI document. Loads every operation, in half a second; the package reads a file instead. */
export const loadDocument = async (): Promise<ApiDocument> =>
  (await import('../../client/exact-document.ts')).exactDocument();
