import { formatInteger } from '../shared/text/text.ts';
import { type FieldError, invalid } from '../shared/failure.ts';
import { RangeTooLarge } from '../store/dynamodb/errors.ts';

/** The most selective filter of a query: the fields of a span, and whether the request has one of them. */
interface TimeFilter {
  readonly fields: readonly [from: string, through: string];
  readonly isGiven: boolean;
}

/** The records of a query; 400 names the missing or too wide filter if it would have to read too many. */
export const boundedQuery = <Result>(
  { fields: [from, through], isGiven }: TimeFilter,
  query: () => Promise<Result>,
): Promise<Result> =>
  bounded(query, ({ criterion, max }) => {
    const covers = `more than ${formatInteger(max)} ${criterion}s`;
    const message = isGiven
      ? `and ${through} cover ${covers}. Shorten the time, or add ContactId.`
      : `and ${through} are required, or ContactId: the query covers ${covers}.`;
    return { field: from, code: 'too_broad', message };
  });

/** The result of a search or list; 400 names the field that narrows it if it would have to read too much. */
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
