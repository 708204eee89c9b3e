import type { Contact } from '../../../lib/entities/contacts.ts';
import type { ProposalRecord, Proposal } from '../../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Evidence } from '../../../lib/domain/signing/evidence.ts';
import { verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import { StoreConflict } from '../../../lib/store/dynamodb/errors.ts';
import { findEvidence, sha256, evidenceChanges } from '../../../lib/store/sales/evidence.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { putProposal, readProposal, someProposal } from '../../support/evidence.ts';
import { expectFailure } from '../../support/failed.ts';
import { putInvoice, readInvoice } from '../../support/invoices.ts';
import { writeBook } from '../../support/price-book.ts';
import { pngUri, someSvg, svgUri } from '../../support/signatures.ts';
import {
  type CallOptions,
  type TestAccount,
  type TestAnswer,
  drainEvents,
  testAccount,
  testTable,
} from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  await testTable().commit(newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Boulder' }));
  await writeBook(account.accountId, { services: [{ Name: 'Windows', BasePrice: 80 }] });
});

/** A new open proposal of a contact of its own. */
async function open(input: Partial<ProposalRecord> = {}): Promise<{ id: number; contact: number }> {
  const added = await account.call('contacts/addupdate', {
    Name: 'Ana Diaz',
    Email: `ana${Math.random()}@example.com`,
  });
  const contact = (added.body['Matches'] as Contact[])[0]?.Id ?? 0;
  return { id: await putProposal(testTable(), account.accountId, { ContactId: contact, ...input }), contact };
}

const accept = (ProposalId: number, fields: object = {}, options: CallOptions = {}): Promise<TestAnswer> =>
  account.call(
    'proposal/accept',
    { ProposalId, Name: 'Ana Diaz', SignatureData: pngUri, IpAddress: '198.51.100.7', ...fields },
    options,
  );
const stored = (id: number) => readProposal(testTable(), account.accountId, id);
const createContact = async (id: number) =>
  ((await account.call('contacts/locate', { IdSearch: id })).body['Matches'] as Contact[])[0] as Contact;
async function invoicesOf(ContactId: number): Promise<number[]> {
  const { body } = await account.call('invoice/query', { ContactId });
  return (body['Invoices'] as { Id: number }[]).map(({ Id }) => Id);
}
async function visitsOf(ContactId: number): Promise<Record<string, unknown>[]> {
  const { body } = await account.call('appointments/query', { ContactId });
  return body['Appointments'] as Record<string, unknown>[];
}

/** The evidence, which must be complete. */
async function evidenceOf(id: number): Promise<Evidence> {
  const found = await findEvidence(accountStore(testTable(), account.accountId), id);
  if (found.kind !== 'found') throw new Error(`evidence is ${found.kind}`);
  expect(
    verifyEvidence(found.evidence, sha256, (await stored(id)).EvidenceSha256).filter(({ Passed }) => !Passed),
  ).toEqual([]);
  return JSON.parse(found.evidence.Content) as Evidence;
}

/** What is stored of a proposal that is not accepted. */
async function expectUntouched(id: number, contact: number): Promise<void> {
  expect(await findEvidence(accountStore(testTable(), account.accountId), id)).toEqual({ kind: 'unsigned' });
  expect((await stored(id)).V).toBe(1);
  expect(await invoicesOf(contact)).toEqual([]);
}

