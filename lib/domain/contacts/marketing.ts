import { fold } from '../../shared/text.ts';
import type { ContactError, ContactInput } from './apply-input.ts';
import type { ContactRecord } from './record.ts';

/** A marketing channel with its campaigns, as far as a contact needs it. */
export interface ChannelChoice {
  readonly Id: number;
  readonly Name: string;
  readonly Campaigns: readonly { readonly Id: number; readonly Name: string }[];
}

const same = (left: string, right: string): boolean => fold(left) === fold(right);

type Marketing = Pick<ContactRecord, 'Channel' | 'ChannelId' | 'Campaign' | 'CampaignId'>;

/** One entry by id and name, which must agree when both are given; `null` when neither is. */
function pick<Entry extends { Id: number; Name: string }>(
  entries: readonly Entry[],
  { id, name }: { id: number | null | undefined; name: string | null | undefined },
  kind: 'Channel' | 'Campaign',
): { entry: Entry | null } | { fault: ContactError } {
  const byName = name ? entries.find((entry) => same(entry.Name, name.trim())) : undefined;
  const byId = id ? entries.find((entry) => entry.Id === id) : undefined;
  if (name && !byName)
    return { fault: { field: kind, message: `must be the name of a ${kind.toLowerCase()} there is` } };
  if (id && !byId)
    return { fault: { field: `${kind}Id`, message: `must be the id of a ${kind.toLowerCase()} there is` } };
  if (byName && byId && byName.Id !== byId.Id)
    return { fault: { field: kind, message: `is not the name of ${kind}Id ${byId.Id}, which is ${byId.Name}` } };
  return { entry: byId ?? byName ?? null };
}

/**
 * Whether a request says anything new about the channel or campaign: what a contact has may be sent back, also when the
 * list has changed since.
 */
export const hasMarketingInput = (contact: Marketing, input: ContactInput): boolean =>
  (['Channel', 'Campaign'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? '').trim() !== contact[field],
  ) ||
  (['ChannelId', 'CampaignId'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? 0) !== contact[field],
  );

/**
 * Channel and campaign of a contact from what a request says: id and name must agree, and the campaign must be one of
 * the channel's. A campaign that is not spoken of stays while the channel does.
 */
export function resolveMarketing(
  contact: Marketing,
  input: ContactInput,
  channels: readonly ChannelChoice[],
): { marketing: Marketing } | { fault: ContactError } {
  const channelGiven = input.Channel !== undefined || input.ChannelId !== undefined;
  const channel = pick(
    channels,
    channelGiven ? { id: input.ChannelId, name: input.Channel } : { id: contact.ChannelId, name: '' },
    'Channel',
  );
  if ('fault' in channel) return channel;
  const { Campaign, CampaignId } = contact;
  if (channel.entry?.Id === contact.ChannelId && input.Campaign === undefined && input.CampaignId === undefined) {
    return { marketing: { Channel: channel.entry.Name, ChannelId: channel.entry.Id, Campaign, CampaignId } };
  }
  const campaigns = channel.entry ? channel.entry.Campaigns : channels.flatMap(({ Campaigns }) => Campaigns);
  const campaign = pick(campaigns, { id: input.CampaignId, name: input.Campaign }, 'Campaign');
  if ('fault' in campaign) return campaign;
  const owner =
    channel.entry ??
    channels.find(({ Campaigns }) => campaign.entry && Campaigns.some(({ Id }) => Id === campaign.entry?.Id));
  return {
    marketing: {
      Channel: owner?.Name ?? '',
      ChannelId: owner?.Id ?? 0,
      Campaign: campaign.entry?.Name ?? '',
      CampaignId: campaign.entry?.Id ?? 0,
    },
  };
}
