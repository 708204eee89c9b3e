import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import type { Contact } from '../../../lib/entities/contacts.ts';
import type { Payment } from '../../../lib/entities/payments.ts';
import type { Invoice } from '../../../lib/entities/invoices.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { blankProposal } from '../../../lib/domain/proposals/record.ts';
import { findAppointment } from '../../../lib/store/appointments.ts';
import { StoreFull } from '../../../lib/store/dynamodb/errors.ts';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { findProposal, proposalChanges } from '../../../lib/store/sales/proposals.ts';
import { expectFailure } from '../../support/failed.ts';
import { connectStripe } from '../../support/payments.ts';
import { findId, writeBook } from '../../support/price-book.ts';
import { putSettings } from '../../support/settings.ts';
import {
  type CallOptions,
  type TestAccount,
  type TestAnswer,
  testAccount,
  testTable,
} from '../../support/stack/stack.ts';
import { storeOf } from '../../../lib/store/store.ts';

let account: TestAccount;
/** Bound to the second organization, in Kolkata; the first is in New York. */
let kolkata: string;
let contacts: { ana: number; ben: number; bina: number };
let windows: number;
let screen: number;

async function createContact(of: TestAccount, Name: string, more: object = {}): Promise<number> {
  const answer = await of.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, ...more });
  return (answer.body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
}

beforeAll(async () => {
  account = await testAccount();
  await connectStripe(account);
  const { accountId } = account;
  const table = testTable();
  await table.commit(
    newOrganizationChanges(
      { account: accountId },
      { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata', Country: 'IN' },
    ),
  );
  await table.update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  kolkata = await account.newKey({ organizationId: 2 });
  const [state = 0] = await putSettings(accountId, 'NamedTaxRate', [
    { Name: 'State', TaxRate: 8 },
    { Name: 'City', TaxRate: 9.5 },
  ]);
  const { book } = await writeBook(accountId, {
    services: [{ Name: 'Windows', BasePrice: 80, BaseDuration: 60 }],
    parts: [{ Name: 'Screen' }],
  });
  [windows, screen] = [findId(book, 'services', 'Windows'), findId(book, 'parts', 'Screen')];
  contacts = {
    ana: await createContact(account, 'Ana', { OrganizationId: 1, NamedTaxRate: { Id: state } }),
    ben: await createContact(account, 'Ben', { OrganizationId: 1 }),
    bina: await createContact(account, 'Bina', { OrganizationId: 2 }),
  };
});

const put = (Invoice: object, more: object = {}, options: CallOptions = {}) =>
  account.call('invoice/import', { Invoice, ...more }, options);
const invoiceIn = ({ body }: TestAnswer): Invoice & { Id: number } => body['Invoice'] as Invoice & { Id: number };
const fieldsIn = ({ body }: TestAnswer): string[] => (body['Errors'] as { Field: string }[]).map(({ Field }) => Field);

async function imported(
  Invoice: object,
  more: object = {},
  options: CallOptions = {},
): Promise<Invoice & { Id: number }> {
  const answer = await put(Invoice, more, options);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body['InvoiceId']).toBe(invoiceIn(answer).Id);
  return invoiceIn(answer);
}

/** An invoice of 100.00, taxed at nothing. */
const plain = (input: object = {}) =>
  imported({ ContactId: contacts.ben, TaxRate: 0, Lines: [{ Rate: 100 }], ...input });
const got = async (InvoiceId: number, more: object = {}, options: CallOptions = {}) =>
  account.call('invoice/get', { InvoiceId, ...more }, options);
const contactNow = async (id: number) =>
  ((await account.call('contacts/locate', { IdSearch: id })).body['Matches'] as Contact[])[0] as Contact;
const openOf = async (id: number) => (await contactNow(id)).OpenInvoices.map(({ Id }) => Id);
const pay = async (InvoiceId: number, Amount: number) => {
  const answer = await account.call('payment/import', { Payment: { InvoiceId, Amount, Date: '2026-03-10' } });
  expect(answer.status, answer.text).toBe(200);
};

