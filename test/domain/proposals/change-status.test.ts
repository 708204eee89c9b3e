import { type ProposalStatusName, PROPOSAL_STATUSES, ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import { describe, expect, test } from 'vitest';
import { signedFieldError } from '../../../lib/domain/proposals/acceptance.ts';
import { blankProposal } from '../../../lib/domain/proposals/record.ts';
import { changeProposalStatus } from '../../../lib/domain/proposals/change-status.ts';
import { NOW } from '../../support/proposals.ts';

const DAY = 86_400_000;
const context = { now: NOW, expireAfterDays: 30 };
const at = (Status: number, overrides: object = {}) => ({
  ...blankProposal({ Id: 9, OrganizationId: 1, ContactId: 7, Zone: 'UTC', Date: '2026-11-21', Created: NOW }),
  Status,
  V: 3,
  ...overrides,
});

/** The table of the interface, without Accepted, which proposal/accept sets. */
const table: Record<ProposalStatusName, ProposalStatusName[]> = {
  Internal: ['Open', 'Expired'],
  Open: ['Declined', 'Expired'],
  Accepted: ['Invoiced', 'Scheduled'],
  Declined: ['Open'],
  Invoiced: ['Complete'],
  Scheduled: ['Complete', 'Invoiced'],
  Complete: [],
  Expired: ['Open'],
};

function hint(from: ProposalStatusName): string {
  const possible = from === 'Open' ? ['Accepted', ...table[from]] : table[from];
  return possible.length ? `It can become ${possible.join(' or ')}.` : 'Its status is final.';
}

describe.each(PROPOSAL_STATUSES)('a proposal that is %s', (from) => {
  test.each(PROPOSAL_STATUSES)('with %s requested', (to) => {
    const changed = changeProposalStatus(at(ProposalStatus[from]), to, context);
    expect(changed).toMatchObject(
      to === from || table[from].includes(to)
        ? { kind: 'changed', proposal: { Status: ProposalStatus[to] } }
        : {
            kind: 'conflict',
            message: expect.stringContaining(
              to === 'Accepted' ? 'proposal/accept' : `${from} cannot become ${to}. ${hint(from)}`,
            ) as string,
          },
    );
  });
});

test('each opening gives 30 days to answer', () => {
  expect(changeProposalStatus(at(ProposalStatus.Internal), 'Open', context)).toMatchObject({
    proposal: { OpenedAt: NOW, ExpiresAt: NOW + 30 * DAY },
  });
  expect(
    changeProposalStatus(at(ProposalStatus.Declined, { OpenedAt: 1, ExpiresAt: 2 }), 'Open', context),
  ).toMatchObject({ proposal: { OpenedAt: NOW, ExpiresAt: NOW + 30 * DAY } });
  expect(changeProposalStatus(at(ProposalStatus.Internal), 'Open', { now: NOW, expireAfterDays: 0 })).toMatchObject({
    proposal: { OpenedAt: NOW, ExpiresAt: null },
  });
});

test('an open proposal beyond its time is Expired: it can open again, not be declined, Expired is no change', () => {
  const late = at(ProposalStatus.Open, { OpenedAt: 1, ExpiresAt: NOW });
  expect(changeProposalStatus(late, 'Expired', context)).toEqual({ kind: 'changed', proposal: late });
  expect(changeProposalStatus(late, 'Declined', context)).toMatchObject({ kind: 'conflict' });
  expect(changeProposalStatus(late, 'Open', context)).toMatchObject({
    kind: 'changed',
    proposal: { Status: ProposalStatus.Open, ExpiresAt: NOW + 30 * DAY },
  });
});

test('a new proposal is Internal or Open', () => {
  for (const to of PROPOSAL_STATUSES) {
    const { kind } = changeProposalStatus(at(ProposalStatus.Internal, { V: 0 }), to, context);
    expect([to, kind]).toEqual([to, to === 'Internal' || to === 'Open' ? 'changed' : 'invalid']);
  }
});

describe('a change of a signed proposal', () => {
  const signed = at(ProposalStatus.Scheduled);
  test.each([
    [{ Title: 'Other', RequestedQuantity: 2 }, 'Quantity, Title'],
    [{ Lines: [{ Id: 1 }] }, 'ProposalLines'],
    [{ DepositRate: 5 }, 'DepositRate'],
  ])('in %j is rejected: %s', (overrides, names) => {
    expect(signedFieldError(signed, { ...signed, ...overrides } as typeof signed)).toContain(names);
    expect(signedFieldError(signed, { ...signed, ...overrides } as typeof signed)).toContain(
      'ChangeOrderForProposalId 9',
    );
    expect(signedFieldError(at(ProposalStatus.Open), { ...signed, ...overrides } as typeof signed)).toBeUndefined();
  });
  test('in notes, owner, custom fields and status is allowed', () => {
    const after = {
      ...signed,
      Status: ProposalStatus.Complete,
      OwnerUserId: 3,
      CustomFields: [{ Id: 1, Value: 2 }],
      ProposalNotes: [{ Id: 1, Note: 'Done', CreatedAt: NOW }],
    };
    expect(signedFieldError(signed, after)).toBeUndefined();
  });
});
