import { invalid } from '../shared/failure.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { RangeTooLarge } from '../store/dynamodb/errors.ts';

/** The result of a search or list; 400 with the field that narrows it where it would have to read too much. */
export async function bounded<Result>(
  search: () => Promise<Result>,
  toError: (tooLarge: RangeTooLarge) => FieldError,
): Promise<Result> {
  try {
    return await search();
  } catch (error) {
    if (error instanceof RangeTooLarge) throw invalid(toError(error));
    throw error;
  }
}
