/**
 * Why the local stack cannot start or continue: one sentence that a person can act on, printed without a stack trace.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** The code of a system error (`EADDRINUSE`), or the empty string. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
