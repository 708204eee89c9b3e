import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../../lib/store/requests/api-keys.ts';
import { runTool, withEnvironment } from '../../../support/cli.ts';
import {
  call,
  deadLetters,
  drainEvents,
  expireItems,
  testAccount,
  testStack,
  testTable,
} from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

interface Appointment {
  readonly AppointmentId: number;
  readonly Status: number;
  readonly DateTime: string;
  readonly ContactId: number;
  readonly ProposalId: number | null;
  readonly SeriesId: number;
}
interface Proposal {
  readonly Id: number;
  readonly Status: string;
  readonly ContactId: number;
  readonly Subtotal: number;
  readonly Tax: number;
}
interface Invoice {
  readonly Id: number;
  readonly Status: string;
  readonly InvoiceType: string;
  readonly ContactId: number;
  readonly ProposalId: number | null;
  readonly AppointmentId: number | null;
  readonly Total: number;
  readonly BalanceDue: number;
  readonly Date: string;
}
interface Payment {
  readonly InvoiceId: number;
  readonly ContactId: number;
  readonly Amount: number;
  readonly Method: string;
}
interface Contact {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly CreditBalance: number;
  readonly OpenInvoices: readonly { readonly Id: number }[];
  readonly OpenProposals: readonly { readonly Id: number }[];
}

const DAY = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'demo-activity-'));

