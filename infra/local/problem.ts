/**
 * Why the local stack cannot start or go on, as one sentence that a person can act on; it is told without a stack
 * trace.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The code of a system error (`EADDRINUSE`), or the empty string. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What an unknown error says of itself. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
