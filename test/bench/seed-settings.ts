import { planSettings } from '../../lib/domain/settings.ts';
import { blogChanges, planBlogUpsert } from '../../lib/store/organizations/blogs.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { listSettingsWithVersions, settingChanges } from '../../lib/store/settings.ts';
import { accountStore } from '../../lib/store/store.ts';

const now = new Date('2026-11-21T12:00:00Z');

/** Two years of a campaign, by the month. */
const years = {
  CampaignBudgets: Array.from({ length: 24 }, (_, index) => ({
    Budget: 1500,
    Year: 2026 + Math.floor(index / 12),
    Month: (index % 12) + 1,
  })),
};

/**
 * Eight channels of five campaigns, campaign ids from 1, and 200 articles, the first of which has the slug `article-0`.
 */
export async function seedSettings(table: TableWriter, account: string): Promise<void> {
  const stored = await listSettingsWithVersions(accountStore(table, account), 'Channel');
  const channels = Array.from({ length: 8 }, (_, place) => ({
    Name: `Channel ${place}`,
    Campaigns: Array.from({ length: 5 }, (__, index) => ({ Name: `Campaign ${index}`, ...years })),
  }));
  const plan = planSettings(
    'Channel',
    stored,
    channels,
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  if (plan.kind === 'planned') await table.commit(settingChanges({ account }, plan.entries));
  for (let from = 0; from < 200; from += 100) {
    const articles = Array.from({ length: 100 }, (_, index) => ({
      Title: `Article ${from + index}`,
      Content: `<p>${'Water early. '.repeat(200)}</p>`,
    }));
    const blogs = await planBlogUpsert(accountStore(table, account), articles, { now, zone: 'UTC' });
    if (blogs.kind === 'planned')
      for (const changes of await blogChanges(accountStore(table, account), blogs.entries)) await table.commit(changes);
  }
}
