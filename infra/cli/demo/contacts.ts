import words from './words.json' with { type: 'json' };

/**
 * A generator of numbers from 0 to 1 that gives the same ones every time (Park and Miller's minimal standard, 16807
 * modulo 2^31 - 1).
 */
function lottery(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const COLUMNS = [
  'Name',
  'Company',
  'Address1',
  'City',
  'State',
  'Zip',
  'Country',
  'Phone',
  'PhoneLabel',
  'Email',
  'Category',
  'LeadSource',
  'Channel',
  'Campaign',
  'Organization',
  'Tax rate',
  'Tags',
  'Lawn area',
  'Gutter length',
  'Stories',
  'Gate code',
  'Dog',
  'Interests',
  'Notes',
] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], string | number>>;

const cell = (value: string | number | undefined): string => {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Numbers that telephone companies keep for stories: 555-0100 to 555-0199. The first sixteen are the staff's. */
const FIRST_LINE = 116;
const LINES = 84;

/** The demo's 200 contacts as a CSV file, always the same: people who are nobody, at postal codes that are real. */
export function demoContacts(): string {
  const next = lottery(20_261_121);
  const one = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)] as Value;
  const chance = (share: number) => next() < share;
  const between = (least: number, most: number, step: number) =>
    least + Math.floor(next() * ((most - least) / step + 1)) * step;
  const emails = new Set<string>();

  function emailOf(first: string, last: string): string {
    const plain = `${first}.${last}`
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z.]/g, '')
      .toLowerCase();
    const free =
      ['', ...Array.from({ length: 20 }, (_, index) => String(index + 2))]
        .map((end) => `${plain}${end}@example.com`)
        .find((email) => !emails.has(email)) ?? '';
    emails.add(free);
    return free;
  }

  const rows = words.organizations.flatMap(({ name, taxRate, count, areaCodes, country, places }) =>
    Array.from({ length: count }, (_, index): Row => {
      const [first, last] = [one(words.firstNames), one(words.lastNames)];
      const [City = '', State = '', Zip = ''] = one(places);
      const source = one(words.sources);
      const isCustomer = chance(0.65);
      return {
        Name: `${first} ${last}`,
        Company: chance(0.08) ? one(words.companies) : '',
        Address1: `${between(100, 6_800, 1)} ${one(words.streets)}`,
        City,
        State,
        Zip,
        Country: country === 'US' ? '' : country,
        Phone: `(${areaCodes[Math.floor(index / LINES)]}) 555-0${FIRST_LINE + (index % LINES)}`,
        PhoneLabel: one(['Mobile', 'Mobile', 'Home', 'Work']),
        Email: emailOf(first, last),
        Category: isCustomer ? 'Customer' : 'Lead',
        LeadSource: source.leadSource,
        Channel: source.channel,
        Campaign: source.campaign,
        Organization: name,
        'Tax rate': taxRate,
        Tags: chance(0.4) ? [...new Set([one(words.tags), one(words.tags)])].join('; ') : '',
        'Lawn area': chance(0.8) ? between(1_500, 26_000, 250) : '',
        'Gutter length': chance(0.5) ? between(80, 320, 10) : '',
        Stories: one([1, 2, 2, 3]),
        'Gate code': chance(0.1) ? String(between(1_000, 9_999, 1)) : '',
        Dog: one(['', '', 'None', 'Friendly', 'Keep gate closed']),
        Interests: chance(0.5)
          ? [...new Set([one(['Lawn', 'Exterior', 'Lighting', 'Snow']), one(['Lawn', 'Exterior'])])].join('; ')
          : '',
        Notes: chance(0.2) ? one(words.notes) : '',
      };
    }),
  );
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}
