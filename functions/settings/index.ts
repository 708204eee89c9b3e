import { group } from '../../lib/api/group.ts';
import { channelcampaigns } from './channelcampaigns.ts';
import { channels } from './channels.ts';
import { features } from './features.ts';
import { leadsourcecategories } from './leadsourcecategories.ts';
import { namedtaxrates } from './namedtaxrates.ts';
import { radiuscities } from './radiuscities.ts';
import { radiuspostalcodes } from './radiuspostalcodes.ts';

export const settings = group(
  'settings',
  'Lists for forms: channels, features, lead sources, tax rates, nearby cities and postal codes.',
  { channelcampaigns, channels, features, leadsourcecategories, namedtaxrates, radiuscities, radiuspostalcodes },
);
export const { handler } = settings;
