import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { describe, expect, test } from 'vitest';
import {
  describeFamily,
  changesParents,
  parentError,
  toChildProposal,
  parentIds,
  withChild,
} from '../../../lib/domain/proposals/family.ts';
import { blankProposal } from '../../../lib/domain/proposals/record.ts';
import { NOW } from '../../support/proposals.ts';

const proposal = (Id: number, overrides: Partial<ProposalRecord> = {}): ProposalRecord =>
  blankProposal({
    Id,
    OrganizationId: 1,
    ContactId: 7,
    Zone: 'UTC',
    Date: '2026-11-21',
    Created: NOW,
    ServiceId: 3,
    ServiceName: 'Windows',
    ...overrides,
  });
const entry = (Id: number, Status: number, Subtotal: number, Tax: number) =>
  toChildProposal(proposal(Id, { Status, Subtotal, Tax }));
const { Accepted, Declined, Expired, Open, Internal } = ProposalStatus;

describe('the lists of a parent', () => {
  const child = proposal(2, { ChangeOrderForProposalId: 1, Subtotal: 50, Tax: 4 });
  test('add a new child, update a changed child in its place, and remove a child that moves to another parent', () => {
    const parent = withChild(proposal(1, { ChangeOrders: [entry(3, Open, 1, 0)] }), child);
    expect(parent.ChangeOrders.map(({ Id }) => Id)).toEqual([3, 2]);
    const result = withChild(withChild(parent, proposal(3, { ChangeOrderForProposalId: 1, Status: Accepted })), child);
    expect(result.ChangeOrders.map(({ Id, Status }) => [Id, Status])).toEqual([
      [3, Accepted],
      [2, Internal],
    ]);
    expect(withChild(result, { ...child, ChangeOrderForProposalId: 9 }).ChangeOrders.map(({ Id }) => Id)).toEqual([3]);
  });
  test('change with status, date, totals or parents of the child only', () => {
    expect(changesParents(child, { ...child, Title: 'Other', V: 8 })).toBe(false);
    for (const overrides of [
      { Status: Open },
      { Date: '2027-01-01' },
      { Subtotal: 51 },
      { Tax: 5 },
      { ServiceName: 'Doors' },
      { ChangeOrderForProposalId: null },
    ]) {
      expect(changesParents(child, { ...child, ...overrides })).toBe(true);
    }
    expect(changesParents(undefined, child)).toBe(true);
    expect(parentIds({ ChangeOrderForProposalId: 1, BundleWithProposalId: 4 })).toEqual([1, 4]);
  });
});

test.each<
  [string, 'ChangeOrderForProposalId' | 'BundleWithProposalId', ProposalRecord | undefined, string | undefined]
>([
  [
    'a change order of a signed proposal is valid',
    'ChangeOrderForProposalId',
    proposal(1, { Status: Accepted }),
    undefined,
  ],
  ['… of an unsigned proposal is a conflict', 'ChangeOrderForProposalId', proposal(1, { Status: Open }), 'conflict'],
  ['a bundle with an unsigned proposal is valid', 'BundleWithProposalId', proposal(1, { Status: Open }), undefined],
  ['… with a signed proposal is a conflict', 'BundleWithProposalId', proposal(1, { Status: Accepted }), 'conflict'],
  ['an unknown parent is invalid', 'BundleWithProposalId', undefined, 'invalid'],
  ['the proposal itself is invalid', 'BundleWithProposalId', proposal(2), 'invalid'],
  ['a parent of another contact is invalid', 'BundleWithProposalId', proposal(1, { ContactId: 8 }), 'invalid'],
])('%s', (_name, field, parent, kind) => {
  expect(parentError(field, proposal(2), parent, 1)?.kind).toBe(kind);
});

describe('the total of a family', () => {
  test('is not described without children', () => expect(describeFamily(proposal(1, { Subtotal: 5 }))).toBe(''));
  test('includes signed change orders and bundles: 1,000 + 300.10 + 40 = 1,340.10; 80 + 24.01 + 3.20 = 107.21', () => {
    const parent = proposal(1, {
      Subtotal: 1000,
      Tax: 80,
      ChangeOrders: [entry(2, Accepted, 300.1, 24.01), entry(3, Open, 999, 99)],
      BundledProposals: [entry(4, Open, 40, 3.2)],
    });
    expect(describeFamily(parent)).toBe(
      'With its change orders and bundled proposals: Subtotal 1,340.10, Tax 107.21, total 1,447.31.',
    );
  });
  test('includes descendants, each once: 100 + 40 + 7 = 147.00', () => {
    const shared = proposal(9, { Status: Open, Subtotal: 7, Tax: 1 });
    const holder = (Id: number, overrides: Partial<ProposalRecord>) =>
      toChildProposal(proposal(Id, { BundledProposals: [toChildProposal(shared)], ...overrides }));
    const counts = proposal(1, {
      Subtotal: 100,
      ChangeOrders: [holder(2, { Status: Accepted, Subtotal: 40 })],
      BundledProposals: [toChildProposal(shared)],
    });
    expect(describeFamily(counts)).toContain('Subtotal 147.00, Tax 1.00, total 148.00.');
    const unsigned = proposal(1, { Subtotal: 100, ChangeOrders: [holder(2, { Status: Open, Subtotal: 40 })] });
    expect(describeFamily(unsigned)).toContain('Subtotal 100.00');
    expect(changesParents(proposal(2), proposal(2, { BundledProposals: [toChildProposal(shared)] }))).toBe(true);
  });
  test('excludes declined and expired bundles: 100 + 40 = 140.00', () => {
    const BundledProposals = [entry(2, Open, 40, 4), entry(3, Declined, 30, 3), entry(4, Expired, 20, 2)];
    expect(describeFamily(proposal(1, { Subtotal: 100, BundledProposals }))).toContain(
      'Subtotal 140.00, Tax 4.00, total 144.00.',
    );
  });
});

test('a proposal has at most 100 change orders, and 100 bundles', () => {
  const children = Array.from({ length: 100 }, (_, index) => entry(index + 10, Open, 1, 0));
  const signed = proposal(1, { Status: Accepted, ChangeOrders: children });
  const open = proposal(1, { Status: Open, BundledProposals: children });
  const full = 'Proposal 1 has as many change orders or bundles as it may have: at most 100 of each.';
  expect(parentError('ChangeOrderForProposalId', proposal(2), signed, 1)).toEqual({
    kind: 'conflict',
    code: 'limit_reached',
    message: full,
  });
  expect(parentError('BundleWithProposalId', proposal(2), open, 1)).toEqual({
    kind: 'conflict',
    code: 'limit_reached',
    message: full,
  });
  expect(parentError('BundleWithProposalId', proposal(10), open, 1)).toBeUndefined();
});