describe('invoice/import', () => {
  test('makes an invoice of every field, worked out to the cent, and lists it with the contact at once', async () => {
    const made = await imported({
      ContactId: contacts.ana,
      Number: ' 2026-0117 ',
      Date: '2026-03-09T09:30',
      InvoiceType: 'Recurring',
      Terms: 'Net 30',
      CustomerNotes: 'Thank you.',
      IncludedInEop: true,
      CanAcceptClientPayment: true,
      Lines: [
        { ServiceId: windows, Rate: 12.5, Qty: 14, Taxable: true },
        { PartId: screen, Description: 'Screen, repaired', Rate: 19.99, Qty: 2, Taxable: true },
        { Description: 'Travel', Rate: 20 },
      ],
    });
    // 175.00 at 8 % = 14.00; 39.98 at 8 % = 3.1984 → 3.20; 20.00 is not taxed.
    expect(made).toEqual({
      Id: made.Id,
      Number: '2026-0117',
      Date: '2026-03-09T13:30:00Z',
      DatePaid: null,
      Status: 'Open',
      InvoiceType: 'Recurring',
      ContactId: contacts.ana,
      ProposalId: null,
      AppointmentId: null,
      Subtotal: 234.98,
      Tax: 17.2,
      Total: 252.18,
      BalanceDue: 252.18,
      IncludedInEop: true,
      TaxParts: [],
      TaxRate: 8,
      RateName: 'State',
      Terms: 'Net 30',
      CustomerNotes: 'Thank you.',
      CanAcceptClientPayment: true,
      ClientPayUrl: expect.stringContaining('/c/invoice/') as string,
      ClientPdfUrl: `${made.ClientPayUrl}/pdf`,
      Contact: null,
      AssociatedAppointmentIds: [],
      DueDate: '2026-04-08',
      Lines: [
        {
          Id: expect.any(Number) as number,
          ServiceId: windows,
          PartId: null,
          Description: 'Windows',
          Rate: 12.5,
          Qty: 14,
          Extended: 175,
          Taxable: true,
          Tax: 14,
        },
        {
          Id: expect.any(Number) as number,
          ServiceId: null,
          PartId: screen,
          Description: 'Screen, repaired',
          Rate: 19.99,
          Qty: 2,
          Extended: 39.98,
          Taxable: true,
          Tax: 3.2,
        },
        {
          Id: expect.any(Number) as number,
          ServiceId: null,
          PartId: null,
          Description: 'Travel',
          Rate: 20,
          Qty: 1,
          Extended: 20,
          Taxable: false,
          Tax: 0,
        },
      ],
    });
    expect((await got(made.Id)).body).toMatchObject({ Invoice: made, Payments: [] });
    const ana = await contactNow(contacts.ana);
    expect(ana.OpenInvoices).toEqual([
      { Id: made.Id, Date: '2026-03-09', Service: 'Windows', Link: made.ClientPayUrl },
    ]);
    expect(ana.IsCustomer).toBe(true);
  });

  test('with no more than a contact and a line it is open, of now, and numbered by its Id', async () => {
    const made = await imported({ ContactId: contacts.ben, Lines: [{}] });
    expect(made).toMatchObject({ Number: String(made.Id), Status: 'Paid', Total: 0, TaxRate: 0 });
    expect(Math.abs(Date.parse(made.Date) - Date.now())).toBeLessThan(10_000);
    const open = await plain();
    expect(open).toMatchObject({ Number: String(open.Id), Status: 'Open', BalanceDue: 100 });
  });

  test('where its Id is the Number of another, the next free of that', async () => {
    /** Invoice 3, unless its container ends before. */
    const third = async () => {
      const single = await testAccount();
      const ContactId = await createContact(single, 'Ema');
      const make = async (more: object) =>
        invoiceIn(await single.call('invoice/import', { Invoice: { ContactId, Lines: [{ Rate: 100 }], ...more } }));
      await make({ Number: '3' });
      await make({ Number: '3-2' });
      for (let number = 0; number < 8; number++) {
        const made = await make({});
        if (made.Id === 3) return made;
      }
      return undefined;
    };
    expect((await third()) ?? (await third()) ?? (await third())).toMatchObject({ Id: 3, Number: '3-3' });
  });

  test('Status and InvoiceType may be numbers; an unapproved one is not listed until it is opened', async () => {
    const made = await plain({ Status: 0, InvoiceType: 1 });
    expect(made).toMatchObject({
      Status: 'Unapproved',
      InvoiceType: 'Deposit',
      BalanceDue: 100,
      CanAcceptClientPayment: false,
    });
    expect(await openOf(contacts.ben)).not.toContain(made.Id);
    expect(await imported({ Id: made.Id, Status: 1 })).toMatchObject({ Status: 'Open', CanAcceptClientPayment: true });
    expect(await openOf(contacts.ben)).toContain(made.Id);
  });

  test('a tax rate that was changed just before is the new one', async () => {
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'Changing', TaxRate: 10 }]);
    await plain({ TaxRate: undefined, RateName: 'State' });
    await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'Changing', TaxRate: 20 }]);
    expect(await plain({ TaxRate: undefined, RateName: 'Changing' })).toMatchObject({ TaxRate: 20 });
  });

  test('null in an update clears IncludedInEop and is refused in CanAcceptClientPayment', async () => {
    const made = await plain({ IncludedInEop: true, CanAcceptClientPayment: true });
    expect(await imported({ Id: made.Id, Terms: 'Net 30' })).toMatchObject({ IncludedInEop: true });
    expect(await imported({ Id: made.Id, IncludedInEop: null })).toMatchObject({ IncludedInEop: false });
    const refused = await account.call('invoice/import', {
      InvoiceId: made.Id,
      Invoice: { CanAcceptClientPayment: null },
    });
    expectFailure(refused, 400);
    expect(refused.body['Errors']).toMatchObject([{ Field: 'Invoice.CanAcceptClientPayment' }]);
  });

  test('Date is read in the zone of the organization of the contact', async () => {
    expect(
      (await imported({ ContactId: contacts.bina, Date: '2026-03-09', Lines: [{}] }, {}, { key: kolkata })).Date,
    ).toBe('2026-03-08T18:30:00Z');
    expect((await plain({ Date: '3/9/2026' })).Date).toBe('2026-03-09T04:00:00Z');
  });

  test.each<[string, object, string[]]>([
    ['no contact', { ContactId: undefined }, ['Invoice.ContactId']],
    ['no lines', { Lines: [] }, ['Invoice.Lines']],
    ['a status that payments or voiding make', { Status: 'Paid' }, ['Invoice.Status']],
    ['another', { Status: 3 }, ['Invoice.Status']],
    ['an unknown word', { Status: 'Sent' }, ['Invoice.Status']],
    ['an unknown number', { InvoiceType: 4 }, ['Invoice.InvoiceType']],
    [
      'everything at once',
      {
        Date: 'soon',
        TaxRate: -1,
        Status: 'Voided',
        Lines: [
          { Id: 4, ServiceId: 999_999 },
          { Rate: 1e15, Qty: 1e15 },
        ],
      },
      [
        'Invoice.Status',
        'Invoice.TaxRate',
        'Invoice.Date',
        'Invoice.Lines[0].Id',
        'Invoice.Lines[0].ServiceId',
        'Invoice.Lines[1].Rate',
      ],
    ],
    ['five decimals', { Lines: [{ Rate: 0.00001 }] }, ['Invoice.Lines[0].Rate']],
    ['a total below 0', { Lines: [{ Rate: -5 }] }, ['Invoice.InvoiceType']],
    ['two contacts', { Contact: { Id: 999 } }, ['Invoice.Contact.Id']],
    [
      'too many appointments',
      { AssociatedAppointmentIds: Array.from({ length: 101 }, (_, index) => index + 1) },
      ['Invoice.AssociatedAppointmentIds'],
    ],
  ])('refuses %s', async (_, fields, faulty) => {
    const answer = await put({ ContactId: contacts.ben, Lines: [{ Rate: 1 }], ...fields });
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual(faulty);
  });

  test('404 names the record that does not exist; an invoice of another organization does not exist', async () => {
    const theirs = await imported({ ContactId: contacts.bina, Lines: [{}] });
    for (const [fields, more, key, field] of [
      [{ ContactId: 999_999, Lines: [{}] }, {}, account.key, 'Invoice.ContactId'],
      [{ ContactId: contacts.ben, Lines: [{}] }, {}, kolkata, 'Invoice.ContactId'],
      [{ ContactId: contacts.ben, ProposalId: 999_999, Lines: [{}] }, {}, account.key, 'Invoice.ProposalId'],
      [{ ContactId: contacts.ben, AppointmentId: 999_999, Lines: [{}] }, {}, account.key, 'Invoice.AppointmentId'],
      [
        { ContactId: contacts.ben, AssociatedAppointmentIds: [999_999], Lines: [{}] },
        {},
        account.key,
        'Invoice.AssociatedAppointmentIds[0]',
      ],
      [{ Terms: 'x' }, { InvoiceId: 999_999 }, account.key, 'InvoiceId'],
      [{ Terms: 'x', Id: (await plain()).Id }, {}, kolkata, 'Invoice.Id'],
    ] as const) {
      const answer = await put(fields, more, { key });
      expectFailure(answer, 404);
      expect(fieldsIn(answer)).toEqual([field]);
    }
    expectFailure(await put({ Id: theirs.Id, Terms: 'x' }, { InvoiceId: theirs.Id + 1 }), 400);
    expectFailure(await put({ ContactId: contacts.ben }, { InvoiceId: theirs.Id }), 409);
  });

  test('has the tax of its sender, by line or on the sum; paid, nothing is due; another account imports the same', async () => {
    const tenLines = Array.from({ length: 10 }, () => ({ Rate: 11.11, Taxable: true }));
    const twoLines = [55.55, 11.11].map((Rate) => ({ Rate, Taxable: true }));
    const elsewhere = await testAccount();
    const contact = await createContact(elsewhere, 'Ana', { OrganizationId: 1 });
    for (const [lines, TaxRate, Subtotal, Tax, Total] of [
      [tenLines, 6.35, 111.1, 7.05, 118.15],
      [tenLines, 6.35, 111.1, 7.1, 118.2],
      [twoLines, 23, 66.66, 15.33, 81.99],
      [twoLines, 23, 66.66, 15.34, 82],
    ] as const) {
      const figures = { Subtotal, Tax, Total };
      const made = await imported({ ContactId: contacts.ben, TaxRate, Lines: lines, ...figures });
      expect(made).toMatchObject({ ...figures, BalanceDue: Total });

      const { Invoice: read } = (await got(made.Id)).body as { Invoice: Invoice };
      const Lines = read.Lines.map(({ Id: _id, ...line }) => line);
      const moved = await elsewhere.call('invoice/import', { Invoice: { ...read, Id: 0, ContactId: contact, Lines } });
      expect(moved.status, moved.text).toBe(200);
      expect(moved.body['Invoice']).toMatchObject({ ...figures, BalanceDue: Total });

      await account.call('payment/import', { Payment: { InvoiceId: made.Id, Amount: Total } });
      expect((await got(made.Id)).body['Invoice']).toMatchObject({ Status: 'Paid', BalanceDue: 0 });
    }
    const neither = await put({ ContactId: contacts.ben, TaxRate: 6.35, Lines: tenLines, Tax: 7.08 });
    expectFailure(neither, 409);
    expect(neither.body['Message']).toContain('Tax must be 7.10 or 7.05, not 7.08');
  });

  test('an amount that no rounding gives is 409 with both amounts, and nothing is stored', async () => {
    const lines = [{ Rate: 100, Qty: 1, Taxable: true }];
    const right = {
      ContactId: contacts.ben,
      TaxRate: 8.25,
      Lines: [{ ...lines[0], Extended: 100 }],
      Subtotal: 100,
      Tax: 8.25,
      Total: 108.25,
    };
    expect(await imported(right)).toMatchObject({ Total: 108.25 });
    const count = async () => (await account.call('invoice/query', { ContactId: contacts.ben })).body['Count'];
    const before = await count();
    for (const [wrong, message] of [
      [{ Total: 108.26 }, 'Total must be 108.25, not 108.26'],
      [{ Tax: 0, Subtotal: 99.98 }, 'Subtotal must be 100.00, not 99.98; Tax must be 8.25, not 0.00'],
      [{ Lines: [{ ...lines[0], Extended: 100.02 }] }, 'Lines[0].Extended must be 100.00, not 100.02'],
    ] as const) {
      const answer = await put({ ...right, ...wrong });
      expectFailure(answer, 409);
      expect(answer.body['Message']).toContain(message);
    }
    expect(await count()).toBe(before);
  });
});

