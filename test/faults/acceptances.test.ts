import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEvidence } from '../../lib/domain/signing/verify.ts';
import { findContacts } from '../../lib/store/contacts/contacts.ts';
import { findEvidence, sha256 } from '../../lib/store/sales/evidence.ts';
import { queryInvoices } from '../../lib/store/sales/invoices.ts';
import { putProposal, readProposal, someProposal } from '../support/evidence.ts';
import { atRandom, missedErrors } from '../support/faults/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../support/faults/faulty-table.ts';
import { invoke } from '../support/stack/invoke.ts';
import { pngUri } from '../support/signatures.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

const PROPOSALS = 10;
const MAX_REPEATS = 20;
const SEED = Number(process.env['FAULT_SEED'] ?? 5);
const Book = {
  ...someProposal().Book,
  Service: { Name: 'Lawn care', IsSubscription: true, IntervalDays: 7, VisitCount: 3 },
};

let faulty: FaultyTable;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());

/** What is stored of an acceptance: all of it, or nothing. */
async function found(accountId: string, id: number) {
  const { Status, DepositInvoiceId, V } = await readProposal(faulty.sound, accountId, id);
  const evidence = await findEvidence(accountStore(faulty.sound, accountId), id);
  const checks = evidence.kind === 'found' ? verifyEvidence(evidence.evidence, sha256) : [];
  return {
    Status,
    V,
    kind: evidence.kind,
    failed: checks.filter(({ Passed }) => !Passed),
    hasInvoice: DepositInvoiceId !== null,
  };
}

test.each([
  { name: 'replies lost after the commit', shares: { lostReply: 0.12 } },
  { name: 'errors before and after the commit', shares: { errorBefore: 0.1, errorAfter: 0.1 } },
  { name: 'throttling and transactions in conflict', shares: { throttled: 0.1, conflict: 0.1 } },
])(
  'with $name every acceptance has its evidence once, and a failed one leaves nothing',
  { timeout: 60_000 },
  async ({ shares }) => {
    const { accountId, key } = await faulty.newAccount();
    const ask = (operation: string, body: object, headers = {}) => invoke(operation, body, { key, headers });
    expect((await ask('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' })).status).toBe(200);
    const ids: number[] = [];
    for (let count = 0; count < PROPOSALS; count++) ids.push(await putProposal(faulty.sound, accountId, { Book }));

    /** Every second signer has an Idempotency-Key and repeats until the call is answered. */
    async function sign(ProposalId: number, signer: number): Promise<number> {
      const headers = signer % 2 ? { 'idempotency-key': `${ProposalId} ${signer}` } : {};
      for (let repeat = 0; ; repeat++) {
        const { status } = await ask(
          'proposal/accept',
          { ProposalId, Name: `Signer ${signer}`, SignatureData: pngUri },
          headers,
        );
        if (status !== 503 || !(signer % 2) || repeat === MAX_REPEATS) return status;
      }
    }
    faulty.line.fail(atRandom(SEED, shares));
    const answers = await Promise.all(ids.map((id) => Promise.all([0, 1].map((signer) => sign(id, signer)))));
    faulty.line.fail(undefined);
    expect(missedErrors(faulty.line, shares)).toEqual([]);

    const whole = { Status: 2, V: 2, kind: 'found', failed: [], hasInvoice: true };
    for (const [index, id] of ids.entries()) {
      // A signer with a key learns of an acceptance, its own or another's; no two learn that they did it.
      expect(answers[index]?.[1]).toSatisfy((status: number) => status === 200 || status === 409);
      expect(answers[index]?.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(await found(accountId, id)).toEqual(whole);
    }
    const scope = { account: accountId, organizationId: null };
    const { invoices } = await queryInvoices(
      storeOf(faulty.sound, scope),
      { date: {}, updated: {}, skip: 0, take: 100 },
      new Date(),
    );
    expect(invoices.map(({ ProposalId, InvoiceType, Total }) => [ProposalId, InvoiceType, Total]).sort()).toEqual(
      ids.map((id) => [id, 1, 180.9]).sort(),
    );
    const [contact] = await findContacts(accountStore(faulty.sound, accountId), [1]);
    expect(
      Object.keys(contact?.OpenInvoices ?? {})
        .map(Number)
        .sort(),
    ).toEqual(invoices.map(({ Id }) => Id).sort());
    expect([contact?.IsCustomer, contact?.OpenProposals]).toEqual([true, {}]);
    const { body } = await ask('appointments/query', { ContactId: 1 });
    expect(body['Count']).toBe(3 * PROPOSALS);
  },
);

test('a transaction that fails leaves nothing of the acceptance', async () => {
  const { accountId, key } = await faulty.newAccount();
  expect((await invoke('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' }, { key })).status).toBe(200);
  const ProposalId = await putProposal(faulty.sound, accountId, { Book });
  faulty.line.fail((operation) => (operation === 'TransactWriteItems' ? 'errorBefore' : undefined));
  const { status } = await invoke('proposal/accept', { ProposalId, Name: 'Ana', SignatureData: pngUri }, { key });
  faulty.line.fail(undefined);
  expect([status, await found(accountId, ProposalId)]).toEqual([
    503,
    { Status: 1, V: 1, kind: 'unsigned', failed: [], hasInvoice: false },
  ]);
  const [contact] = await findContacts(accountStore(faulty.sound, accountId), [1]);
  expect([contact?.IsCustomer, contact?.OpenInvoices, Object.keys(contact?.OpenProposals ?? {})]).toEqual([
    false,
    {},
    [String(ProposalId)],
  ]);
  expect((await invoke('appointments/query', { ContactId: 1 }, { key })).body['Count']).toBe(0);
});
