import { describe, expect, test } from 'vitest';
import { signedFieldError } from '../../../lib/domain/proposals/acceptance.ts';
import { blankProposal } from '../../../lib/domain/proposals/record.ts';
import { PROPOSAL_STATUSES, ProposalStatus, type ProposalStatusName } from '../../../lib/domain/proposals/status.ts';
import { changeProposalStatus } from '../../../lib/domain/proposals/change-status.ts';
import { NOW } from '../../support/proposals.ts';

const DAY = 86_400_000;
const asking = { now: NOW, expireAfterDays: 30 };
const at = (Status: number, said: object = {}) => ({
  ...blankProposal({
    Id: 9,
    OrganizationId: 1,
    ContactId: 7,
    HashKey: 'h',
    Zone: 'UTC',
    Date: '2026-11-21',
    Created: NOW,
  }),
  Status,
  V: 3,
  ...said,
});

/** The interface's table but for Accepted, which comes by accept alone. */
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
  test.each(PROPOSAL_STATUSES)('asked to be %s', (to) => {
    const moved = changeProposalStatus(at(ProposalStatus[from]), to, asking);
    expect(moved).toMatchObject(
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

test('opening it gives it 30 days to be answered; opening it again 30 more', () => {
  expect(changeProposalStatus(at(ProposalStatus.Internal), 'Open', asking)).toMatchObject({
    proposal: { OpenedAt: NOW, ExpiresAt: NOW + 30 * DAY },
  });
  expect(
    changeProposalStatus(at(ProposalStatus.Declined, { OpenedAt: 1, ExpiresAt: 2 }), 'Open', asking),
  ).toMatchObject({ proposal: { OpenedAt: NOW, ExpiresAt: NOW + 30 * DAY } });
  expect(changeProposalStatus(at(ProposalStatus.Internal), 'Open', { now: NOW, expireAfterDays: 0 })).toMatchObject({
    proposal: { OpenedAt: NOW, ExpiresAt: null },
  });
});

test('one that waits beyond its time is Expired: saying so again is no change, declining it is refused, opening it is not', () => {
  const late = at(ProposalStatus.Open, { OpenedAt: 1, ExpiresAt: NOW });
  expect(changeProposalStatus(late, 'Expired', asking)).toEqual({ kind: 'changed', proposal: late });
  expect(changeProposalStatus(late, 'Declined', asking)).toMatchObject({ kind: 'conflict' });
  expect(changeProposalStatus(late, 'Open', asking)).toMatchObject({
    kind: 'changed',
    proposal: { Status: ProposalStatus.Open, ExpiresAt: NOW + 30 * DAY },
  });
});

test('a new one is Internal or Open', () => {
  for (const to of PROPOSAL_STATUSES) {
    const { kind } = changeProposalStatus(at(ProposalStatus.Internal, { V: 0 }), to, asking);
    expect([to, kind]).toEqual([to, to === 'Internal' || to === 'Open' ? 'changed' : 'invalid']);
  }
});

describe('what of a signed proposal changes', () => {
  const signed = at(ProposalStatus.Scheduled);
  test.each([
    [{ Title: 'Other', RequestedQuantity: 2 }, 'Quantity, Title'],
    [{ Lines: [{ Id: 1 }] }, 'ProposalLines'],
    [{ DepositRate: 5 }, 'DepositRate'],
  ])('not %j: %s', (said, names) => {
    expect(signedFieldError(signed, { ...signed, ...said } as typeof signed)).toContain(names);
    expect(signedFieldError(signed, { ...signed, ...said } as typeof signed)).toContain('ChangeOrderForProposalId 9');
    expect(signedFieldError(at(ProposalStatus.Open), { ...signed, ...said } as typeof signed)).toBeUndefined();
  });
  test('notes, owner, custom fields and status', () => {
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
