import { apiDocument } from '../openapi.ts';
import type { ApiDocument } from './described-operations.ts';

/** The document with exact types. */
export const exactDocument = (): ApiDocument => apiDocument({ isExact: true }) as ApiDocument;
