import type { Invoice } from '../../../lib/entities/invoices.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { ascending } from '../../support/random/ascending.ts';
import { expectFailure } from '../../support/failed.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { type TestAccount, type TestAnswer, testAccount, testTable } from '../../support/stack/stack.ts';

let company: TestAccount;
/** Bound to the second organization. */
let elsewhere: string;
let contacts: { one: number; two: number; other: number };
/** In the order in which they were made, of the first organization. */
let all: Invoice[];

const invoiceIn = ({ body }: TestAnswer): Invoice => body['Invoice'] as Invoice;
const fieldsIn = ({ body }: TestAnswer): string[] => (body['Errors'] as { Field: string }[]).map(({ Field }) => Field);

const imported = async (input: object): Promise<Invoice> =>
  invoiceIn(await company.call('invoice/import', { Invoice: { Lines: [{ Rate: 10 }], ...input } }));
const found = async (input: object): Promise<Invoice[]> =>
  (await company.call('invoice/query', input)).body['Invoices'] as Invoice[];

beforeAll(async () => {
  company = await testAccount();
  const { accountId } = company;
  await testTable().commit(newOrganizationChanges({ account: accountId }, { Id: 2, PublicName: 'Boulder' }));
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  elsewhere = await company.newKey({ organizationId: 2 });
  const createContact = async (Name: string, OrganizationId: number) =>
    (
      (await company.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, OrganizationId })).body[
        'Matches'
      ] as { Id: number }[]
    )[0]?.Id ?? 0;
  contacts = {
    one: await createContact('One', 1),
    two: await createContact('Two', 1),
    other: await createContact('Other', 2),
  };
  const input = [
    { Date: '2026-03-01', ContactId: contacts.one },
    { Date: '2026-03-02T23:59', ContactId: contacts.one, InvoiceType: 'Deposit' },
    { Date: '2026-03-02', ContactId: contacts.two, Status: 'Unapproved' },
    { Date: '2026-03-03', ContactId: contacts.one, Lines: [{ Rate: 0 }] },
    { Date: '2026-03-04', ContactId: contacts.two, InvoiceType: 'Credit', Lines: [{ Rate: -5 }] },
    { Date: '2026-03-05', ContactId: contacts.two },
  ];
  all = [];
  for (const [index, each] of input.entries()) all.push(await imported({ Number: `Q${index}`, ...each }));
  await company.call('invoice/import', { InvoiceId: all[5]?.Id, Invoice: { Status: 'Voided' } });
});

const numbersOf = (body: Record<string, unknown>): string[] =>
  (body['Invoices'] as Invoice[]).map(({ Number }) => Number);

