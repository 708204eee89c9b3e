import { DEFAULT_TAKE } from '../shared/limits.ts';
import { moment, described, int32 } from './fields.ts';

export const MAX_TAKE = 500;

export const through = () => described(moment(), 'A date without a time includes the whole day.');

interface DateInput {
  readonly FromDate?: string | null | undefined;
  readonly ThroughDate?: string | null | undefined;
}

/** The filter that bounds a query by date. */
export const dateFilter = ({ FromDate, ThroughDate }: DateInput) => ({
  fields: ['FromDate', 'ThroughDate'] as const,
  isGiven: Boolean(FromDate || ThroughDate),
});

export const dateFields = () => ({ FromDate: moment(), ThroughDate: through() });

/** The range of the last change. */
export const updatedFields = () => ({ UpdatedFrom: moment(), UpdatedThrough: through() });

export const pageFields = () => ({
  Skip: int32(0),
  Take: described(int32(1, MAX_TAKE), `Defaults to ${DEFAULT_TAKE}.`),
});

interface PageInput {
  readonly Skip?: number | null | undefined;
  readonly Take?: number | null | undefined;
}

/** The page in the form that the store takes. */
export const pageOf = ({ Skip, Take }: PageInput) => ({ skip: Skip ?? 0, take: Take ?? DEFAULT_TAKE });

export const PAGES = [
  'Count is the exact number of all matches.',
  'Page 1 fixes the list of matches for 10 minutes; each match appears once, with its current values. Send the ' +
    'header X-List of the response back to continue exactly its list.',
];

/** The contract has no paging for lists of organizations: without Skip and Take a call gets as many as fit. */
export const organizationPaging = () => ({ Skip: int32(0), Take: int32(1, MAX_TAKE) });

export const ORGANIZATION_PAGING = `Skip and Take (at most ${MAX_TAKE}) page; Message says when more may follow.`;