describe('proposal/accept', () => {
  test('signs, stores the evidence, opens the deposit invoice and makes the contact a customer', async () => {
    const { id, contact } = await open();
    expect(await createContact(contact)).toMatchObject({ IsCustomer: false, OpenProposals: [{}], OpenInvoices: [] });
    const answer = await accept(id);
    const { EvidenceSha256, DepositInvoiceId } = await stored(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ProposalId: id,
        Name: 'Ana Diaz',
        IpAddress: '198.51.100.7',
        EvidenceSha256,
        DepositInvoiceId,
        ResultCode: 0,
        Message: `Proposal ${id} is Accepted. Deposit invoice ${DepositInvoiceId} of 180.90 is Open. SHA-256 of the evidence: ${EvidenceSha256}.`,
      },
    ]);
    const details = (await account.call('proposal/details', { Id: id })).body as unknown as Proposal;
    const { Proposal: kept, Acceptance } = await evidenceOf(id);
    expect(details).toMatchObject({
      Status: 'Accepted',
      AcceptedDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      SelectedSolution: { Name: 'Better' },
    });
    expect(Acceptance).toMatchObject({
      AccountId: account.accountId,
      Name: 'Ana Diaz',
      IpAddress: '198.51.100.7',
      ByKey: { Id: expect.any(String) as string, Name: expect.any(String) as string },
      SignatureType: 'image/png',
    });
    expect(kept).toMatchObject({
      Total: details.Subtotal + details.Tax,
      Deposit: 180.9,
      Options: [{ Selected: false }, { Selected: true }, { Selected: false }],
    });
    const { body } = await account.call('invoice/get', { InvoiceId: DepositInvoiceId });
    expect(body['Invoice']).toMatchObject({
      InvoiceType: 'Deposit',
      Status: 'Open',
      ProposalId: id,
      Subtotal: 180.9,
      Tax: 0,
      Total: 180.9,
      BalanceDue: 180.9,
      Lines: [{ Extended: 180.9, Taxable: false }],
    });
    expect(await createContact(contact)).toMatchObject({ IsCustomer: true, OpenProposals: [], OpenInvoices: [{}] });
  });

  test('has the hash in its event', async () => {
    const { id } = await open();
    expect((await accept(id)).status).toBe(200);
    await drainEvents();
    const { body } = await account.call('datasubscriber/fetch', { EventCount: 1000 });
    const events = body['Events'] as { Payload: { Kind: string; Id: number; Data: { EvidenceSha256?: string } } }[];
    const result = events.filter(({ Payload }) => Payload.Kind === 'proposal.accepted' && Payload.Id === id);
    expect(result.map(({ Payload }) => Payload.Data.EvidenceSha256)).toEqual([(await stored(id)).EvidenceSha256]);
  });

  test('opens no invoice if no deposit is required, and reports it', async () => {
    const { id, contact } = await open({ DepositRequired: false });
    expect((await accept(id)).body['Message']).toMatch(
      /^Proposal \d+ is Accepted. No deposit invoice: DepositRequired is not true. SHA-256/,
    );
    expect(await invoicesOf(contact)).toEqual([]);
    expect(await createContact(contact)).toMatchObject({ IsCustomer: true, OpenProposals: [] });
  });

  test('gives the deposit invoice the next free number', async () => {
    const first = await open();
    await accept(first.id);
    const last = (await stored(first.id)).DepositInvoiceId ?? 0;
    for (let number = last + 1; number <= last + 3; number++)
      await putInvoice(testTable(), account.accountId, 10, { Number: String(number) });
    const accepted: { id: number; number: string }[] = [];
    // The container that made the first one has the next ids; another one has others.
    for (let tries = 0; tries < 8 && !accepted.some(({ id }) => id > last && id <= last + 3); tries++) {
      const { id } = await open();
      expect((await accept(id)).status).toBe(200);
      const invoice = (await stored(id)).DepositInvoiceId ?? 0;
      const { Number } = await readInvoice(testTable(), account.accountId, invoice);
      accepted.push({ id: invoice, number: Number });
    }
    const made = accepted.at(-1);
    expect(made?.number).toBe(`${made?.id}-2`);
  });

  test.each([
    ['a data URI of a PNG', pngUri, 'image/png'],
    ['an SVG in percents', svgUri, 'image/svg+xml'],
    ['an SVG in base64', `data:image/svg+xml;base64,${Buffer.from(someSvg).toString('base64')}`, 'image/svg+xml'],
    ['a bare PNG', pngUri.slice(pngUri.indexOf(',') + 1), 'image/png'],
  ])("takes %s, and the caller's address where none is given", async (_, SignatureData, type) => {
    const { id } = await open({ DepositRequired: false });
    const answer = await accept(id, { SignatureData, IpAddress: undefined, Name: ' Ana Diaz ' });
    expect([answer.status, answer.body['Name']], answer.text).toEqual([200, 'Ana Diaz']);
    const { Acceptance } = await evidenceOf(id);
    expect(Acceptance).toMatchObject({ Name: 'Ana Diaz', SignatureType: type, IpAddress: answer.body['IpAddress'] });
    expect(Acceptance.IpAddress).toMatch(/127\.0\.0\.1|::1/);
  });

  test('rejects an invalid signature, name and address together, and changes nothing', async () => {
    const { id, contact } = await open();
    const script =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/><script>alert(1)</script></svg>';
    const answer = await accept(id, { Name: '  ', SignatureData: script, IpAddress: '198.51.100.256' });
    expectFailure(answer, 400);
    expect(answer.body['Errors']).toEqual([
      { Field: 'Name', Code: 'required', Message: 'is required' },
      { Field: 'IpAddress', Code: 'format', Message: 'must be an IPv4 or IPv6 address' },
      {
        Field: 'SignatureData',
        Code: 'format',
        Message: 'is an SVG that has an element script, which is not allowed in a signature',
      },
    ]);
    for (const fields of [
      { Name: 'x'.repeat(201) },
      { SignatureData: '' },
      { SignatureData: 'Ana' },
      { SignatureData: `${pngUri}${'A'.repeat(262_144)}` },
      { IpAddress: 'example.com' },
    ])
      expectFailure(await accept(id, fields), 400);
    await expectUntouched(id, contact);
  });

  test.each(['2001:db8::7', '::1', '::ffff:198.51.100.7', '0.0.0.0'])('accepts the address %s', async (IpAddress) => {
    const { id } = await open({ DepositRequired: false });
    expect((await accept(id, { IpAddress })).body).toMatchObject({ ResultCode: 0, IpAddress });
  });

  test.each<[string, Partial<ProposalRecord>, RegExp]>([
    ['Internal', { Status: 0, OpenedAt: null }, /is Internal. Only an Open proposal/],
    ['Declined', { Status: 3 }, /is Declined. Only an Open proposal/],
    ['Expired without a write', { ExpiresAt: 1 }, /is Expired. Only an Open proposal/],
    [
      'short of MinimumOptions',
      { Book: { ...someProposal().Book, Service: { MinimumOptions: 2 } } },
      /requires 2 \(MinimumOptions/,
    ],
    [
      'short of MinimumSubtotal',
      { Book: { ...someProposal().Book, Service: { MinimumSubtotal: 2000 } } },
      /requires 2,000\.00 \(MinimumSubtotal/,
    ],
  ])('rejects a proposal that is %s', async (_, input, message) => {
    const { id, contact } = await open(input);
    const answer = await accept(id);
    expectFailure(answer, 409);
    expect(answer.body['Message']).toMatch(message);
    await expectUntouched(id, contact);
  });

  test('requires the role Office, and a proposal that the key sees', async () => {
    const { id, contact } = await open();
    for (const role of ['ServiceAgent', 'Marketing', 'DataSubscriber', 'ReadOnly'] as const)
      expectFailure(await accept(id, {}, { key: await account.newKey({ role }) }), 403);
    expectFailure(await accept(id, {}, { key: await account.newKey({ role: 'Owner', organizationId: 2 }) }), 404);
    expectFailure(await accept(2_000_000_000), 404);
    await expectUntouched(id, contact);
    expect((await accept(id, {}, { key: await account.newKey({ role: 'Office', organizationId: 1 }) })).status).toBe(
      200,
    );
  });
});

