import { InternalError } from '../shared/failure.ts';
import { formatPath } from './format-path.ts';
import type { Operation } from './operation.ts';

/** The request with blanks and defaults resolved. Throws 400 with every invalid field. */
export async function validRequest(operation: Operation, body: Record<string, unknown>): Promise<unknown> {
  const result = operation.requestSchema().safeParse(body);
  if (result.success) return result.data;
  throw (await import('./invalid-request.ts')).invalidRequest(operation, result.error, body);
}

/** A path without names of custom properties, which callers choose: it is logged. */
const declared = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
  path.slice(0, path.indexOf('CustomProperties') + 1 || undefined);

/** The answer with its declared fields only. An answer that does not fit its schema is an internal error. */
export function validResponse({ name, responseSchema }: Operation, answer: object): Record<string, unknown> {
  const result = responseSchema().safeParse({ ResultCode: 0, Message: '', ...answer });
  if (result.success) return result.data as Record<string, unknown>;
  const issues = result.error.issues.slice(0, 5).map(({ path, code }) => `${formatPath(declared(path))} ${code}`);
  throw new InternalError(`${name} answers with a value outside its response schema: ${issues.join('; ')}`);
}
