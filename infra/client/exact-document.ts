import { apiDocument } from '../openapi.ts';
import type { ApiDocument } from './described-operations.ts';

/** The document with types as they are. */
export const exactDocument = (): ApiDocument => apiDocument({ isExact: true }) as ApiDocument;
