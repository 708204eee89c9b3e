import type { Invoice } from '../../../lib/entities/invoices.ts';
import { beforeAll, expect, test } from 'vitest';
import { exportCompany } from '../../../infra/cli/company-file/export.ts';
import { importCompany } from '../../../infra/cli/company-file/import.ts';
import { parseCompanyFiles } from '../../../infra/cli/company-file/parse.ts';
import { type Bookable, bookable, slotIn } from '../../support/scheduling.ts';
import { type TestAnswer, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

let company: Bookable;

async function importSetting(invoiceNumbers: string): Promise<void> {
  const text = `organizations:\n  - name: Springfield\n    invoiceNumbers: ${invoiceNumbers}`;
  const files = parseCompanyFiles([{ name: 'company.yaml', text }]);
  expect(await importCompany(files, { store: accountStore(testTable(), company.accountId) })).toMatchObject({
    kind: expect.not.stringMatching('invalid') as string,
  });
}

const exported = (): Promise<string> =>
  exportCompany({ store: accountStore(testTable(), company.accountId), now: new Date() });

beforeAll(async () => {
  company = await bookable({
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, IsMigrateInvoice: true }],
  });
});

const send = (more: object = {}) =>
  company.call('invoice/import', {
    Invoice: { ContactId: company.contact, Lines: [{ Description: 'Work', Rate: 100, Qty: 1 }], ...more },
  });
/** Sends it again while the table is too busy with the others, as clients do. */
async function sendUntilStored(more?: object): Promise<TestAnswer> {
  const answer = await send(more);
  return answer.status === 503 ? sendUntilStored(more) : answer;
}
const numberOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): string =>
  (body['Invoice'] as Invoice).Number;
const range = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `RVA-${from + index}`);

test('50 invoices at once, refused ones among them, have numbers without a gap or a double', async () => {
  await importSetting(`{ prefix: 'RVA-', next: 1001 }`);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      sendUntilStored(index % 5 ? {} : { Lines: [{ Description: 'Work', Rate: 'x' }] }),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(made).toHaveLength(40);
  expect(made.map(numberOf).toSorted()).toEqual(range(1001, 40));
});

test('a number that an imported invoice has is passed over, and a voided invoice keeps its number', async () => {
  const next = Number(numberOf(await send()).slice(4)) + 1;
  expect(numberOf(await send({ Number: `RVA-${next}` }))).toBe(`RVA-${next}`);
  expect(numberOf(await send({ Number: 'OLD-7' }))).toBe('OLD-7');
  const voided = (await send()).body['Invoice'] as Invoice;
  expect(voided.Number).toBe(`RVA-${next + 1}`);
  await company.call('invoice/import', { InvoiceId: voided.Id, Invoice: { Status: 'Void' } });
  expect(numberOf(await send())).toBe(`RVA-${next + 2}`);
});

test('invoices of deposits and of completed visits take the next numbers', async () => {
  const next = Number(numberOf(await send()).slice(4)) + 1;
  const proposal = await company.call('proposal/create', {
    ContactId: company.contact,
    ServiceName: 'Lawn care',
    Status: 'Open',
    DepositRequired: true,
    DepositRate: 50,
  });
  const signature = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 1 L9 9" stroke="black"/></svg>');
  const accepted = await company.call('proposal/accept', {
    ProposalId: proposal.body['Id'],
    Name: 'Ana',
    SignatureData: `data:image/svg+xml;base64,${signature.toString('base64')}`,
  });
  expect(accepted.body['Message']).toContain(`Deposit invoice RVA-${next} of`);
  const booked = await company.book('Ann', '2035-03-07T09:00');
  const done = await company.call('appointments/update', {
    AppointmentId: slotIn(booked).AppointmentId,
    UpdateActuals: true,
    ActualStart: '2035-03-07T09:00',
    ActualFinish: '2035-03-07T10:00',
  });
  expect(done.status, done.text).toBe(200);
  const { body } = await company.call('invoice/get', { InvoiceId: done.body['InvoiceId'] });
  expect((body['Invoice'] as Invoice).Number).toBe(`RVA-${next + 1}`);
});

test('the company file gives back the next number, and never sets a prefix back', async () => {
  const next = Number(numberOf(await send()).slice(4)) + 1;
  expect(await exported()).toMatch(new RegExp(`invoiceNumbers:\\W+prefix: RVA-\\W+next: ${next}\\b`));
  await importSetting(`{ prefix: 'RVA-', next: 1001 }`);
  expect(numberOf(await send())).toBe(`RVA-${next}`);
  await importSetting(`{ prefix: 'B', next: 5 }`);
  expect([numberOf(await send()), numberOf(await send())]).toEqual(['B5', 'B6']);
  await importSetting('null');
  const { Id, Number: number } = (await send()).body['Invoice'] as Invoice;
  expect(number).toBe(String(Id));
});
