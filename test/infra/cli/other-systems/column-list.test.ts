import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMappings } from '../../../../infra/cli/other-systems/mapping-file.ts';
import { formatSuggestion } from '../../../../infra/cli/other-systems/suggest.ts';
import { runTool, withEnvironment } from '../../../support/cli.ts';
import { HOUSECALL_JOBS, importer } from '../../../support/real-exports.ts';
import { type Bookable, bookable } from '../../../support/scheduling.ts';
import { testStack } from '../../../support/stack/stack.ts';

const files = importer();
let account: Bookable;
beforeAll(async () => {
  account = await bookable();
  files.fileOf(JSON.stringify({ ...testStack(), AccountId: account.accountId }), 'local.json');
});
afterAll(files.end);

const run = (...words: string[]) => withEnvironment({ FS_DATA: files.folder }, () => runTool(words));

const CUSTOMERS = [
  'Customer No;First Name;Last Name;Business;Cell;Office Phone;E-Mail;Street;Town;State;Zip Code;Service Street;SMS Opt In;Dog?',
  '7;Eva;Ito;;804 555 0107;;eva@example.com;4 Elm Ct;Boston;Massachusetts;2134;9 Lake Rd;No;"Rex, bites"',
  '8;;;Acme Inc.;;804-555-0108;;;;;;;yes;',
].join('\r\n');
const JOBS = [
  'Visit No,Date,Time,Customer,Technician,Work,Status,Price',
  'V1,3/9/2036,9:00 AM - 10:00 AM,Eva Ito,Ann,Lawn care,Booked,80',
].join('\n');
const BILLS = ['No.,Issued on,Customer No,Total,Open', 'R-1,2026-03-09,7,100.00,25.50'].join('\n');

test('a suggested mapping reads any CSV file as it is, and a second run changes nothing', async () => {
  const paths: string[] = [];
  const mappings: string[] = [];
  for (const [name, text] of Object.entries({ customers: CUSTOMERS, visits: JOBS, invoices: BILLS })) {
    const path = files.fileOf(text, `Acme ${name}.csv`);
    const { stdout, stderr, code } = await run('import', '--suggest-mapping', path);
    expect([stderr, code]).toEqual(['', 0]);
    // Somebody names the system.
    const mapping = files.fileOf(stdout.replace(/^system: .*$/m, 'system: acme'), `${name}.yaml`);
    paths.push(path);
    mappings.push('--mapping', mapping);
  }
  const words = ['import', ...mappings, ...paths, '--json'];
  const first = JSON.parse((await run(...words)).stdout) as object[];
  expect(first).toMatchObject([
    { Kind: 'contacts', Created: 3, Properties: 1, Errors: [], LostColumns: [] },
    { Kind: 'visits', Created: 1, Errors: [], LostColumns: [], Booked: { Total: 80 } },
    { Kind: 'invoices', Created: 1, Errors: [], LostColumns: [], Booked: { Total: 100, Balance: 25.5 } },
  ]);
  writeFileSync(paths[0] ?? '', `${CUSTOMERS}\r\n`);
  const again = JSON.parse((await run(...words)).stdout) as object[];
  expect(again).toMatchObject(Array.from({ length: 3 }, () => ({ Created: 0, Updated: 0, Errors: [] })));
  const { body } = await account.call('contacts/locate', { DigitalTrackingIdSearch: 'acme:7' });
  expect(body['Matches']).toMatchObject([
    {
      Name: 'Eva Ito',
      Phone: '804 555 0107',
      PhoneLabel: 'Cell',
      Email: 'eva@example.com',
      Address1: '4 Elm Ct',
      State: 'MA',
      Zip: '02134',
      DoNotText: true,
      DoNotEmail: false,
      Notes: [{ Title: 'Dog?', Body: 'Rex, bites' }],
    },
  ]);
});

test('a file without ids has them of name, phone, e-mail and street', async () => {
  const mapping = files.fileOf('system: plain\nkind: contacts\ncolumns: { Who: name, Tel: PHONE }\n', 'plain.yaml');
  const text = 'Who,Tel\nZoe Young,8045550143\nZoe Young,8045550144\n';
  const [first] = await files.run(account, [text], { from: mapping });
  expect(first).toMatchObject({ Created: 2, Remarks: [expect.stringContaining('have no id')] });
  const [again] = await files.run(account, [`${text}\n`], { from: mapping });
  expect(again).toMatchObject({ Created: 0, Unchanged: 2 });
});

test('a suggestion is YAML whatever the headers are, and says what it does not find', () => {
  const headers = ['a: b #', '"x"', 'é\u202e\u0007', '- y', 'yes', 'Name', 'Name', '=cmd()', 'two\nlines', ''];
  const text = formatSuggestion('/tmp/(1).csv', headers);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0007\u202e]/);
  const [mapping] = readMappings([files.fileOf(text, 'hostile.yaml')]).files;
  expect(mapping).toMatchObject({
    fields: { Name: { join: ['Name'] } },
    notes: ['a: b #', '"x"', 'é\u202e\u0007', '- y', 'yes', '=cmd()', 'two\nlines'],
  });
  expect(formatSuggestion('bills.csv', ['Invoice No', 'Date'])).toMatch(/# No column looks like total: name it below/);
  expect(formatSuggestion('jobs.csv', HOUSECALL_JOBS)).toMatch(/^# This may be a file of Housecall Pro: --from/);
});

test('a list of columns is refused with every fault and its line', async () => {
  const wrong = 'system: acme\nkind: invoices\ncolumns:\n  No: number\n  Day: dat\n  Sum: Total\n';
  const file = files.fileOf(wrong, 'wrong.yaml');
  expect(() => readMappings([file])).toThrow(
    /:5: columns.Day is no field of invoices: "dat"\. .*\n.*:4: columns must have a column that becomes date\n.*balance/,
  );
  const other = files.fileOf('system: other\nkind: contacts\ncolumns: { A: id }\n', 'other.yaml');
  const one = files.fileOf('system: one\nkind: contacts\ncolumns: { A: id }\n', 'one.yaml');
  expect(() => readMappings([one, other])).toThrow('Mapping files must be of one system, not of one and other.');
  const both = await run('import', '--from', 'jobber', '--mapping', one, one);
  expect(both).toMatchObject({ code: 2, stderr: 'Use --from or --mapping.\n' });
});
