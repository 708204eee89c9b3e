import type { Campaign } from '../../resources/channels.ts';
import type { CustomFieldOption } from '../../resources/custom-fields.ts';
import { mergeCampaigns, newCampaigns, type CampaignInput } from '../campaigns/merge.ts';
import { settingRules, type Entry, type Fault, type SettingKind } from './kinds.ts';

const campaignsOf = (entry: Entry) => (entry['Campaigns'] ?? []) as Campaign[];
const campaignsGiven = (entry: Entry) => (entry['Campaigns'] ?? []) as CampaignInput[];

/** How many campaign ids merging takes. */
export const campaignIdsFor = (before: Entry, given: Entry): number => newCampaigns(campaignsOf(before), campaignsGiven(given));

/** Choices keep their ids by what they stand for; new ones get the next. */
function numberOptions(before: readonly CustomFieldOption[], given: readonly Partial<CustomFieldOption>[]): CustomFieldOption[] {
  const key = ({ Value, Label }: Partial<CustomFieldOption>) => Value || Label || '';
  const known = new Map(before.map((option) => [key(option), option.Id]));
  let last = Math.max(0, ...before.map(({ Id }) => Id ?? 0), ...given.map(({ Id }) => Id ?? 0));
  return given.map((option) => ({ Id: option.Id ?? known.get(key(option)) ?? ++last, Label: option.Label ?? '', Value: option.Value ?? '' }));
}

/** Fields that are not simply taken over; the Value of a custom field stands in things, not in its definition. */
const apart = new Set(['Id', 'Value', 'Campaigns', 'Options']);

/** A complete entry with what is given: absent stays, `null` clears, campaigns are merged one by one, options are replaced. */
export function mergeEntry(kind: SettingKind, before: Entry, given: Entry, campaignIds: readonly number[]): { entry: Entry; faults: Fault[] } {
  const { blank, name } = settingRules[kind];
  const simple = Object.keys(blank).filter((field) => !apart.has(field) && given[field] !== undefined);
  const fields = Object.fromEntries(simple.map((field) => [field, field === name ? String(given[field] ?? '').trim() : (given[field] ?? blank[field])]));
  const entry = { ...before, ...fields };
  if (kind === 'CustomField' && given['Options'] !== undefined) {
    const options = numberOptions(before['Options'] as CustomFieldOption[], (given['Options'] ?? []) as CustomFieldOption[]);
    return { entry: { ...entry, Options: options }, faults: [] };
  }
  if (kind !== 'Channel') return { entry, faults: [] };
  const { campaigns, faults } = mergeCampaigns(campaignsOf(before), campaignsGiven(given), campaignIds);
  return { entry: { ...entry, Campaigns: campaigns }, faults };
}
