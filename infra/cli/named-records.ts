import { fold } from '../../lib/shared/text/text.ts';
import { listOrganizations } from '../../lib/store/organizations/organizations.ts';
import { listChannels } from '../../lib/store/organizations/channels.ts';
import { listAllAgents } from '../../lib/store/organizations/service-agents.ts';
import { didYouMean } from '../../lib/shared/text/suggestions.ts';
import { type OrganizationName, findOrganizationByName, suggestOrganization } from './contacts-csv/contact-row.ts';
import { CommandError } from './output.ts';
import type { StoreReader } from '../../lib/store/store.ts';

/** The id of the organization that an option names, by id, name or location id. */
export function requireOrganization(organizations: readonly OrganizationName[], text: string): number {
  const found = organizations.find(({ Id }) => String(Id) === text) ?? findOrganizationByName(organizations, text);
  if (found) return found.Id;
  const hint = suggestOrganization(organizations, text) || 'Use the name, location id or id of an organization.';
  throw new CommandError(`Organization ${JSON.stringify(text)} not found. ${hint}`);
}

export const findOrganizationId = async (store: StoreReader, text: string): Promise<number> =>
  requireOrganization(await listOrganizations(store), text);

/** The service agent that an option names, by id or by a unique name. */
export async function findNamedAgent(
  store: StoreReader,
  text: string,
): Promise<{ readonly Id: number; readonly OrganizationId: number }> {
  const agents = await listAllAgents(store);
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

/**
 * The channel and campaign that options name, spelled as in the settings. The channel defaults to that of the campaign.
 */
export async function findLeadSource(
  store: StoreReader,
  options: { readonly channel: string | undefined; readonly campaign: string | undefined },
): Promise<{ readonly channel: string; readonly campaign: string }> {
  const channels = (await listChannels(store)).map(({ Value }) => Value);
  const channel = options.channel === undefined ? undefined : requireNamed(channels, options.channel, 'Channel');
  if (options.campaign === undefined) return { channel: channel?.Name ?? '', campaign: '' };
  const candidates = channel ? [channel] : channels;
  const campaigns = candidates.flatMap(({ Campaigns }) => Campaigns);
  const campaign = requireNamed(campaigns, options.campaign, 'Campaign');
  const owner = candidates.find(({ Campaigns }) => Campaigns.includes(campaign));
  return { channel: owner?.Name ?? '', campaign: campaign.Name };
}

/** The record with this name. Throws if no record has it. */
function requireNamed<Named extends { readonly Name: string }>(
  records: readonly Named[],
  text: string,
  noun: string,
): Named {
  const found = records.find(({ Name }) => fold(Name) === fold(text));
  if (found) return found;
  const names = records.map(({ Name }) => Name);
  throw new CommandError(`${noun} ${JSON.stringify(text)} not found. ${didYouMean(text, names)}`.trim());
}
