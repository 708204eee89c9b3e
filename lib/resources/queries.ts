import { datetime, described, int32 } from './fields.ts';

const MOST = 500;
const USUAL = 100;

/** The end of a span of time in a query. */
export const through = () => described(datetime(), 'A date without time includes that whole day.');

/** Between which dates of the things themselves. */
export const dateFields = () => ({ FromDate: datetime(), ThroughDate: through() });

/** Between which times of their last change. */
export const updatedFields = () => ({ UpdatedFrom: datetime(), UpdatedThrough: through() });

/** Which of all matches a query answers: Take of them, after the first Skip. */
export const pageFields = () => ({
  Skip: int32(0),
  Take: described(int32(1, MOST), `${USUAL} unless said otherwise.`),
});

type Given = number | null | undefined;

/** The same as the store is asked for it. */
export const pageOf = ({ Skip, Take }: { readonly Skip?: Given; readonly Take?: Given }) => ({
  skip: Skip ?? 0,
  take: Take ?? USUAL,
});

/** What every query says of its Count and pages. */
export const PAGES =
  'Count is the exact number of all matches. The pages of one query are of the moment at which its first was asked ' +
  'for, for ten minutes: together they have each match once, as it is when its page is read.';
