const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

type Rule = (year: number) => string;

const toDate = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
const weekdayOf = (date: string): number => new Date(date).getUTCDay();

const fixed =
  (month: number, day: number): Rule =>
  (year) =>
    toDate(year, month, day);

/** The fourth Thursday of November: 2026-11-26. */
const thanksgiving: Rule = (year) => toDate(year, 11, 22 + ((THURSDAY - weekdayOf(toDate(year, 11, 22)) + 7) % 7));

/** The last Monday of May: 2027-05-31. */
const lastMondayOfMay: Rule = (year) => toDate(year, 5, 31 - ((weekdayOf(toDate(year, 5, 31)) - MONDAY + 7) % 7));

/** Observed on Friday if it is a Saturday, on Monday if it is a Sunday: 2027-07-05. */
const observedFourthOfJuly: Rule = (year) => {
  const weekday = weekdayOf(toDate(year, 7, 4));
  return toDate(year, 7, weekday === SATURDAY ? 3 : weekday === SUNDAY ? 5 : 4);
};

/** The date of each holiday in company.yaml, in any year. */
export const holidayRules: Readonly<Record<string, Rule>> = {
  "New Year's Day": fixed(1, 1),
  'Memorial Day': lastMondayOfMay,
  'Memorial Day and Canada Day': fixed(7, 1),
  'Independence Day (observed)': observedFourthOfJuly,
  'Thanksgiving Day': thanksgiving,
  'Day after Thanksgiving': (year) => toDate(year, 11, Number(thanksgiving(year).slice(8)) + 1),
  'Christmas Day': fixed(12, 25),
  'Boxing Day': fixed(12, 26),
};
