/** States and territories of the US, and provinces of Canada: `VA` for `Virginia`. */
const NAMES = `
AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;
DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;
NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;
OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;
UT Utah;VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;PR Puerto Rico;GU Guam;
VI Virgin Islands;AS American Samoa;MP Northern Mariana Islands;
AB Alberta;BC British Columbia;MB Manitoba;NB New Brunswick;NL Newfoundland and Labrador;NS Nova Scotia;
NT Northwest Territories;NU Nunavut;ON Ontario;PE Prince Edward Island;QC Quebec;SK Saskatchewan;YT Yukon`;

const CODES = new Map(
  NAMES.split(';').flatMap((entry) => {
    const text = entry.trim();
    const code = text.slice(0, 2);
    return [
      [code.toLowerCase(), code],
      [text.slice(3).toLowerCase(), code],
    ] as const;
  }),
);

/** `VA` from `Virginia`, `virginia`, `VA` and `Va.`; `undefined` if it is not a state. */
export const stateCode = (text: string): string | undefined =>
  CODES.get(text.trim().replace(/\.$/, '').replaceAll('é', 'e').toLowerCase());

/** States whose postal codes begin with 0, and how many zeros. */
const LEADING_ZEROS: Readonly<Record<string, number>> = {
  CT: 1,
  MA: 1,
  ME: 1,
  NH: 1,
  NJ: 1,
  RI: 1,
  VT: 1,
  PR: 2,
  VI: 2,
};

/**
 * `02134` from `2134` in MA, because spreadsheets drop leading zeros. `undefined` if no zeros can be missing in that
 * state.
 */
export function withLeadingZeros(zip: string, state: string): string | undefined {
  const [, digits = '', more = ''] = /^(\d{3,4})(?:-?(\d{4}))?$/.exec(zip) ?? [];
  const zeros = LEADING_ZEROS[state];
  if (zeros === undefined || digits.length + zeros !== 5) return undefined;
  return `${'0'.repeat(zeros)}${digits}${more && `-${more}`}`;
}
