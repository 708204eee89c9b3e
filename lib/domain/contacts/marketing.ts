import type { ContactRecord } from '../../entities/contacts.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { fold } from '../../shared/text/text.ts';
import type { ContactInput } from './apply-input.ts';

interface Choice {
  readonly Id: number;
  readonly Name: string;
}
/** A marketing channel with its campaigns, as far as a contact needs it. */
interface ChannelChoice extends Choice {
  readonly Campaigns: readonly Choice[];
}

type Marketing = Pick<ContactRecord, 'Channel' | 'ChannelId' | 'Campaign' | 'CampaignId'>;

/** The entry of an id and a name, which must agree if both are present; `null` if neither is. */
function findChoice<Entry extends Choice>(
  entries: readonly Entry[],
  { id, name }: { id?: number | null | undefined; name?: string | null | undefined },
  noun: 'Channel' | 'Campaign',
): { entry: Entry | null } | { error: FieldError } {
  const byName = name ? entries.find((entry) => fold(entry.Name) === fold(name.trim())) : undefined;
  const byId = id ? entries.find((entry) => entry.Id === id) : undefined;
  const existing = `an existing ${noun.toLowerCase()}`;
  if (name && !byName) {
    const hint = didYouMean(
      name,
      entries.map(({ Name }) => Name),
    );
    return {
      error: { field: noun, code: 'not_found', message: `must be the name of ${existing}${hint && `. ${hint}`}` },
    };
  }
  if (id && !byId)
    return { error: { field: `${noun}Id`, code: 'not_found', message: `must be the Id of ${existing}` } };
  if (byName && byId && byName.Id !== byId.Id)
    return {
      error: {
        field: noun,
        code: 'mismatch',
        message: `is not the name of ${noun}Id ${byId.Id}, which is ${byId.Name}`,
      },
    };
  return { entry: byId ?? byName ?? null };
}

/**
 * Whether an input changes the channel or campaign. What the contact already has may be sent back, even if the list has
 * changed since.
 */
export const hasMarketingInput = (contact: Marketing, input: ContactInput): boolean =>
  (['Channel', 'Campaign'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? '').trim() !== contact[field],
  ) ||
  (['ChannelId', 'CampaignId'] as const).some(
    (field) => input[field] !== undefined && (input[field] ?? 0) !== contact[field],
  );

/**
 * Channel and campaign of a contact after an input: id and name must agree, and the campaign must belong to the
 * channel. Without a campaign in the input, the campaign stays as long as the channel does.
 */
export function resolveMarketing(
  contact: Marketing,
  input: ContactInput,
  channels: readonly ChannelChoice[],
): { marketing: Marketing } | { error: FieldError } {
  const hasChannel = input.Channel !== undefined || input.ChannelId !== undefined;
  const channel = findChoice(
    channels,
    hasChannel ? { id: input.ChannelId, name: input.Channel } : { id: contact.ChannelId },
    'Channel',
  );
  if ('error' in channel) return channel;
  const { Campaign, CampaignId } = contact;
  if (channel.entry?.Id === contact.ChannelId && input.Campaign === undefined && input.CampaignId === undefined)
    return { marketing: { Channel: channel.entry.Name, ChannelId: channel.entry.Id, Campaign, CampaignId } };
  const campaigns = (channel.entry ? [channel.entry] : channels).flatMap(({ Campaigns }) => Campaigns);
  const campaign = findChoice(campaigns, { id: input.CampaignId, name: input.Campaign }, 'Campaign');
  if ('error' in campaign) return campaign;
  const owner =
    channel.entry ?? channels.find(({ Campaigns }) => Campaigns.some(({ Id }) => Id === campaign.entry?.Id));
  return {
    marketing: {
      Channel: owner?.Name ?? '',
      ChannelId: owner?.Id ?? 0,
      Campaign: campaign.entry?.Name ?? '',
      CampaignId: campaign.entry?.Id ?? 0,
    },
  };
}
