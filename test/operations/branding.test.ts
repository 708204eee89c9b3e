import type { Invoice } from '../../lib/entities/invoices.ts';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { exportCompany } from '../../infra/cli/company-file/export.ts';
import { importCompany } from '../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../infra/cli/company-file/parse.ts';
import { openPage } from '../support/pages.ts';
import { type TestAccount, testAccount, testStack, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let account: TestAccount;

const picture = (width: number): string => {
  const png = new PNG({ width, height: 4 });
  png.data.fill(0x80);
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`;
};

async function importSettings(settings: string): Promise<string[]> {
  const text = `organizations:\n  - name: Evergreen\n    ${settings}`;
  const company = parseCompanyFiles([{ name: 'company.yaml', text }]);
  const result = await importCompany(company, { store: accountStore(testTable(), account.accountId) });
  return result.kind === 'invalid' ? result.errors.map(({ field, message }) => `${field} ${message}`) : [];
}

const exported = (): Promise<string> =>
  exportCompany({ store: accountStore(testTable(), account.accountId), now: new Date() });

async function invoiceOf(): Promise<Invoice> {
  const made = await account.call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' });
  const [contact] = made.body['Matches'] as { Id: number }[];
  const { body } = await account.call('invoice/import', {
    Invoice: { ContactId: contact?.Id, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }] },
  });
  return body['Invoice'] as Invoice;
}

beforeAll(async () => {
  account = await testAccount();
  await importSettings(`branding: { color: '#2E7D32', logo: '${picture(8)}' }`);
});

test('pages have the logo and the colour of the company, from our own host, and their PDF has both', async () => {
  const { ClientPayUrl, ClientPdfUrl } = await invoiceOf();
  const page = await openPage(ClientPayUrl);
  const [, logo = ''] = /<img src="([^"]+)" alt=""/.exec(page.text) ?? [];
  const shown = await openPage(`${testStack().BaseUrl}${logo}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(shown.headers.get('cache-control')).toContain('immutable');
  expect(page.text).toContain('/c/assets/brand-2e7d32.css');
  const style = await openPage(`${testStack().BaseUrl}/c/assets/brand-2e7d32.css`);
  expect(style.text).toContain('--brand: light-dark(#2e7d32,');
  const pdf = Buffer.from(await (await fetch(ClientPdfUrl)).arrayBuffer());
  expect(pdf.includes('/Subtype /Image')).toBe(true);
});

test('a logo of another name, account or organization is not found, and no text becomes style', async () => {
  const { text } = await openPage((await invoiceOf()).ClientPayUrl);
  const [, logo = ''] = /<img src="([^"]+)"/.exec(text) ?? [];
  const others = [
    logo.replace(/[0-9a-f]{16}\./, '0123456789abcdef.'),
    logo.replace('-1-', '-2-'),
    logo.replace(account.accountId, 'other'),
    '/c/assets/brand-2e7d32;.css',
    '/c/assets/brand-zzzzzz.css',
  ];
  const answers = await Promise.all(others.map((path) => openPage(`${testStack().BaseUrl}${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

test('the company file sets the reasons for which clients cancel, each for a cancel reason that the account has', async () => {
  const booking = `booking:
      cancelReasons:
        - { en: We moved, es: Nos mudamos, cancelReason: Weather }
        - Too expensive`;
  expect(await importSettings(booking)).toEqual([]);
  const file = await exported();
  expect(file).toContain('en: We moved');
  expect(file).toContain('cancelReason: Weather');
  expect(file).toContain('- Too expensive');
  expect(
    await importSettings('booking: { cancelReasons: [{ en: We moved, cancelReason: Wether }, we moved] }'),
  ).toEqual([
    'organizations[0].booking.cancelReasons[0].cancelReason must be one of cancelReasons; Wether is not. ' +
      'Did you mean "Weather"?',
    'organizations[0].booking.cancelReasons[1] repeats we moved',
  ]);
  expect(await importSettings('booking: { cancelReasons: null }')).toEqual([]);
  expect(await exported()).not.toContain('We moved');
});

test('the company file keeps what it leaves out, gives back what it took, and clears with null', async () => {
  expect(
    await importSettings(
      'booking: { origins: [https://Evergreen.example/], cancelHours: 24, strangerShare: 25, verifyAbove: 5000 }',
    ),
  ).toEqual([]);
  const file = await exported();
  for (const part of [
    '#2e7d32',
    'data:image/png;base64',
    'https://evergreen.example',
    'cancelHours: 24',
    'strangerShare: 25',
    'verifyAbove: 5000',
  ])
    expect(file).toContain(part);
  const company = parseCompanyFiles([{ name: 'company.yaml', text: file }]);
  const again = await importCompany(company, { store: accountStore(testTable(), account.accountId) });
  if (again.kind === 'invalid') throw new Error(JSON.stringify(again.errors));
  expect(again.results.filter(({ Change }) => Change !== 'unchanged')).toEqual([]);
  expect(await importSettings('booking: null')).toEqual([]);
  expect(await exported()).not.toContain('origins');
});

test.each([
  ['branding: { color: green }', /branding\.color must be a colour/],
  ["branding: { logo: 'data:image/svg+xml;base64,PHN2Zz4=' }", /branding\.logo must be a PNG or JPEG/],
  ["branding: { logo: 'data:image/png;base64,PHN2Zz48c2NyaXB0Lz4=' }", /branding\.logo is not a PNG or JPEG/],
  [`branding: { logo: 'data:image/png;base64,${'A'.repeat(140_000)}' }`, /branding\.logo has 105000 bytes/],
  [`branding: { logo: '${picture(2001)}' }`, /branding\.logo has 2001 × 4 pixels/],
  ["booking: { origins: ['https://a.example; script-src *'] }", /booking\.origins\S* must be the origin of a site/],
  ["booking: { origins: ['http://a.example'] }", /booking\.origins\S* must be the origin of a site/],
])('%.60s is refused with a sentence', async (settings, message) => {
  const [error = ''] = await importSettings(settings);
  expect(error).toMatch(message);
});
