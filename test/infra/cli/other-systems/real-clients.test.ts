import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileReport } from '../../../../infra/cli/imports/report.ts';
import { HOUSECALL_CUSTOMERS, JOBBER_CLIENTS, csvOf, importer } from '../../../support/real-exports.ts';
import { type Bookable, bookable } from '../../../support/scheduling.ts';

const files = importer();
let account: Bookable;
beforeAll(async () => {
  account = await bookable({
    customFields: [
      { Name: 'Lawn ft', Shortcode: 'lawn', TableType: 0, Type: 1 },
      { Name: 'Plan', Shortcode: 'plan', TableType: 0, Type: 4, Options: [{ Id: 1, Label: 'Gold', Value: 'Gold' }] },
      { Name: 'Gate code', Shortcode: 'gate', TableType: 0, Type: 0 },
    ],
  });
});
afterAll(files.end);

type Found = Readonly<Record<string, unknown>>;
const contact = async (DigitalTrackingIdSearch: string): Promise<Found | undefined> =>
  ((await account.call('contacts/locate', { DigitalTrackingIdSearch })).body['Matches'] as Found[])[0];
const customValues = ({ CustomFields = [] }: Found = {}) =>
  Object.fromEntries((CustomFields as Found[]).map(({ Name, Value }) => [Name, Value]));
const lines = (reports: FileReport['Lost'] | undefined) =>
  reports?.map(({ Line, Column, Reason }) => `${Line} ${Column}: ${Reason}`);

const home = (street: string) => ({
  'Billing Street 1': street,
  'Billing City': 'Richmond',
  'Billing State': 'Virginia',
  'Billing Country': 'United States',
  'Billing Zip code': '23220',
});

