import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableWriter } from '../../../../lib/store/dynamodb/table.ts';
import {
  HOUSECALL_CUSTOMERS,
  HOUSECALL_ESTIMATES,
  HOUSECALL_INVOICES,
  HOUSECALL_JOBS,
  JOBBER_CLIENTS,
  JOBBER_VISITS,
  csvOf,
  importer,
} from '../../../support/real-exports.ts';
import { type Bookable, bookable } from '../../../support/scheduling.ts';
import { testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const files = importer();
let account: Bookable;
beforeAll(async () => {
  account = await bookable();
});
afterAll(files.end);

type Found = Readonly<Record<string, unknown>>;
const contactId = async (DigitalTrackingIdSearch: string) => {
  const { body } = await account.call('contacts/locate', { DigitalTrackingIdSearch });
  return (body['Matches'] as { Id: number }[])[0]?.Id;
};
const slots = async (ContactId: number | undefined) =>
  (await account.call('appointments/find', { ContactId, IncludeCompleted: true })).body['Slots'] as Found[];

describe('jobs, invoices and estimates of Housecall Pro', () => {
  const customers = csvOf(HOUSECALL_CUSTOMERS[444], [
    { ID: '="1"', 'First Name': 'Bob & Ann', 'Last Name': 'Lee', 'Mobile Number': '8045550101' },
    { ID: '="2"', 'Display Name': 'Corner Shop', Email: 'shop@example.com' },
    { ID: '="3"', 'First Name': 'Max', 'Last Name': 'Muster', 'Address_1 Street Line 1': '1 A Street' },
    {
      ID: '="4"',
      'First Name': 'Max',
      'Last Name': 'Muster',
      'Address_1 Street Line 1': '2 B Street',
      'Address_2 Street Line 1': '22 Lake Road',
    },
  ]);
  const max = { 'Customer name': 'Max Muster', 'Job description': 'Lawn care weekly', 'Job status': 'Completed' };
  const jobs = csvOf(HOUSECALL_JOBS, [
    {
      'Job #': '="1042"',
      'Customer name': 'Bob and Ann Lee',
      'Job description': 'Lawn care',
      'Job status': 'Completed',
      'Job scheduled start date': '04/02/2026 9:30am',
      'Job scheduled end date': '04/02/2026 11:00am',
      'Assigned employees': 'Ann, Zoe',
      'Job amount': '$1,234.56',
    },
    {
      'Job #': '="1043"',
      'Customer name': 'Corner shop',
      'Job status': 'Scheduled',
      'Job scheduled start date': '2036-03-10 13:00:00',
      'Job scheduled end date': '2036-03-11 14:00:00',
      'Assigned employees': 'Ben',
      'Job amount': '$80.00',
      'Due amount': '$80.00',
    },
    {
      'Job #': '="1044"',
      'Customer email': 'SHOP@example.com',
      'Job status': 'Needs scheduling',
      'Job created date': '03/01/2026',
      'Job amount': '$20.00',
    },
    { ...max, 'Job #': '="1045"', Address: '22 Lake Road, Richmond, VA 23220', 'Job created date': '03/01/2026' },
    { ...max, 'Job #': '="1046"', 'Job created date': '03/01/2026', 'Job amount': '$7.00' },
    { ...max, 'Job #': '="1047"', 'Job status': 'User canceled', 'Job created date': '03/01/2026' },
  ]);
  const invoices = csvOf(HOUSECALL_INVOICES, [
    {
      'Invoice #': '="2001"',
      'Customer name': 'BOB + ANN LEE',
      'Invoice amount': '$1,234.56',
      'Amount due': '$234.56',
      'Invoice status': 'Open',
      'Created date': '04/03/2026',
      'Payment date': '04/05/2026',
    },
    {
      'Invoice #': '="2002"',
      'Customer name': 'Shop',
      Email: 'shop@example.com',
      'Invoice amount': '$80.00',
      'Amount due': '$0.00',
      'Invoice status': 'Paid',
      'Created date': '04/03/2026',
    },
    { 'Invoice #': '="2003"', 'Invoice amount': '$9.00', 'Amount due': '$0.00', 'Invoice status': 'Voided' },
  ]);
  const estimates = csvOf(HOUSECALL_ESTIMATES, [
    {
      'Estimate #': '="7"',
      'Customer name': 'Bob & Ann Lee',
      'Sub-total': '$1,000.00',
      'Open value': '$1,000.00',
      'Estimate status': 'Open',
      Description: 'Patio',
      'Created date': '04/03/2026',
      'Discount amount': '$100.50',
      'Tax amount': '$53.00',
    },
    {
      'Estimate #': '="8"',
      'Customer name': 'Corner Shop',
      'Sub-total': '$80.00',
      'Won value': '$80.00',
      'Estimate status': 'Won',
      Description: 'Lawn care',
      'Created date': '04/03/2026',
    },
  ]);
  const options = { from: 'housecallpro', service: 'Lawn care' };

  test('balance to the cent wherever a run is killed, and ambiguous rows are listed', async () => {
    const texts = [customers, jobs, invoices, estimates];
    for (const survives of [0, 2, 3, 3]) {
      let left = survives;
      const table: TableWriter = {
        ...testTable(),
        commit: async (changes) => {
          if (left-- <= 0) throw new TypeError('killed');
          await testTable().commit(changes);
        },
      };
      await expect(
        files.run(account, texts, { ...options, store: accountStore(table, account.accountId) }),
      ).rejects.toThrow('killed');
    }
    await files.run(account, texts, options);
    const [clients, work, bills, offers] = await files.run(account, texts, options);
    expect(clients).toMatchObject({ Created: 0, Updated: 0, Errors: [] });
    expect(work).toMatchObject({ Created: 0, Unchanged: 4, InFile: { Total: 1_341.56 }, Booked: { Total: 1_334.56 } });
    expect(work?.Errors).toEqual([
      {
        Line: 6,
        Column: 'client',
        Reason: 'Max Muster may be housecallpro:3 (Max Muster) or housecallpro:4 (Max Muster)',
      },
    ]);
    expect(work?.Lost.map(({ Line, Reason }) => `${Line} ${Reason}`)).toEqual([
      '2 "Zoe" is no service agent: the name is not recorded',
      '7 is canceled there: not imported',
    ]);
    expect(work?.Changed.map(({ Reason }) => Reason)).toEqual([
      '"2036-03-11 14:00:00" is another day: 60 minutes are booked',
    ]);
    expect(bills).toMatchObject({ Created: 0, Unchanged: 2, Errors: [] });
    expect([bills?.InFile, bills?.Booked]).toEqual([bills?.Booked, { Total: 1_314.56, Balance: 234.56 }]);
    expect(offers).toMatchObject({ Created: 0, Unchanged: 2, Errors: [], LostColumns: [] });
    expect([offers?.InFile, offers?.Booked]).toEqual([{ Total: 979.5 }, { Total: 979.5 }]);
  });

  test('are visits at their times and properties, open balances, and proposals that no client sees', async () => {
    const lee = await contactId('housecallpro:1');
    const shop = await contactId('housecallpro:2');
    expect(await slots(lee)).toMatchObject([
      { Status: 3, DateTime: '2026-04-02T09:30:00-05:00', Duration: 90, Total: 1_234.56, ServiceAgentName: 'Ann' },
    ]);
    expect((await slots(shop)).map(({ Status, Duration, Total }) => [Status, Duration, Total])).toEqual(
      expect.arrayContaining([
        [1, 60, 80],
        [0, 60, 20],
      ]),
    );
    expect(await slots(await contactId('housecallpro:4/2'))).toHaveLength(1);
    const { body: bills } = await account.call('invoice/query', { ContactId: lee });
    expect(bills['Invoices']).toMatchObject([{ Number: '2001', Total: 1_234.56, BalanceDue: 234.56 }]);
    const { body: offers } = await account.call('proposal/query', { ContactId: lee });
    expect(offers['Proposals']).toMatchObject([
      {
        Status: 'Internal',
        Title: 'Estimate 7',
        Date: '2026-04-03',
        Subtotal: 899.5,
        ProposalLines: [{ LineDescription: 'Patio', ExtendedTotal: 899.5 }],
        ProposalNotes: [{ Note: 'Imported from housecallpro:7\nStatus: Open\nDiscount: 100.50\nTax: 53.00' }],
      },
    ]);
  });
});

describe('visits of Jobber without Job #', () => {
  const clients = csvOf(JOBBER_CLIENTS, [
    { 'J-ID': '1_1', 'Display Name': 'Ana Archer', 'Service Street 1': '1 Main Street', 'Service Zip code': '62701' },
  ]);
  const visit = {
    Date: 'Apr 02, 2026',
    Times: '9:00 AM - 10:00 AM',
    'Visit title': 'Lawn care',
    'Client name': 'Ana Archer',
    'Client phone': '(804) 555-0143',
    'Service street': '1 Main Street',
    'Visit completed date': 'Apr 02, 2026',
    'One-off job ($)': '50.00',
    'CREW COLOR': 'red',
  };
  const visits = csvOf(JOBBER_VISITS, [visit, { ...visit, Times: '1:00 PM - 2:00 PM' }, visit]);

  test('are known again by client, day, time and title, and equal ones are counted', async () => {
    const [, first] = await files.run(account, [clients, visits], { from: 'jobber' });
    expect(first).toMatchObject({ Created: 3, Errors: [], Booked: { Total: 150 } });
    expect(first?.Remarks).toEqual([expect.stringMatching(/^3 rows have no Job #\. Client, day, time and title/)]);
    expect(first?.LostColumns).toEqual([{ Column: 'CREW COLOR', Rows: 3, FirstLine: 2 }]);
    const [again] = await files.run(account, [`${visits}\r\n`], { from: 'jobber' });
    expect(again).toMatchObject({ Created: 0, Unchanged: 3, Booked: { Total: 150 } });
    expect(await slots(await contactId('jobber:1'))).toHaveLength(3);
  });

  test('need a column that names the client, before anything is written', async () => {
    const nameless = csvOf(['Date', 'Visit title'], [visit]);
    const text = csvOf(JOBBER_CLIENTS, [{ 'J-ID': '9_1', 'Display Name': 'Zoe' }]);
    await expect(files.run(account, [text, nameless], { from: 'jobber' })).rejects.toThrow(
      'names no client: its visits cannot be imported. Export it with Client name or Client email or Client phone.',
    );
    expect(await contactId('jobber:9')).toBeUndefined();
  });
});