describe('what cannot be imported', () => {
  test('is answered with every invalid field, also without a contact', async () => {
    const answer = await put({
      Status: 'Paid',
      TaxRate: 101,
      Date: '13/45/2026',
      Lines: [{ Id: 7 }, { Rate: 1e10, Qty: 2, ServiceId: windows }],
    });
    expect(answer.status).toBe(400);
    expect(fieldsIn(answer)).toEqual(
      ['ContactId', 'Status', 'TaxRate', 'Date', 'Lines[0].Id', 'Lines[1].Rate'].map((field) => `Invoice.${field}`),
    );
    expect(fieldsIn(await put({ ContactId: contacts.ana, Date: '13/45/2026', Lines: [] }))).toEqual([
      'Invoice.Date',
      'Invoice.Lines',
    ]);
    expect(fieldsIn(await put({ ContactId: contacts.ana, Contact: { Id: contacts.ben } }))).toEqual([
      'Invoice.Contact.Id',
      'Invoice.Lines',
    ]);
  });

  test('for a contact that is full is 409, not an internal error, and nothing is stored', async () => {
    const id = await createContact(account, 'Full', { OrganizationId: 1 });
    const key = layout.contact.key({ account: account.accountId, id });
    const fill = (FlashMessage: string) => testTable().update({ update: key, set: { FlashMessage }, add: { V: 1 } });
    let text = 'x'.repeat(400_000);
    await fill(text);
    // As long as will go in, to less than what the list takes for an invoice.
    for (let bytes = 8_192; bytes >= 8; bytes /= 2) {
      const longer = text + 'x'.repeat(bytes);
      const filled = await fill(longer).catch((error: unknown) => error);
      if (!(filled instanceof StoreFull)) text = longer;
    }
    const refused = await put({ ContactId: id, Number: 'FULL-1', Lines: [{ Rate: 1 }] });
    expect([refused.status, refused.body['Message']]).toMatchObject([409, expect.stringContaining('size limit')]);
    await fill('');
    expect((await imported({ ContactId: id, Number: 'FULL-1', Lines: [{ Rate: 1 }] })).Status).toBe('Open');
  });
});

