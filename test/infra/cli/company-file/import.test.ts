import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportCompany } from '../../../../infra/cli/company-file/export.ts';
import { type ImportResult, importCompany } from '../../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';
import { findAccount } from '../../../../lib/store/accounts/accounts.ts';
import type { TableWriter } from '../../../../lib/store/dynamodb/table.ts';
import { StoreUnavailable } from '../../../../lib/store/dynamodb/errors.ts';
import { type TestAccount, testAccount, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const demo = ['company.yaml', 'tasks.yaml'].map((file) =>
  readFileSync(join(import.meta.dirname, '../../../../infra/cli/demo', file), 'utf8'),
);

async function importText(
  account: string,
  text: string,
  { table = testTable(), dryRun = false }: { table?: TableWriter; dryRun?: boolean } = {},
): Promise<ImportResult> {
  return await importCompany(parseCompanyFiles([{ name: 'company.yaml', text }]), {
    store: accountStore(table, account),
    dryRun,
  });
}

const exported = (account: string): Promise<string> =>
  exportCompany({ store: accountStore(testTable(), account), now: new Date() });

/** Section, name and change of every row, or the errors. */
const rowsOf = (result: ImportResult): string[] =>
  result.kind === 'imported'
    ? result.results.map(({ Section, Name, Change }) => `${Section} ${Name} ${Change}`)
    : result.errors.map(({ line, column, field, message }) => `${line}:${column} ${field} ${message}`);

const changesIn = (result: ImportResult): Set<string> =>
  new Set(result.kind === 'imported' ? result.results.map(({ Change }) => Change) : ['invalid']);

/** An account with the demo, that no test changes. */
let whole: TestAccount;
/** What has become of the rows of each of its files. */
let demoResults: ImportResult[];
beforeAll(async () => {
  whole = await testAccount();
  demoResults = [];
  for (const text of demo) demoResults.push(await importText(whole.accountId, text));
});

const small = `
company: Blue Sky
taxRates: [{ name: Virginia, rate: 5.3 }]
parts: [{ name: Seed, unitPrice: 4 }, { name: Kit, items: [{ part: Seed, quantity: 2 }] }]
services: [{ name: Mowing, basePrice: 40, parts: [Kit, Seed] }]
organizations:
  - name: Richmond
    postalCodes: [23220, 23221]
    agents: [{ name: Ana, hours: Mon-Fri 8:00-17:00 }]
    users: [{ name: Ana, email: ana@example.com, agent: Ana }]
`;

describe('a company file', () => {
  test('imports the demo, and changes nothing the second time', async () => {
    for (const each of demoResults) expect(changesIn(each)).toContain('created');
    for (const text of demo) expect(changesIn(await importText(whole.accountId, text))).toEqual(new Set(['unchanged']));
  });

  test('is the same after export, import into an empty account and export', async () => {
    const first = await exported(whole.accountId);
    const { accountId: empty } = await testAccount({ name: 'Another', organizationName: 'Elsewhere' });
    expect(changesIn(await importText(empty, first))).not.toContain('invalid');
    expect(await exported(empty)).toBe(first);
    // What is called an id here is the company's own.
    expect(new Set(first.match(/\b\w*id(?=:)/gi))).toEqual(new Set(['locationId', 'territoryId']));
  });

  test('has what calendars show, keeps what it leaves out, and null restores the default', async () => {
    const { accountId } = await testAccount();
    const set = (calendar: string) =>
      importText(accountId, `organizations: [{ name: Richmond, calendar: ${calendar} }]`);
    await set('{ phones: true, notes: true }');
    await set('{ phones: false }');
    const text = await exported(accountId);
    expect(text).toContain('calendar: { phones: false, notes: true }');
    expect(changesIn(await importText(accountId, text))).toEqual(new Set(['unchanged']));
    const { accountId: other } = await testAccount({ name: 'Another', organizationName: 'Elsewhere' });
    await importText(other, text);
    expect(await exported(other)).toBe(text);
    await set('null');
    expect(await exported(accountId)).not.toContain('calendar');
  });

  test('has the parts of a tax rate, which add up to it', async () => {
    const { accountId } = await testAccount();
    const quebec = (rate: number) =>
      `taxRates: [{ name: Quebec, rate: ${rate}, parts: [{ name: GST, rate: 5, registrationNumber: RT0001 }, ` +
      '{ name: QST, rate: 9.975 }] }]';
    expect(changesIn(await importText(accountId, quebec(14.975)))).toEqual(new Set(['created']));
    expect(await exported(accountId)).toContain('registrationNumber: RT0001');
    expect(changesIn(await importText(accountId, quebec(14.975)))).toEqual(new Set(['unchanged']));
    expect(changesIn(await importText(accountId, quebec(15)))).toContain('invalid');
  });

  test('sets the days after which proposals expire: absent keeps them, null resets them', async () => {
    const { accountId } = await testAccount();
    const days = async () => (await findAccount(accountStore(testTable(), accountId)))?.Proposals?.ExpireAfterDays ?? 0;
    expect(await exported(accountId)).not.toContain('proposals');
    expect(await importText(accountId, 'proposals: { expireAfterDays: 30 }')).toMatchObject({
      results: [
        { Section: 'proposals', Change: 'updated', Fields: [{ Field: 'expireAfterDays', Before: 0, After: 30 }] },
      ],
    });
    expect(await exported(accountId)).toContain('\nproposals: { expireAfterDays: 30 }\n');
    expect([rowsOf(await importText(accountId, 'proposals: {}')), await days()]).toEqual([
      ['proposals proposals unchanged'],
      30,
    ]);
    expect([changesIn(await importText(accountId, 'proposals: null')), await days()]).toEqual([
      new Set(['updated']),
      0,
    ]);
    expect(rowsOf(await importText(accountId, 'proposals: { expireAfterDays: 1.5, expireAfterDay: 3 }'))).toEqual([
      '1:31 proposals.expireAfterDays must be a whole number of days',
      '1:36 proposals.expireAfterDay is not a field; did you mean expireAfterDays?',
    ]);
  });

  test('says whether leads for postal codes of others are refused: absent keeps it, null resets it', async () => {
    const { accountId } = await testAccount();
    const field = 'refuseOwnedPostalCodes';
    expect(rowsOf(await importText(accountId, `${field}: false`))).toEqual([`${field} ${field} updated`]);
    expect(changesIn(await importText(accountId, `${field}: false`))).toEqual(new Set(['unchanged']));
    await importText(accountId, 'company: Blue Sky');
    expect(await exported(accountId)).toContain(`\n${field}: false\n`);
    expect((await findAccount(accountStore(testTable(), accountId)))?.RefuseOwnedCodes).toBe(false);
    expect(changesIn(await importText(accountId, `${field}: null`))).toEqual(new Set(['updated']));
    expect(await exported(accountId)).not.toContain(field);
    expect(rowsOf(await importText(accountId, `${field}: maybe`))).toEqual([`1:25 ${field} must be true or false`]);
  });

  test('reports each changed field, and keeps records and fields that it leaves out', async () => {
    const { accountId } = await testAccount();
    await importText(accountId, small);
    const again = await importText(
      accountId,
      `
taxRates: [{ name: VIRGINIA, rate: 6 }]
organizations:
  - name: Richmond
    agents: [{ name: Ana, hours: Mon-Thu 8:00-17:00 }, Bob]
    holidays: [2026-12-25]
`,
    );
    expect(
      again.kind === 'imported' && again.results.map(({ Name, Change, Fields }) => [Name, Change, Fields]),
    ).toEqual([
      [
        'VIRGINIA',
        'updated',
        [
          { Field: 'name', Before: 'Virginia', After: 'VIRGINIA' },
          { Field: 'rate', Before: 5.3, After: 6 },
        ],
      ],
      [
        'Richmond',
        'updated',
        [
          { Field: 'agents[Ana].hours', Before: ['Mon-Fri 8:00-17:00'], After: ['Mon-Thu 8:00-17:00'] },
          { Field: 'agents[Bob]', Before: undefined, After: { name: 'Bob' } },
          { Field: 'holidays', Before: undefined, After: ['2026-12-25'] },
        ],
      ],
    ]);
    expect(await exported(accountId)).toContain('postalCodes: 23220, 23221');
  });

  test('replaces the first organization of a new account until somebody changes it', async () => {
    const { accountId, call } = await testAccount({ organizationName: 'Springfield' });
    await importText(accountId, small);
    const { body } = await call('organizations/query');
    expect(
      (body['Organizations'] as { Id: number; PublicName: string }[]).map(({ Id, PublicName }) => [Id, PublicName]),
    ).toEqual([[1, 'Richmond']]);
    await importText(accountId, 'organizations: [Norfolk]');
    expect((await call('organizations/query')).body['Organizations']).toHaveLength(2);
  });

  test('writes nothing in a dry run, and reports the same changes', async () => {
    const { accountId } = await testAccount();
    const before = await exported(accountId);
    const planned = rowsOf(await importText(accountId, small, { dryRun: true }));
    expect(await exported(accountId)).toBe(before);
    expect(rowsOf(await importText(accountId, small))).toEqual(planned);
  });

  test('is what every operation answers afterwards', async () => {
    const { call } = whole;
    const services = (await call('services/all', { IncludeParts: true })).body['Matches'] as {
      Name: string;
      PricingBands: unknown[];
      AvailableParts: unknown[];
    }[];
    expect(services.length).toBe(16);
    expect(services.find(({ Name }) => Name === 'Window Cleaning')).toMatchObject({
      PricingBands: [{ AtLeast: 0, LessThan: 20, Price: 8.5 }, { AtLeast: 20 }, { AtLeast: 60 }],
    });
    const { body } = await call('organizations/details', { LocationId: 'YYT-01' });
    expect(body).toMatchObject({
      Timezone: 'America/St_Johns',
      Name: "Evergreen St. John's",
      ServiceAgents: [{ Name: 'Liam Power' }, { Name: 'Moira Noseworthy' }],
    });
    expect((await call('settings/channels')).body['Channels']).toHaveLength(5);
    expect((await call('task/query', { IncludeCompleted: true })).body['Count']).toBe(14);
  });
});

describe('a company file that', () => {
  const files: readonly (readonly [string, string, string])[] = [
    [
      'names an unknown part',
      'parts: [{ name: A, items: [{ part: Sed, quantity: 1 }] }]',
      '1:36 parts[0].items[0].part names an unknown part: Sed',
    ],
    [
      'has bands that overlap',
      'services:\n  - name: S\n    bands: [{ atLeast: 0, lessThan: 10 }, { atLeast: 5 }]',
      '3:54 services[0].bands[1].atLeast overlaps services[0].bands[0], which goes to 10',
    ],
    [
      'has an invalid formula',
      'services:\n  - name: S\n    bands: [{ atLeast: 0, formula: quantity * }]',
      '3:36 services[0].bands[0].formula',
    ],
    [
      'gives a postal code to two organizations',
      'organizations:\n  - { name: A, postalCodes: [23220] }\n  - { name: B, postalCodes: [23220] }',
      '3:29 organizations[1].postalCodes is taken: Postal code 23220 belongs to organization',
    ],
    [
      'gives an e-mail to two users',
      'organizations:\n  - { name: A, users: [{ name: X, email: x@example.com }, { name: Y, email: x@example.com }] }',
      '2:59 organizations[0].users[1] is the same user as organizations[0].users[0]',
    ],
    [
      'has hours that overlap',
      'organizations:\n  - { name: A, agents: [{ name: X, hours: [Mon 8-12, Mon 11-13] }] }',
      '2:43 organizations[0].agents[0].hours',
    ],
    [
      'names an unknown agent',
      'organizations:\n  - { name: A, users: [{ name: X, email: x@example.com, agent: Z }] }',
      '2:64 organizations[0].users[0].agent must be a service agent of the organization; Z is not',
    ],
    [
      'has an unknown time zone',
      'organizations:\n  - { name: A, timeZone: America/Richmond }',
      '2:26 organizations[0].timeZone must be the IANA name',
    ],
    [
      'makes a part an item of itself',
      'parts: [{ name: A, items: [{ part: B, quantity: 1 }] }, { name: B, items: [{ part: A, quantity: 1 }] }]',
      'items',
    ],
    [
      'has a task with an invalid contact',
      'tasks: [{ description: Call, contact: Jane }]',
      '1:39 tasks[0].contact must be like `Jane Doe <jane@example.com>`',
    ],
  ];
  let accountId: string;
  beforeAll(async () => ({ accountId } = await testAccount()));

  test.each(files)('%s is refused with the place of the error, and writes nothing', async (_, text, error) => {
    const before = await exported(accountId);
    const result = await importText(accountId, `company: Changed\ncancelReasons: [Brand new]\n${text}`);
    const shifted = error.replace(/^(\d+):/, (_, line: string) => `${Number(line) + 2}:`);
    expect(rowsOf(result).join('\n')).toContain(shifted);
    expect(await exported(accountId)).toBe(before);
  });
});

describe('company files with mistakes of every kind', () => {
  const settings = `
company: Blue Sky
taxRates:
  - { name: Virginia, rat: 5.3 }
  - { name: Kansas, rate: high }
  - { name: Utah, rate: 120 }
  - { name: Ohio, rate: 5 }
  - { name: OHIO, rate: 6 }
cancelReasons:
  - Weather
  - Moved: away: soon
customFields:
  - { name: Area, type: Numbr, shortcode: area }
  - { name: Slope, type: Number, shortcode: slope }
`;
  const work = `
brandingCategories:
  - { name: Lawn, percentage: 600 }
parts:
  - { name: Seed, unitPrice: 4.12345 }
  - { name: Seed mix, items: [{ part: Seed, quantity: 2 }] }
  - { name: Kit, items: [{ part: Seedmix, quantity: 2 }] }
services:
  - name: Mowing
    brandingCategory: Lawn
    bands: [{ atLeast: 0, lessThan: 10 }, { atLeast: 5, formula: area * 2 }]
  - { name: Aeration, parts: [Seed], bands: [{ atLeast: 0, formula: slop * 2 }] }
organizations:
  - name: Richmond
    timeZone: America/New_Yrk
    radius: far
    postalCodes: [23220]
    agents:
      - { name: Ana, hours: Mon 25-26 }
      - { name: Bob, hours: [Mon 8-12, Mon 11-13] }
    users:
      - { name: Ana, email: ana@example.com, agent: Ana }
      - { name: Bob, email: taken@example.com, agent: Bobb }
      - { name: Bob, email: ana@example.com }
  - name: Norfolk
    locationId: RVA-01
    postalCodes: [23220, 23999]
    users: [{ name: Cy, email: taken@example.com }]
    booking: { origins: [https://ok.example.com, ok.example.com, 'http://ok.example.com'] }
    services: [{ name: Own, parts: [Kitt] }]
blogs:
  - { title: Spring, organization: Richmnd, author: nobody@elsewhere.example }
tasks:
  - { description: Call, organization: Richmond, contact: Jane }
`;

  test('are reported whole in one run, by file and line, without what follows from other mistakes', async () => {
    const { accountId, call } = await testAccount({ organizationName: 'Head office' });
    await call('organizations/update', {
      OrganizationId: 1,
      LocationId: 'RVA-01',
      PostalCodes: '23999',
      Users: [{ Name: 'Tess', Email: 'taken@example.com' }],
    });
    const before = await exported(accountId);
    const files = [
      { name: 'settings.yaml', text: settings },
      { name: 'work.yaml', text: work },
    ];
    const result = await importCompany(parseCompanyFiles(files), { store: accountStore(testTable(), accountId) });
    const errors = result.kind === 'invalid' ? result.errors : [];
    const lines = errors.map(({ file, line, field, message }) => `${file}:${line} ${field} ${message}`);
    expect(lines.map((line) => line.replace(/\d+ \(Richmond\)/, 'N (Richmond)'))).toEqual([
      'settings.yaml:4 taxRates[0].rat is not a field; did you mean rate?',
      'settings.yaml:5 taxRates[1].rate must be a finite number',
      'settings.yaml:6 taxRates[2].rate must be a percentage from 0 to 100',
      'settings.yaml:8 taxRates[4] is the same tax rate as taxRates[3]',
      'settings.yaml:11 cancelReasons[1] is not indented like the lines around it, or is a text with ": " that needs quotes',
      'settings.yaml:13 customFields[0].type must be one of Text, Number, Date, Checkbox, Dropdown, CheckboxList, TextArea',
      'work.yaml:3 brandingCategories[0].percentage must be 0 to 100',
      'work.yaml:5 parts[0].unitPrice must have at most 4 decimals',
      'work.yaml:7 parts[2].items[0].part names an unknown part: Seedmix. Did you mean "Seed mix"?',
      'work.yaml:11 services[0].bands[1].atLeast overlaps services[0].bands[0], which goes to 10',
      `work.yaml:12 services[1].bands[0].formula must be a formula. Unknown name "slop" at character 1. Did you mean "slope"?`,
      'work.yaml:15 organizations[0].timeZone must be the IANA name of a time zone, like America/New_York. ' +
        'Did you mean "America/New_York"?',
      'work.yaml:16 organizations[0].radius must be a whole number',
      'work.yaml:19 organizations[0].agents[0].hours must be like `Mon-Fri 8:00-12:00, 13:00-17:00`',
      'work.yaml:20 organizations[0].agents[1].hours overlaps other hours',
      'work.yaml:23 organizations[0].users[1].agent must be a service agent of the organization; Bobb is not',
      'work.yaml:24 organizations[0].users[2] is the same user as organizations[0].users[0]',
      'work.yaml:26 organizations[1].locationId is taken: Organization 1 has the LocationId RVA-01.',
      'work.yaml:27 organizations[1].postalCodes is taken: Postal code 23220 belongs to organization N (Richmond). ' +
        'Postal code 23999 belongs to organization 1 (Head office).',
      'work.yaml:29 organizations[1].booking.origins[1] must be the origin of a site: https://www.example.com',
      'work.yaml:29 organizations[1].booking.origins[2] must be the origin of a site: https://www.example.com',
      'work.yaml:30 organizations[1].services[0].parts[0] names an unknown part: Kitt',
      'work.yaml:32 blogs[0].organization names an unknown organization: Richmnd. Did you mean "Richmond"?',
      'work.yaml:32 blogs[0].author names an unknown user: nobody@elsewhere.example',
      'work.yaml:34 tasks[0].contact must be like `Jane Doe <jane@example.com>`, or with a phone number',
    ]);
    expect(await exported(accountId)).toBe(before);
  });

  test('a reference to what a syntax error has made unreadable is not reported', async () => {
    const { accountId } = await testAccount();
    const text = `
services:
  - { name: Mowing, parts: [Seed, Sod, Rake] }
parts:
  - name: Seed
    unitPrice: "4
  - name: Sod
`;
    expect(rowsOf(await importText(accountId, text))).toEqual(
      [
        '6:16 parts[0] is not valid YAML: missing closing "quote',
        '3:40 services[0].parts[2] names an unknown part: Rake',
      ].toReversed(),
    );
  });

  test('a list that is longer than its limit is reported once', async () => {
    const { accountId } = await testAccount();
    const reasons = Array.from({ length: 1_001 }, (_, index) => `Reason ${index}`);
    const text = `cancelReasons: ${JSON.stringify(reasons)}\ntaxRates: [{ name: A, rate: 101 }]`;
    expect(rowsOf(await importText(accountId, text))).toEqual([
      expect.stringMatching(/^1:16 cancelReasons exceeds the limit of cancel reason entries/),
      '2:29 taxRates[0].rate must be a percentage from 0 to 100',
    ]);
  });
});

/** Between two deaths; `npm run prove -- random` has the process die at every commit. */
const STRIDE = process.env['EVERY_COMMIT'] ? 1 : 10;

test('running an import again completes one that was cut short anywhere', async () => {
  const { accountId: undisturbed } = await testAccount();
  await importText(undisturbed, small);
  const expected = await exported(undisturbed);
  let done = false;
  for (let survives = 0; !done; survives += STRIDE) {
    const { accountId } = await testAccount();
    const table = testTable();
    let left = survives;
    // The process dies at this commit: whatever is tried after it fails too.
    const dying: TableWriter = {
      ...table,
      commit: async (changes) => {
        if (left-- <= 0) throw new TypeError('killed');
        await table.commit(changes);
      },
    };
    done = await importText(accountId, small, { table: dying }).then(
      () => true,
      () => false,
    );
    expect(changesIn(await importText(accountId, small))).not.toContain('invalid');
    expect(await exported(accountId)).toBe(expected);
  }
});

test('an import retries while the table is unavailable', async () => {
  const { accountId } = await testAccount();
  const table = testTable();
  let away = 2;
  const throttled: TableWriter = {
    ...table,
    commit: async (changes) => {
      if (away-- > 0) throw new StoreUnavailable('throttled');
      await table.commit(changes);
    },
  };
  expect(changesIn(await importText(accountId, small, { table: throttled }))).toContain('created');
  expect(changesIn(await importText(accountId, small))).toEqual(new Set(['unchanged']));
});

test('articles are stored without the scripts and handlers of their HTML', async () => {
  const { accountId, call } = await testAccount();
  const content = '<p onclick="alert(1)">Seed <b>early</b>.</p><script>alert(2)</script>';
  const result = await importText(accountId, JSON.stringify({ blogs: [{ title: 'Spring lawn care', content }] }));
  expect(changesIn(result)).toEqual(new Set(['created']));
  const { status, body } = await call('blogs/get', { IdSearch: 'spring-lawn-care' });
  expect([status, body['Matches']]).toMatchObject([200, [{ Content: '<p>Seed <b>early</b>.</p>' }]]);
});
