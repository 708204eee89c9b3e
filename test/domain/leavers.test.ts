import { describe, expect, test } from 'vitest';
import { findLeavers, hasLeft } from '../../lib/domain/leavers.ts';
import { serviceAgentEntity } from '../../lib/entities/service-agents.ts';
import { userEntity } from '../../lib/entities/users.ts';

const agent = (EndDate: string) => ({
  ...serviceAgentEntity.blank({ Id: 3, OrganizationId: 1, Created: 0 }),
  Name: 'Ana',
  EndDate,
});
const user = (Active: boolean) => ({
  ...userEntity.blank({ Id: 9, OrganizationId: 1, Created: 0 }),
  ServiceAgentId: 3,
  Active,
});
const people = (EndDate: string, isActive = true) => ({ agents: [agent(EndDate)], users: [user(isActive)] });

describe('a service agent leaves', () => {
  test.each([
    ['by an end date', people(''), people('2027-01-31'), ['2027-01-31']],
    ['by an earlier end date', people('2027-02-28'), people('2027-01-31'), ['2027-01-31']],
    ['by a user who is deactivated', people(''), people('', false), ['2026-11-28']],
    ['not by a later end date', people('2027-01-31'), people('2027-02-28'), []],
    ['not by the same end date', people('2027-01-31'), people('2027-01-31'), []],
    ['not by an end date that is cleared', people('2027-01-31'), people(''), []],
    ['not as a new agent', { agents: [], users: [] }, people('2027-01-31'), []],
  ])('%s', (_, before, after, lastDays) => {
    expect(findLeavers(before, after, '2026-11-28').map(({ lastDay }) => lastDay)).toEqual(lastDays);
  });

  test('when the last day is over where the organization is', () => {
    const zone = 'America/Los_Angeles';
    expect(hasLeft(agent('2027-01-31'), zone, Date.parse('2027-02-01T07:59:00Z'))).toBe(false);
    expect(hasLeft(agent('2027-01-31'), zone, Date.parse('2027-02-01T08:00:00Z'))).toBe(true);
    expect(hasLeft(agent(''), zone, Date.parse('2099-01-01T00:00:00Z'))).toBe(false);
  });
});