describe('clients of Jobber', () => {
  const yes = { 'Receives automatic visit reminders?': 'true', 'Receives automatic quote follow-ups?': 'Yes' };
  const text = csvOf(JOBBER_CLIENTS, [
    {
      ...home('12 Main Street'),
      ...yes,
      'J-ID': '1_10',
      'Display Name': 'Ana Archer',
      Title: 'Ms.',
      'Fax Phone #s': '804-555-0190',
      'Main Phone #s': '8045550143 / 8045550199',
      Tags: '0, Client',
      'Service Street 1': '12 Main Street • Richmond, Virginia 23220',
      'Service Street 2': '(RENTAL PROPERTY)',
      'Service State': 'Virginia',
      'PFT[Gate code]': '4711',
      'PFI[ Lot size ]': '0.5',
      'CFT[ Lawn ft ]': '12 500 sq ft',
    },
    {
      ...home('12 Main Street'),
      'J-ID': '1_11',
      'Display Name': 'Ana Archer',
      'Service Street 1': '9 Lake Road • Unit 4 • Boston, Massachusetts 02134',
      'PFT[Gate code]': '0815',
      'PFI[ Lot size ]': '2 acres',
    },
    {
      ...home('3 Oak Ave'),
      'J-ID': '2_20',
      'Display Name': 'Ben Brooks',
      'Receives automatic visit reminders?': 'true',
      'Receives automatic invoice follow-ups?': 'false',
      Tags: '0',
      'Main Phone #s': '8.04555E+09',
      'Mobile Phone #s': '8.045550177E+09',
      'CFT[ Lawn ft ]': 'n/a',
      'CFS[Plan]': 'Silver',
    },
    { 'J-ID': '3_30', 'Main Phone #s': '804-555-0155', 'CFT[ Lawn ft ]': '$900', 'CFS[Plan]': 'gold' },
    {
      'J-ID': '4_40',
      'Display Name': 'Cleo Chen',
      'E-mails': 'cleo(at)example.com',
      'Billing Street 1': '5 Bay Street',
      'Billing City': 'Boston',
      'Billing State': 'MA',
      'Billing Zip code': '2134',
      'CFT[ Lawn ft ]': '1,250',
    },
    {
      'J-ID': '5_50',
      'Display Name': 'Dan Diaz',
      'CFT[ Lawn ft ]': 'large',
      ...home('7 Elm'),
      'Billing Zip code': '2322',
    },
  ]);

  test('keep their addresses, remarks, phones, consents and custom fields, as people mean them', async () => {
    const [report] = await files.run(account, [text], { from: 'jobber' });
    expect(report).toMatchObject({ Rows: 6, Created: 6, Properties: 1, Errors: [] });

    const ana = await contact('jobber:1');
    expect(ana).toMatchObject({
      Name: 'Ana Archer',
      Address1: '12 Main Street',
      State: 'VA',
      Phone: '8045550143',
      AltPhone: '8045550199',
      Tags: ['Client'],
      DoNotEmail: false,
      DoNotText: false,
      Notes: [
        { Title: 'Title', Body: 'Ms.' },
        { Title: 'Fax Phone #s', Body: '804-555-0190' },
        { Title: 'Service Street 2', Body: 'RENTAL PROPERTY' },
        { Title: 'Imported from jobber', Body: 'PFI[ Lot size ]: 0.5' },
      ],
    });
    expect(customValues(ana)).toEqual({ 'Lawn ft': 12_500, 'Gate code': '4711' });
    const lake = await contact('jobber:1/11');
    expect(lake).toMatchObject({
      Name: 'Ana Archer',
      Address1: '9 Lake Road',
      Address2: 'Unit 4',
      City: 'Boston',
      State: 'MA',
      Zip: '02134',
      ManagedByContactId: ana?.['Id'],
      Notes: [{ Body: 'PFI[ Lot size ]: 2 acres' }],
    });
    expect(customValues(lake)).toEqual({ 'Gate code': '0815' });
    expect(await contact('jobber:2')).toMatchObject({
      DoNotEmail: true,
      DoNotText: true,
      Tags: [],
      Phone: '8045550177',
    });
    expect(await contact('jobber:4')).toMatchObject({ Name: 'Cleo Chen', Zip: '02134', Email: '' });
    expect(customValues(await contact('jobber:3'))).toEqual({ 'Lawn ft': 900, Plan: 'Gold' });
    expect(await contact('jobber:3')).toMatchObject({ Name: '', Phone: '804-555-0155' });
    expect(customValues(await contact('jobber:5'))).toEqual({});

    expect(report?.NotedColumns.map(({ Column, Rows }) => [Column, Rows])).toEqual([
      ['Title', 1],
      ['Fax Phone #s', 1],
      ['PFI[ Lot size ]', 2],
    ]);
    expect(lines(report?.Lost)).toEqual([
      expect.stringMatching(/^4 Main Phone #s: "8.04555E\+09" was cut by a spreadsheet/),
      '4 CFS[Plan]: "Silver" is not stored: it must be one of Gold',
      '6 E-mails: "cleo(at)example.com" is no e-mail address',
      '7 CFT[ Lawn ft ]: "large" is not stored: it must be a number',
    ]);
    expect(lines(report?.Changed)).toEqual([
      '2 CFT[ Lawn ft ]: "12 500 sq ft" is stored as 12500',
      '5 CFT[ Lawn ft ]: "$900" is stored as 900',
      '6 Billing Zip code: "2134" is stored as 02134',
      '6 CFT[ Lawn ft ]: "1,250" is stored as 1250',
      '7 Billing Zip code: "2322" is no ZIP code of VA: digits are lost',
    ]);
  });

  test('are unchanged by a second run, and a consent that was taken back here stays so', async () => {
    const ana = await contact('jobber:1');
    await account.call('contacts/addupdate', { Id: ana?.['Id'], DoNotEmail: true });
    const [report] = await files.run(account, [`${text}\r\n`], { from: 'jobber' });
    expect(report).toMatchObject({ Created: 0, Updated: 0, Unchanged: 6 });
    expect(await contact('jobber:1')).toMatchObject({ DoNotEmail: true });
  });
});

describe('customers of Housecall Pro', () => {
  const address = (n: number, cells: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [`Address_${n} ${name}`, value]));
  const customer = (id: number) => ({
    ID: `="${id}"`,
    'Display Name': `Shop ${id}, LLC`,
    'Customer notifications enabled': 'false',
    Notes: 'Says "hello",\nthen rings.',
    ...address(1, { 'Street Line 1': `${id} Oak Ave`, 'Street Line 2': 'Richmond VA 23220', 'Billing?': 'true' }),
    ...address(2, {
      'Street Line 1': `${id} Bay St`,
      City: 'Boston',
      State: 'MA',
      'Postal Code': '="2134"',
      'Billing?': 'true',
    }),
    ...address(61, {
      'Street Line 1': `${id} Last Rd`,
      City: 'Richmond',
      State: 'VA',
      'Postal Code': '23220',
      Notes: 'Dog',
    }),
  });

  test.each([444, 450, 451] as const)('have %i columns, and each address', async (count) => {
    const headers = HOUSECALL_CUSTOMERS[count];
    expect(headers).toHaveLength(count);
    const rows = [
      { ...customer(count), Role: 'Owner', 'Job Title': 'Owner', 'Do Not Service': 'true' },
      { ID: `="9${count}"`, 'Display Name': '(804) 555-0166', 'SMS marketing consent': 'No' },
    ];
    const [report] = await files.run(account, [csvOf(headers, rows)], { from: 'housecallpro' });
    expect(report).toMatchObject({ Rows: 2, Created: 4, Properties: 2, Errors: [], Lost: [], LostColumns: [] });
    const shop = await contact(`housecallpro:${count}`);
    expect(shop).toMatchObject({
      Name: `Shop ${count}, LLC`,
      Nickname: '',
      Address1: `${count} Oak Ave`,
      Address2: '',
      City: 'Richmond',
      Zip: '23220',
      DoNotEmail: true,
      DoNotText: true,
    });
    expect(shop?.['Notes']).toMatchObject([{ Body: 'Says "hello",\nthen rings.' }, { Body: 'Owner' }]);
    expect(await contact(`housecallpro:${count}/2`)).toMatchObject({ Zip: '02134', ManagedByContactId: shop?.['Id'] });
    expect(await contact(`housecallpro:${count}/61`)).toMatchObject({ FlashMessage: 'Dog' });
    expect(await contact(`housecallpro:9${count}`)).toMatchObject({
      Name: '(804) 555-0166',
      Phone: '(804) 555-0166',
      DoNotText: count === 451,
      DoNotEmail: false,
    });
  });

  test('may have 140 addresses', async () => {
    const rows = [
      { ID: '140', ...address(1, { 'Street Line 1': '1 A St' }), ...address(140, { 'Street Line 1': '140 A St' }) },
    ];
    const more = Array.from({ length: 79 }, (_, n) => `Address_${n + 62} Street Line 1`);
    const [report] = await files.run(account, [csvOf([...HOUSECALL_CUSTOMERS[450], ...more], rows)], {
      from: 'housecallpro',
    });
    expect(report).toMatchObject({ Created: 2, Properties: 1, LostColumns: [] });
  });
});

test('a file that is not UTF-8 is named with its encoding before anything is written', async () => {
  const good = csvOf(JOBBER_CLIENTS, [{ 'J-ID': '99_1', 'Display Name': 'Zoe' }]);
  const text = csvOf(JOBBER_CLIENTS, [{ 'J-ID': '98_1', 'Display Name': 'José' }]);
  const encodings: [Uint8Array, string][] = [
    [Buffer.from(text, 'latin1'), 'is not UTF-8 but probably Windows-1252: line 2 has "José".'],
    [Buffer.from(text, 'utf16le'), 'is not UTF-8 but UTF-16.'],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), 'is not UTF-8 but UTF-16.'],
  ];
  for (const [bytes, message] of encodings)
    await expect(files.run(account, [good, bytes], { from: 'jobber' })).rejects.toThrow(message);
  expect(await contact('jobber:99')).toBeUndefined();
  const [report] = await files.run(account, [Buffer.from(`\ufeff${text}`)], { from: 'jobber' });
  expect(report).toMatchObject({ Created: 1 });
});
