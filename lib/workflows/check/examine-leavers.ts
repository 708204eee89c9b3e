import { countMissed } from '../../domain/leavers.ts';
import { serviceAgentEntity } from '../../entities/service-agents.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey } from '../../store/keys.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findMissedVisits } from '../organizations/missed-visits.ts';
import type { Problem } from './problem.ts';

/** A service agent whose visits go on behind the last day. */
export async function examineLeaver(table: TableReader, key: Key): Promise<Problem[]> {
  const item = await table.get(key);
  const account = accountOfKey(key);
  const agent = item && serviceAgentEntity.read(item);
  if (!agent?.EndDate || !account) return [];
  const organization = await findOrganization(table, account, agent.OrganizationId);
  if (!organization) return [];
  const missed = await findMissedVisits({ table, account, organization }, { agent, lastDay: agent.EndDate });
  if (!missed.visits.length) return [];
  const command = `npx fs agents leave ${agent.Id} --date ${agent.EndDate} --queue`;
  return [{ kind: 'record', key, message: `${countMissed(missed)}; to put them into the queue: ${command}` }];
}