describe('an invoice changed', () => {
  test('keeps absent fields; a response that is sent back changes nothing', async () => {
    const made = await imported({
      ContactId: contacts.ana,
      Lines: [
        { Description: 'Windows', Rate: 50, Qty: 2, Taxable: true },
        { Description: 'Travel', Rate: 20 },
      ],
      Terms: 'Net 30',
    });
    expect(await imported({ CustomerNotes: 'Thank you.', RateName: 'City' }, { InvoiceId: made.Id })).toEqual({
      ...made,
      Lines: [{ ...made.Lines[0], Tax: 9.5 }, made.Lines[1]],
      CustomerNotes: 'Thank you.',
      TaxRate: 9.5,
      RateName: 'City',
      Tax: 9.5,
      Total: 129.5,
      BalanceDue: 129.5,
    });
    const [first] = made.Lines;
    const changed = await imported({
      Id: made.Id,
      Lines: [
        { Id: first?.Id, Qty: 3 },
        { Description: 'Gutters', Rate: 5 },
      ],
      Number: 'Z-1',
    });
    expect(changed).toMatchObject({
      Number: 'Z-1',
      Lines: [
        { ...first, Qty: 3, Extended: 150, Tax: 14.25 },
        { Description: 'Gutters', Extended: 5 },
      ],
      Subtotal: 155,
      Tax: 14.25,
      Total: 169.25,
    });
    const version = async () =>
      (await testTable().get(layout.invoice.key({ account: account.accountId, id: made.Id })))?.['V'];
    const before = await version();
    expect(await imported(changed)).toEqual(changed);
    const whole = (await got(made.Id, { IncludeContact: true })).body['Invoice'] as object;
    expect(await imported(whole)).toEqual(changed);
    expect(await version()).toBe(before);
    expectFailure(await put({ Id: made.Id, Lines: [{ Id: 999_999 }] }), 400);
    // The old number is free again, the new one is not.
    expect((await plain({ Number: made.Number })).Number).toBe(made.Number);
    expectFailure(await put({ Id: (await plain()).Id, Number: 'z-1' }), 409);
  });

  test('is voided, also with payments; it is 409 afterwards, and off the list', async () => {
    const [made, paid] = [await plain(), await plain()];
    await pay(made.Id, 40);
    await pay(paid.Id, 100);
    expect(await openOf(contacts.ben)).toContain(made.Id);
    for (const [{ Id }, status] of [
      [made, 'Open'],
      [paid, 'Paid'],
    ] as const) {
      expect(invoiceIn(await got(Id)).Status).toBe(status);
      expect(await imported({ Status: 'Voided' }, { InvoiceId: Id })).toMatchObject({
        Status: 'Voided',
        BalanceDue: 0,
        Total: 100,
        CanAcceptClientPayment: false,
      });
      expect(await imported({ Status: 3 }, { InvoiceId: Id })).toMatchObject({ Status: 'Voided' });
      expectFailure(await put({ Terms: 'Net 30' }, { InvoiceId: Id }), 409);
      expectFailure(await put({ Status: 'Open' }, { InvoiceId: Id }), 409);
      expect(await openOf(contacts.ben)).not.toContain(Id);
      expectFailure(await account.call('payment/import', { Payment: { InvoiceId: Id, Amount: 1 } }), 409);
    }
  });

  test('is not changed once it is paid, nor paid by its status, nor to less than was paid', async () => {
    const made = await plain();
    await pay(made.Id, 60);
    expectFailure(await put({ Id: made.Id, Lines: [{ Rate: 59.99 }] }), 409);
    expectFailure(await put({ Id: made.Id, Status: 'Paid' }), 409);
    expectFailure(await put({ Id: made.Id, Status: 'Unapproved' }), 409);
    expect(await imported({ Id: made.Id, Lines: [{ Rate: 60 }] })).toMatchObject({
      Status: 'Paid',
      BalanceDue: 0,
      Total: 60,
    });
    expect(await openOf(contacts.ben)).not.toContain(made.Id);
    const refused = await put({ Id: made.Id, Terms: 'Net 30' });
    expectFailure(refused, 409);
    expect(refused.body['Message']).toContain('is Paid');
  });
});

