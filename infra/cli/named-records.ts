import { fold } from '../../lib/shared/text/text.ts';
import type { TableReader } from '../../lib/store/dynamodb/table.ts';
import { listOrganizations } from '../../lib/store/organizations/organizations.ts';
import { listAllAgents } from '../../lib/store/organizations/service-agents.ts';
import { didYouMean } from '../../lib/shared/text/suggestions.ts';
import { type OrganizationName, findOrganizationByName, suggestOrganization } from './contacts-csv/contact-row.ts';
import { CommandError } from './output.ts';

/** The id of the organization that an option names: by id, name or location id. */
export function requireOrganization(organizations: readonly OrganizationName[], text: string): number {
  const found = organizations.find(({ Id }) => String(Id) === text) ?? findOrganizationByName(organizations, text);
  if (found) return found.Id;
  const hint = suggestOrganization(organizations, text) || 'Use the name, location id or id of an organization.';
  throw new CommandError(`Organization ${JSON.stringify(text)} not found. ${hint}`);
}

export const findOrganizationId = async (table: TableReader, account: string, text: string): Promise<number> =>
  requireOrganization(await listOrganizations(table, account), text);

/** The service agent that an option names: by id, or by a name that only one has. */
export async function findNamedAgent(
  table: TableReader,
  account: string,
  text: string,
): Promise<{ readonly Id: number; readonly OrganizationId: number }> {
  const agents = await listAllAgents(table, account);
  const byId = agents.find(({ Id }) => String(Id) === text);
  if (byId) return byId;
  const named = agents.filter(({ Name }) => fold(Name) === fold(text));
  const [only, other] = named;
  if (only && !other) return only;
  if (other) {
    const ids = named.map(({ Id }) => Id).join(', ');
    throw new CommandError(`Service agents ${ids} are named ${JSON.stringify(text)}. Use one of the ids.`);
  }
  const names = agents.map(({ Name }) => Name);
  const hint = didYouMean(text, names) || 'Use the name or id of a service agent.';
  throw new CommandError(`Service agent ${JSON.stringify(text)} not found. ${hint}`);
}