/** What `npm run fs -- …` prints. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await withEnvironment({ FS_DATA: folder }, () => runTool(words));
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const now = new Date();
let created: { readonly AccountId: string };
let appointments: Appointment[];
let proposals: Proposal[];
let invoices: Invoice[];
let payments: Payment[];
let contacts: Contact[];
let events: unknown[];
let account: string;

const cents = (amount: number) => Math.round(amount * 100);
const idsOf = (records: readonly { readonly Id: number }[]) => records.map(({ Id }) => Id).sort((a, b) => a - b);

const ownerKey = () =>
  createKey(accountStore(testTable(), account), {
    role: 'Owner',
    name: 'test',
    hasEvent: false,
    rate: 100_000,
    inFlight: 10_000,
    now,
  });

beforeAll(async () => {
  const { accountId: AccountId } = await testAccount();
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...testStack(), AccountId }));
  created = JSON.parse(
    await run('account', 'create', '--demo', 'small', '--name', 'Green & Co', '--json'),
  ) as typeof created;
  account = created.AccountId;
  const { key } = await ownerKey();
  const ask = async <Things>(operation: string, list: string, body: object): Promise<Things> =>
    (await call(operation, body, { key })).body[list] as Things;
  await drainEvents();
  await expireItems();
  await drainEvents();
  appointments = await ask('appointments/query', 'Appointments', { Take: 500 });
  proposals = await ask('proposal/query', 'Proposals', { Take: 500 });
  invoices = await ask('invoice/query', 'Invoices', { Take: 500 });
  payments = await ask('payment/query', 'Payments', { Take: 500 });
  const categories = ['Customer', 'Lead'].map((CategorySearch) =>
    ask<Contact[]>('contacts/locate', 'Matches', { CategorySearch, Limit: 500 }),
  );
  contacts = (await Promise.all(categories)).flat();
  events = await ask('datasubscriber/fetch', 'Events', { EventCount: 1000 });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('account create --demo creates the demo company', async () => {
  expect(created).toMatchObject({ Name: 'Green & Co', OrganizationId: 1 });
  const exported = await run('export', '--account', account);
  expect(exported).toContain('company: Green & Co\n');
  expect(exported).toContain("name: Evergreen St. John's");
});

describe('the activity of the demo company', () => {
  test('has appointments of every status: past ones completed, future ones booked', () => {
    expect(appointments.length).toBeGreaterThanOrEqual(25);
    const {
      past = [],
      future = [],
      waiting = [],
    } = Object.groupBy(appointments, ({ DateTime, Status }) =>
      Status === 0 ? 'waiting' : Date.parse(DateTime) < now.getTime() ? 'past' : 'future',
    );
    expect(new Set(past.map(({ Status }) => Status))).toEqual(new Set([3, 4]));
    expect(new Set(future.map(({ Status }) => Status))).toEqual(new Set([1, 5]));
    expect(new Set(waiting.map(({ Status }) => Status))).toEqual(new Set([0]));
    expect(waiting.filter(({ ProposalId }) => ProposalId)).toHaveLength(6);
  });

  test('has proposals and invoices of every status, and payments of every method', () => {
    expect(new Set(proposals.map(({ Status }) => Status))).toEqual(
      new Set(['Internal', 'Open', 'Accepted', 'Declined', 'Invoiced', 'Scheduled', 'Complete', 'Expired']),
    );
    expect(new Set(invoices.map(({ Status }) => Status))).toEqual(new Set(['Unapproved', 'Open', 'Paid', 'Voided']));
    expect(new Set(payments.map(({ Method }) => Method))).toEqual(new Set(['Card', 'Check', 'Cash']));
    expect([proposals.length, invoices.length, payments.length]).toEqual([16, 27, 22]);
    expect(payments.filter(({ Amount }) => Amount < 0)).toHaveLength(1);
  });

  test('has appointments, proposals, invoices and payments in every organization', () => {
    const organizationOf = new Map(contacts.map(({ Id, OrganizationId }) => [Id, OrganizationId]));
    for (const records of [appointments, proposals, invoices, payments])
      expect(new Set(records.map(({ ContactId }) => organizationOf.get(ContactId))).size).toBe(3);
  });

  test('has invoices whose balance due is the total minus the payments', () => {
    for (const { Id, Status, Total, BalanceDue } of invoices) {
      const own = payments.filter(({ InvoiceId }) => InvoiceId === Id);
      const paid = own.reduce((sum, { Amount }) => sum + cents(Amount), 0);
      expect([Id, cents(BalanceDue)]).toEqual([Id, Status === 'Voided' ? 0 : cents(Total) - paid]);
      if (Status === 'Paid') expect([Id, BalanceDue]).toEqual([Id, 0]);
    }
  });

  test('invoices exactly what the proposals sold', () => {
    const billed = invoices.filter(({ InvoiceType, ProposalId }) => InvoiceType === 'Standard' && ProposalId);
    expect(billed).toHaveLength(2);
    for (const { ProposalId, Total } of billed) {
      const soldProposal = proposals.find(({ Id }) => Id === ProposalId);
      expect([ProposalId, cents(Total)]).toEqual([
        ProposalId,
        cents((soldProposal?.Subtotal ?? 0) + (soldProposal?.Tax ?? 0)),
      ]);
    }
  });

  test('lists every open invoice and proposal with its contact, and no other', () => {
    const open = <Thing extends { readonly Status: string }>(records: readonly Thing[]) =>
      records.filter(({ Status }) => Status === 'Open');
    expect(idsOf(contacts.flatMap(({ OpenInvoices }) => OpenInvoices))).toEqual(idsOf(open(invoices)));
    expect(idsOf(contacts.flatMap(({ OpenProposals }) => OpenProposals))).toEqual(idsOf(open(proposals)));
  });

  test('has a series without a proposal, with all its visits', () => {
    const series = appointments.filter(({ SeriesId }) => SeriesId);
    // One that falls on a holiday or time off waits for its day.
    expect(series.filter(({ Status }) => Status === 1).length).toBeGreaterThan(2);
    expect(series.filter(({ Status }) => Status > 1)).toEqual([]);
    expect(new Set(series.map(({ ProposalId }) => ProposalId ?? 0))).toEqual(new Set([0]));
    const days = series.map(({ DateTime }) => Date.parse(DateTime.slice(0, 10)) / DAY).sort((a, b) => a - b);
    expect(days.slice(1).map((day, index) => day - (days[index] ?? 0))).toEqual([28, 28, 28, 28, 28]);
  });

  test('has the credit of one contact, who has an open invoice', () => {
    const withCredit = contacts.filter(({ CreditBalance }) => CreditBalance !== 0);
    expect(withCredit).toMatchObject([{ CreditBalance: 20, OpenInvoices: [{ Id: expect.any(Number) as number }] }]);
  });

  test('has one likely pair, in the first page of contacts/duplicates', async () => {
    const { key } = await ownerKey();
    expect((await call('contacts/duplicates', {}, { key })).body['Pairs']).toMatchObject([
      { Reasons: ['phone', 'address', 'email'] },
    ]);
  });

  test('shows arrival windows and a horizon in a slot search', async () => {
    const { key } = await ownerKey();
    const search = async (body: object) => (await call('appointments/slotsearch', body, { key })).body;
    const windows = await search({ Zip: 'A1C 5M2', ServiceName: 'Window Cleaning', SlotWindowDays: 14 });
    expect(windows['Slots']).toContainEqual(
      expect.objectContaining({ ArrivalFrom: expect.any(String) as unknown, Capacity: expect.any(Number) as unknown }),
    );
    const TargetDate = new Date(now.getTime() + 90 * DAY).toISOString();
    const late = await search({ Zip: '80205', ServiceName: 'Window Cleaning', TargetDate });
    expect(late['Message']).toMatch(/^Visits can be booked at most 60 days ahead/);
  });

  test('queued no event: the first one is the first change afterwards', async () => {
    expect(events).toEqual([]);
    const { key } = await ownerKey();
    await call('contacts/addnote', { ContactId: contacts[0]?.Id, Note: { Body: 'Called.' } }, { key });
    await drainEvents();
    const { body } = await call('datasubscriber/fetch', {}, { key });
    expect(body['Events']).toMatchObject([{ Id: 1, Payload: { Kind: 'note.created' } }]);
    // Other tests of this run park records on purpose.
    expect((await deadLetters()).filter((record) => record.includes(account))).toEqual([]);
  });
});
