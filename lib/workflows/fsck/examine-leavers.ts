import { countMissed } from '../../domain/leavers.ts';
import { serviceAgentEntity } from '../../entities/service-agents.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { type Key, accountOfKey } from '../../store/keys.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findMissedVisits } from '../organizations/missed-visits.ts';
import type { Problem } from './problem.ts';
import { accountStore } from '../../store/store.ts';

/** A service agent with visits after the last day. */
export async function examineLeaver(table: TableReader, key: Key): Promise<Problem[]> {
  const item = await table.get(key);
  const account = accountOfKey(key);
  const agent = item && serviceAgentEntity.read(item);
  if (!agent?.EndDate || !account) return [];
  const store = accountStore(table, account);
  const organization = await findOrganization(store, agent.OrganizationId);
  if (!organization) return [];
  const missed = await findMissedVisits({ store, organization }, { agent, lastDay: agent.EndDate });
  if (!missed.visits.length) return [];
  const command = `npx fs agents leave ${agent.Id} --date ${agent.EndDate} --queue`;
  return [{ kind: 'record', key, message: `${countMissed(missed)}; to put them into the queue: ${command}` }];
}