describe('a change order', () => {
  const result = async (id: number) =>
    (await account.call('proposal/details', { Id: id })).body as unknown as Proposal & { Message: string };

  test('counts for the signed proposal once it is accepted, and leaves what was signed unchanged', async () => {
    const { contact: ContactId } = await open();
    const create = async (fields: object): Promise<Proposal> => {
      const answer = await account.call('proposal/create', {
        ContactId,
        ServiceName: 'Windows',
        Status: 'Open',
        ...fields,
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.body as unknown as Proposal;
    };
    // 80.00 and the middle one of three options, 500.00; 10 % of 580.00 as a deposit.
    const ProposalLines = [250, 500, 900].map((UnitPrice, place) => ({
      LineDescription: `Frames ${place}`,
      UnitPrice,
      ProposalOption: { Name: ['Good', 'Better', 'Best'][place], Selected: place === 1 },
    }));
    const { Id: id } = await create({ ProposalLines, DepositRate: 10, DepositRequired: true });
    expect((await accept(id)).body['Message']).toMatch(
      /^Proposal \d+ is Accepted\. Deposit invoice \S+ of 58\.00 is Open\. SHA-256/,
    );
    const signed = await evidenceOf(id);
    expect(signed.Proposal).toMatchObject({
      Total: 580,
      Options: [{ Selected: false }, { Name: 'Better', Selected: true }, { Selected: false }],
      Lines: [{}, { ExtendedTotal: 500, Counts: true }, {}],
    });

    const { Id } = await create({
      ChangeOrderForProposalId: id,
      ProposalLines: [{ LineDescription: 'Attic', UnitPrice: 100 }],
    });
    expect((await result(id)).Message).toBe(
      'With its change orders and bundled proposals: Subtotal 580.00, Tax 0.00, total 580.00.',
    );
    expect((await accept(Id)).status).toBe(200);
    const { ChangeOrders, Message } = await result(id);
    expect([ChangeOrders, Message]).toMatchObject([
      [{ Id, Status: 'Accepted' }],
      'With its change orders and bundled proposals: Subtotal 760.00, Tax 0.00, total 760.00.',
    ]);
    expect((await evidenceOf(Id)).Proposal.ChangeOrderForProposalId).toBe(id);
    expectFailure(await account.call('proposal/update', { Id: id, Title: 'Other' }), 409);
    const noted = await account.call('proposal/update', {
      Id: id,
      ProposalNotes: [{ Note: 'Call first.' }],
      Status: 'Scheduled',
    });
    expect(noted.status, noted.text).toBe(200);
    expect(await evidenceOf(id)).toEqual(signed);
  });
});

describe('an accepted subscription', () => {
  const weekly = (VisitCount: number): Partial<ProposalRecord> => ({
    Book: {
      ...someProposal().Book,
      Service: { Id: 3, Name: 'Lawn care', IsSubscription: true, IntervalDays: 7, VisitCount },
    },
    Lines: [],
    Options: [],
    Subtotal: 1200,
    BasePrice: 1200,
    UnitPrice: 0,
    ServiceTax: 96,
    Tax: 96,
  });

  test('queues each visit once, adding up to the accepted price', async () => {
    const { id, contact } = await open(weekly(3));
    expect((await accept(id)).body['Message']).toContain('3 visits are queued.');
    const visits = await visitsOf(contact);
    expect(visits.map(({ Status }) => Status)).toEqual([0, 0, 0]);
    // 1,200.00 and 8 % tax.
    expect(visits.reduce((sum, { Total }) => sum + (Total as number), 0)).toBe(1296);
    expect((await stored(id)).VisitsToQueue).toBe(0);
  });

  test('queues the first 40 of many visits in the same transaction; the rest follow', async () => {
    const { id, contact } = await open(weekly(45));
    const answer = await accept(id);
    expect(answer.body['Message']).toContain('40 visits are queued; 5 more will follow.');
    await drainEvents();
    expect(await visitsOf(contact)).toHaveLength(45);
    expect((await stored(id)).VisitsToQueue).toBe(0);
  });
});

describe('of concurrent acceptances', () => {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);

  test(
    "exactly one of 50 wins; the evidence is the winner's, with one deposit invoice",
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < 3; round++) {
        const { id, contact } = await open();
        const answers = await Promise.all(range(50).map((index) => accept(id, { Name: `Signer ${index}` })));
        const winners = answers.filter(({ status }) => status === 200);
        expect(winners).toHaveLength(1);
        const others = answers
          .filter(({ status }) => status !== 200)
          .map(({ status, body }) => `${status} ${String(body['Message'])}`);
        expect(new Set(others)).toEqual(
          new Set([`409 Proposal ${id} is Accepted. Only an Open proposal can be accepted.`]),
        );
        const { Acceptance } = await evidenceOf(id);
        expect(Acceptance.Name).toBe(winners[0]?.body['Name']);
        expect(winners[0]?.text).toContain((await stored(id)).EvidenceSha256);
        expect(await invoicesOf(contact)).toEqual([(await stored(id)).DepositInvoiceId]);
      }
    },
  );

  test('all with one Idempotency-Key get the acceptance, also later; without it the second is 409', async () => {
    const { id, contact } = await open();
    const headers = { 'idempotency-key': `accept-${id}` };
    const answers = await Promise.all(range(10).map(() => accept(id, {}, { headers })));
    const again = await accept(id, {}, { headers });
    expect(new Set([...answers, again].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(again.status).toBe(200);
    expectFailure(await accept(id), 409);
    expectFailure(await accept(id, { Name: 'Eve' }, { headers }), 409);
    expect(await invoicesOf(contact)).toHaveLength(1);
  });

  test('evidence and signature are never overwritten', async () => {
    const { id } = await open();
    expect((await accept(id)).status).toBe(200);
    const before = await evidenceOf(id);
    const other = { id, content: '{}', signature: { type: 'image/png', bytes: new Uint8Array(1) } } as const;
    for (const change of evidenceChanges({ account: account.accountId }, other))
      await expect(testTable().commit([change])).rejects.toThrow(StoreConflict);
    expect(await evidenceOf(id)).toEqual(before);
  });
});
