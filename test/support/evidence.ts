import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import {
  type AcceptedProposal,
  type AcceptanceInput,
  acceptedProposal,
} from '../../lib/domain/proposals/acceptance.ts';
import { blankLine, blankProposal, proposalStatusName } from '../../lib/domain/proposals/record.ts';
import { fixedFields, signedContent } from '../../lib/domain/signing/evidence.ts';
import type { StoredEvidence } from '../../lib/domain/signing/verify.ts';
import { contactSummaryChanges } from '../../lib/store/contacts/contacts.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';
import { retryOnConflict } from '../../lib/store/dynamodb/errors.ts';
import { sha256 } from '../../lib/store/sales/evidence.ts';
import { layout } from '../../lib/store/keys.ts';
import { findProposal, proposalChanges } from '../../lib/store/sales/proposals.ts';
import { somePng } from './signatures.ts';
import { type TestAccount, testTable } from './stack/stack.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

export const AT = Date.UTC(2026, 10, 21, 15, 30);

/** An open proposal of three options with tax and deposit; the second is selected. 1,340.00 + 107.20 tax. */
export const someProposal = (input: Partial<ProposalRecord> = {}): ProposalRecord => ({
  ...blankProposal({
    Id: 12,
    OrganizationId: 1,
    ContactId: 7,
    Zone: 'America/New_York',
    Date: '2026-11-20',
    Created: AT - 1e6,
  }),
  Status: 1,
  OpenedAt: AT - 1e6,
  ServiceId: 3,
  ServiceName: 'Windows',
  Title: 'Front of the house',
  Description: 'All windows',
  CustomerNotes: 'Bring ladders',
  BasePrice: 40,
  UnitPrice: 10,
  Quantity: 100,
  Taxable: true,
  ServiceTax: 83.2,
  Subtotal: 1340,
  Tax: 107.2,
  TaxableSubtotal: 1340,
  NamedTaxRate: { Id: 2, Name: 'County', TaxRate: 8, Parts: [] },
  DepositRate: 12.5,
  DepositRequired: true,
  Options: [
    { Id: 1, Name: 'Good', Selected: false },
    { Id: 2, Name: 'Better', Selected: true },
    { Id: 3, Name: 'Best', Selected: false },
  ],
  Lines: [
    blankLine({
      Id: 1,
      LineDescription: 'Screens',
      Quantity: 4,
      UnitPrice: 50,
      ExtendedTotal: 200,
      LineTax: 16,
      Taxable: true,
      OptionId: 1,
    }),
    blankLine({
      Id: 2,
      LineDescription: 'Frames',
      Quantity: 3,
      UnitPrice: 100,
      ExtendedTotal: 300,
      LineTax: 24,
      Taxable: true,
      OptionId: 2,
      Counts: true,
    }),
    blankLine({
      Id: 3,
      LineDescription: 'Ladder hire',
      Quantity: 1,
      UnitPrice: 77.77,
      ExtendedTotal: 77.77,
      UnitCost: 66.66,
      IsInternal: true,
    }),
  ],
  V: 4,
  ...input,
});

/** Ana accepts. */
export const accepting: AcceptanceInput = {
  account: 'blue',
  name: 'Ana Diaz',
  ipAddress: '198.51.100.7',
  signature: { type: 'image/png', bytes: new Uint8Array(somePng) },
  at: AT,
  sha256,
  depositInvoiceId: 5,
};

/** The proposal, accepted. */
export const accepted = (proposal = someProposal(), input: Partial<AcceptanceInput> = {}): AcceptedProposal =>
  acceptedProposal(proposal, { ...accepting, ...input });

/** The stored evidence of an acceptance, with the proposal as it is now. */
export const storedEvidence = ({ proposal, content }: AcceptedProposal, now = proposal): StoredEvidence => ({
  AccountId: 'blue',
  ProposalId: now.Id,
  Content: content,
  Signature: somePng.toString('base64'),
  SignatureType: 'image/png',
  EvidenceSha256: now.EvidenceSha256,
  Status: proposalStatusName(now.Status),
  AcceptedAt: now.AcceptedAt === null ? null : new Date(now.AcceptedAt).toISOString(),
  Proposal: JSON.parse(JSON.stringify(signedContent(now))) as StoredEvidence['Proposal'],
  RecordSha256: sha256(fixedFields(now)),
});

/** Stores that proposal, by default of contact 1; returns its id. */
export async function putProposal(
  table: TableWriter,
  account: string,
  input: Partial<ProposalRecord> = {},
): Promise<number> {
  const [Id = 0] = input.Id ? [input.Id] : await reserveIds(accountStore(table, account), 'Proposal', 1);
  const now = new Date();
  const after = { ...someProposal(), ContactId: 1, ...input, Id, V: 0 };
  const { change, contactSummary } = proposalChanges({ account }, { before: undefined, after, now });
  await table.commit([change, ...contactSummaryChanges({ account }, after.ContactId, contactSummary, now)]);
  return Id;
}

/** The proposal as the table holds it. */
export async function readProposal(table: TableWriter, accountId: string, id: number): Promise<ProposalRecord> {
  const proposal = await findProposal(storeOf(table, { account: accountId, organizationId: null }), id);
  if (!proposal) throw new Error(`there is no proposal ${id}`);
  return proposal;
}

/** Undoes the acceptance of proposal 1. */
export const reopenProposal = ({ accountId }: TestAccount): Promise<void> =>
  retryOnConflict(async () => {
    const table = testTable();
    const before = await readProposal(table, accountId, 1);
    if (before.AcceptedAt === null) return;
    const after = { ...before, Status: 1, AcceptedAt: null, EvidenceSha256: '', DepositInvoiceId: null };
    const { change, contactSummary } = proposalChanges({ account: accountId }, { before, after, now: new Date() });
    const kept = [layout.evidence, layout.signature].map((keyPattern) => ({
      remove: keyPattern.key({ account: accountId, id: 1 }),
    }));
    await table.commit([
      change,
      ...kept,
      ...contactSummaryChanges({ account: accountId }, before.ContactId, contactSummary, new Date()),
    ]);
  });
