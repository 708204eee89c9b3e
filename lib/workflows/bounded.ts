import { formatInteger } from '../shared/limits.ts';
import { type FieldError, Failure, invalid } from '../shared/failure.ts';
import { RangeTooLarge } from '../store/dynamodb/errors.ts';

/** The filters of a query that bound it. */
interface TimeFilter {
  /** The fields of the time that decides most, and whether the request has one of them. */
  readonly fields: readonly [from: string, through: string];
  readonly isGiven: boolean;
  /** The field of a moment that the request has. */
  readonly moments?: string;
}

/** What to send instead of days where the zones of too many organizations would have to be read. */
export const severalZones = (max: number): string =>
  `is a date in the zones of more than ${max} organizations. Write a moment with an offset, like 2026-03-08T00:00:00Z`;

/** The records of a query; 400 with the filter that is missing or too wide where it would have to read too many. */
export const boundedQuery = <Result>(
  { fields: [from, through], isGiven, moments = 'UpdatedFrom' }: TimeFilter,
  query: () => Promise<Result>,
): Promise<Result> =>
  bounded(query, ({ criterion, max }) => {
    if (criterion === 'contact')
      return {
        field: 'ContactId',
        code: 'required',
        message: `is required: this key reaches more than ${formatInteger(max)} contacts`,
      };
    if (criterion === 'organization') return { field: moments, code: 'too_broad', message: severalZones(max) };
    const covers = `more than ${formatInteger(max)} ${criterion}s`;
    const message = isGiven
      ? `and ${through} cover ${covers}. Shorten the time, or add ContactId.`
      : `and ${through} are required, or ContactId: the query covers ${covers}.`;
    return { field: from, code: 'too_broad', message };
  });

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

/** All people of an account; 413 with the operation that lists them page by page where they are too many to be read. */
export async function displayable<Result>(noun: string, list: () => Promise<Result>): Promise<Result> {
  try {
    return await list();
  } catch (error) {
    if (!(error instanceof RangeTooLarge)) throw error;
    const message = `The account has more ${noun} than one call reads.`;
    throw new Failure(
      'response_too_large',
      `${message} List them with organizations/query, or call with a key of one organization.`,
    );
  }
}