describe('a Number', () => {
  const content = (Number: string, more: object = {}) => ({
    ContactId: contacts.ben,
    Number,
    TaxRate: 0,
    Lines: [{ Description: 'Windows', Rate: 100 }],
    ...more,
  });

  test('imported again with the same content returns the same invoice as it is now; with other content it is 409', async () => {
    const made = await imported(content('R-1'));
    await imported({ Terms: 'Net 30' }, { InvoiceId: made.Id });
    const again = await put({ ...content(' R-1 '.trim()), Terms: null });
    expect(invoiceIn(again)).toEqual({ ...made, Terms: 'Net 30', DueDate: expect.any(String) as string });
    expect(again.body['Message']).toContain(`Invoice ${made.Id}`);
    await imported(content('R-1b', { Date: '2022-05-01' }));
    const otherForm = await put({ ...content('R-1b', { Date: '5/1/2022 12:00 AM' }), TaxRate: '0.0' });
    expect(otherForm.body['Message']).toContain('was imported with this content before');
    for (const other of [
      content('R-1', { Terms: 'Net 10' }),
      content('r-1'),
      content('R-1', { ContactId: contacts.ana }),
    ])
      expectFailure(await put(other), 409);
    expect((await imported(content('R-1', { ContactId: contacts.bina }))).Id).not.toBe(made.Id);
  });

  test('50 imports of one Number at once with the same content are one invoice', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => put(content('same'))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => body['InvoiceId'])).size).toBe(1);
  });

  test('50 imports of one Number at once with different content: one is made, the others are 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => put(content('other', { Terms: `Net ${index}` }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
  });

  test('of 20 changes to one Number at once one is made', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => plain()));
    const answers = await Promise.all(made.map(({ Id }) => put({ Id, Number: 'wanted' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('any text is one', async () => {
    for (const Number of ['#1', '%23', '1#PAYMENT', 'ﷺ'.repeat(100), '№ 7/2026 “a”'])
      expect((await imported(content(Number))).Number).toBe(Number);
  });
});

describe('what an invoice bills', () => {
  async function proposal(
    Status: number,
    ContactId = contacts.ben,
    more: Partial<ProposalRecord> = {},
  ): Promise<number> {
    const { accountId } = account;
    const table = testTable();
    const last = (await table.update({
      update: layout.lease.key({ account: accountId, kind: 'Proposal' }),
      add: { Last: 1 },
    })) as unknown as { Last: number };
    const after = blankProposal({
      Id: last.Last,
      OrganizationId: 1,
      ContactId,
      Zone: 'America/New_York',
      Date: '2026-03-01',
      Created: Date.now(),
      Status,
      ...more,
    });
    await table.commit([proposalChanges({ account: accountId }, { before: undefined, after, now: new Date() }).change]);
    return after.Id;
  }
  const statusOf = async (id: number) =>
    (await findProposal(storeOf(testTable(), { account: account.accountId, organizationId: null }), id))?.Status;
  const appointment = async (ContactId = contacts.ben) =>
    (await account.call('appointments/queue', { ContactId, ServiceId: windows })).body['AppointmentId'] as number;
  const { Open, Accepted, Scheduled, Invoiced, Complete } = ProposalStatus;

  test.each([
    [Accepted, Invoiced],
    [Scheduled, Invoiced],
    [Open, Open],
    [Complete, Complete],
    [Invoiced, Invoiced],
  ])('a proposal of status %i becomes %i', async (before, after) => {
    const ProposalId = await proposal(before);
    expect(await plain({ ProposalId })).toMatchObject({ ProposalId });
    expect(await statusOf(ProposalId)).toBe(after);
  });

  test('a proposal stays as it is for a deposit, and while the invoice waits for approval', async () => {
    const ProposalId = await proposal(Accepted);
    await plain({ ProposalId, InvoiceType: 'Deposit' });
    const { Id } = await plain({ ProposalId, Status: 'Unapproved' });
    expect(await statusOf(ProposalId)).toBe(Accepted);
    await imported({ Id, Status: 'Open' });
    expect(await statusOf(ProposalId)).toBe(Invoiced);
    const other = await proposal(Accepted);
    const later = await plain();
    await imported({ Id: later.Id, ProposalId: other });
    expect(await statusOf(other)).toBe(Invoiced);
  });

  test('a proposal is Invoiced as long as an invoice that is not voided bills it, then what it was before the first', async () => {
    for (const before of [Accepted, Scheduled]) {
      const ProposalId = await proposal(before);
      const [one, two] = [await plain({ ProposalId }), await plain({ ProposalId })];
      await imported({ Id: one.Id, Status: 'Voided' });
      expect(await statusOf(ProposalId)).toBe(Invoiced);
      const three = await plain({ ProposalId });
      await imported({ Id: two.Id, Status: 'Voided' });
      expect(await statusOf(ProposalId)).toBe(Invoiced);
      await imported({ Id: three.Id, Status: 'Voided' });
      expect(await statusOf(ProposalId)).toBe(before);
    }
  });

  test('of a proposal’s invoices voided, and another imported, at the same moment, what is left decides', async () => {
    const ProposalId = await proposal(Accepted);
    const old = [await plain({ ProposalId }), await plain({ ProposalId })];
    const [last] = await Promise.all([
      plain({ ProposalId }),
      ...old.map(({ Id }) => imported({ Id, Status: 'Voided' })),
    ]);
    expect(await statusOf(ProposalId)).toBe(Invoiced);
    const both = [last, await plain({ ProposalId })];
    await Promise.all(both.map(({ Id }) => imported({ Id, Status: 'Voided' })));
    expect(await statusOf(ProposalId)).toBe(Accepted);
  });

  test('a proposal that lists it as its change order is updated too', async () => {
    const parent = await proposal(Accepted);
    const child = await proposal(Accepted, contacts.ben, { ChangeOrderForProposalId: parent });
    await plain({ ProposalId: child });
    const result = await findProposal(
      storeOf(testTable(), { account: account.accountId, organizationId: null }),
      parent,
    );
    expect(result).toMatchObject({ Status: Accepted, ChangeOrders: [{ Id: child, Status: Invoiced }] });
  });

  test('an appointment knows its invoice, and the invoice its appointments', async () => {
    const [own, other] = [await appointment(), await appointment()];
    const made = await plain({ AppointmentId: own, AssociatedAppointmentIds: [other] });
    expect(made).toMatchObject({ AppointmentId: own, AssociatedAppointmentIds: [own, other] });
    const invoiceOf = async (id: number) =>
      (await findAppointment(storeOf(testTable(), { account: account.accountId, organizationId: null }), id))
        ?.InvoiceId;
    expect([await invoiceOf(own), await invoiceOf(other)]).toEqual([made.Id, 0]);
    // A second invoice is one more of the same appointment, which keeps its first; a deposit is not what bills it.
    await plain({ AppointmentId: own });
    await plain({ AppointmentId: other, InvoiceType: 'Deposit' });
    expect([await invoiceOf(own), await invoiceOf(other)]).toEqual([made.Id, 0]);
  });

  test("is its contact's own", async () => {
    const [theirProposal, theirAppointment] = [await proposal(Accepted, contacts.ana), await appointment(contacts.ana)];
    const answer = await put({
      ContactId: contacts.ben,
      Lines: [{}],
      ProposalId: theirProposal,
      AppointmentId: theirAppointment,
      AssociatedAppointmentIds: [theirAppointment],
    });
    expectFailure(answer, 400);
    expect(fieldsIn(answer)).toEqual([
      'Invoice.ProposalId',
      'Invoice.AppointmentId',
      'Invoice.AssociatedAppointmentIds[0]',
    ]);
    expect(await statusOf(theirProposal)).toBe(Accepted);
  });
});

describe('invoice/get', () => {
  test('has the payments and refunds by date, and what they leave', async () => {
    const made = await plain();
    for (const [Amount, Date] of [
      [40, '2026-03-12'],
      [30, '2026-03-10'],
      [-20, '2026-03-15'],
    ] as const)
      await account.call('payment/import', { Payment: { InvoiceId: made.Id, Amount, Date } });
    const { body } = await got(made.Id);
    expect((body['Payments'] as Payment[]).map(({ Amount }) => Amount)).toEqual([30, 40, -20]);
    expect(body['Invoice']).toMatchObject({ BalanceDue: 50, Status: 'Open', Contact: null });
  });

  test('includes the contact on request, and is 404 for a key of another organization', async () => {
    const made = await plain();
    const contact = (invoiceIn(await got(made.Id, { IncludeContact: true })).Contact ?? {}) as Contact;
    expect(contact).toEqual(await contactNow(contacts.ben));
    expectFailure(await got(made.Id, {}, { key: kolkata }), 404);
    expectFailure(await got(999_999), 404);
    expectFailure(await got(0), 400);
  });
});