describe('invoice/query', () => {
  test.each<[string, (contact: number) => object, string[]]>([
    ['everything, by date', () => ({ ThroughDate: '2026-03-31' }), ['Q0', 'Q2', 'Q1', 'Q3', 'Q4', 'Q5']],
    ['a date, whose whole day counts', () => ({ FromDate: '2026-03-02', ThroughDate: '2026-03-02' }), ['Q2', 'Q1']],
    ['from a moment', () => ({ FromDate: '2026-03-02T00:01' }), ['Q1', 'Q3', 'Q4', 'Q5']],
    ['a contact', (ContactId) => ({ ContactId }), ['Q0', 'Q1', 'Q3']],
    ['a status by its word', () => ({ Status: 'Open' }), ['Q0', 'Q1', 'Q4']],
    ['by its number', () => ({ Status: 0 }), ['Q2']],
    ['paid ones', () => ({ Status: 2 }), ['Q3']],
    ['voided ones', () => ({ Status: 'Voided' }), ['Q5']],
    ['a type', () => ({ InvoiceType: 'Deposit' }), ['Q1']],
    ['by its number', () => ({ InvoiceType: 3 }), ['Q4']],
    [
      'all together',
      (ContactId) => ({ ContactId, Status: 1, InvoiceType: 0, FromDate: '2026-03-01', ThroughDate: '3/1/2026' }),
      ['Q0'],
    ],
    [
      'an updated range that begins today',
      () => ({ UpdatedFrom: new Date(Date.now() - 3_600_000).toISOString(), Status: 1 }),
      ['Q0', 'Q1', 'Q4'],
    ],
    ['one that ended before', () => ({ UpdatedThrough: '2026-01-01' }), []],
    ['a number, in any case', (ContactId) => ({ ContactId, InvoiceNumber: ' q3 ' }), ['Q3']],
    ['a number of another contact', (ContactId) => ({ ContactId, InvoiceNumber: 'Q2' }), []],
    ['a number with another status', (ContactId) => ({ ContactId, InvoiceNumber: 'Q3', Status: 'Open' }), []],
    ['a number of another date', (ContactId) => ({ ContactId, InvoiceNumber: 'Q3', FromDate: '2026-03-04' }), []],
    ['a number that is not there', (ContactId) => ({ ContactId, InvoiceNumber: 'Q99' }), []],
    ['a contact that is not there', () => ({ ContactId: 999_999 }), []],
  ])('finds %s', async (_, input, numbers) => {
    const { text, body } = await company.call('invoice/query', input(contacts.one));
    expect([body['Count'], numbersOf(body)], text).toEqual([numbers.length, numbers]);
  });

  test('returns complete invoices, with contact and associated appointments on request', async () => {
    const first = { ContactId: contacts.one, ThroughDate: '2026-03-01' };
    expect(await found(first)).toEqual([all[0]]);
    expect((await found({ ...first, IncludeContact: true }))[0]?.Contact).toMatchObject({
      Id: contacts.one,
      Name: 'One',
    });
    const { book } = await writeBook(company.accountId, {
      services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }],
    });
    const queued = await company.call('appointments/queue', {
      ContactId: contacts.other,
      ServiceId: findId(book, 'services', 'Windows'),
    });
    const made = await imported({
      ContactId: contacts.other,
      AssociatedAppointmentIds: [queued.body['AppointmentId']],
    });
    const theirs = { ContactId: contacts.other };
    expect(await found(theirs)).toEqual([{ ...made, AssociatedAppointmentIds: [] }]);
    expect(await found({ ...theirs, IncludeAssociatedAppointmentIds: true })).toEqual([made]);
    expect(made.AssociatedAppointmentIds).toHaveLength(1);
  });

  describe('with two readers', () => {
    type Reader = { readonly key: string; readonly headers?: Record<string, string> };

    /** 20 open invoices of a new contact, of which the first reader has the first page when the second one begins. */
    async function readSideBySide(first: Reader, second: Reader) {
      const { body } = await company.call('contacts/addupdate', {
        OrganizationId: 1,
        Name: 'Many',
        Address1: '1 Main Street',
      });
      const ContactId = (body['Matches'] as { Id: number }[])[0]?.Id;
      const ids: number[] = [];
      for (let number = 0; number < 20; number++) ids.push((await imported({ ContactId, Date: '2026-05-01' })).Id ?? 0);
      const page = async (reader: Reader, Skip: number) => {
        const answer = await company.call('invoice/query', { ContactId, Status: 'Open', Skip, Take: 5 }, reader);
        return (answer.body['Invoices'] as Invoice[]).map(({ Id }) => Id ?? 0);
      };
      const seen = { first: await page(first, 0), second: [] as number[] };
      for (const InvoiceId of seen.first)
        await company.call('invoice/import', { InvoiceId, Invoice: { Status: 'Voided' } });
      seen.second.push(...(await page(second, 0)));
      for (const Skip of [5, 10, 15]) {
        seen.first.push(...(await page(first, Skip)));
        if (Skip < 15) seen.second.push(...(await page(second, Skip)));
      }
      return { ids: ascending(ids), seen };
    }

    test.each<[string, () => Promise<[Reader, Reader]>]>([
      ['of two keys', async () => [{ key: company.key }, { key: await company.newKey() }]],
      [
        'of one key with programs of their own',
        async () => [
          { key: company.key, headers: { 'User-Agent': 'one program' } },
          { key: company.key, headers: { 'User-Agent': 'another program' } },
        ],
      ],
    ])('%s: each sees each match once, whatever the other one asks', async (_, readers) => {
      const { ids, seen } = await readSideBySide(...(await readers()));
      expect(seen).toEqual({ first: ids, second: ids.slice(5) });
    });
  });

  test('pages tell one number and have each invoice once', async () => {
    const pages = await Promise.all(
      [0, 2, 4, 6].map((Skip) => company.call('invoice/query', { ThroughDate: '2026-03-31', Skip, Take: 2 })),
    );
    expect(pages.map(({ body }) => body['Count'])).toEqual([6, 6, 6, 6]);
    expect(pages.flatMap(({ body }) => numbersOf(body))).toEqual(['Q0', 'Q2', 'Q1', 'Q3', 'Q4', 'Q5']);
  });

  test.each([
    [{ FromDate: 'soon' }, ['FromDate']],
    [{ FromDate: '2026-03-02', ThroughDate: '2026-03-01' }, ['ThroughDate']],
    [{ Status: 4 }, ['Status']],
    [{ Take: 501, Skip: -1 }, ['Skip', 'Take']],
    [{ InvoiceNumber: 'Q3' }, ['InvoiceNumber']],
  ])('refuses %j', async (input, fields) => {
    const answer = await company.call('invoice/query', input);
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual(fields);
  });

  test('a key of an organization sees its own alone', async () => {
    const made = await imported({ ContactId: contacts.other });
    const { body } = await company.call('invoice/query', {}, { key: elsewhere });
    expect(numbersOf(body)).toContain(made.Number);
    expect(new Set((body['Invoices'] as Invoice[]).map(({ ContactId }) => ContactId))).toEqual(
      new Set([contacts.other]),
    );
    const byNumber = (InvoiceNumber: string) => company.call('invoice/query', { InvoiceNumber }, { key: elsewhere });
    expect(numbersOf((await byNumber(made.Number)).body)).toEqual([made.Number]);
    expect((await byNumber('Q0')).body).toMatchObject({ Count: 0, Invoices: [] });
  });
});
