import { expect, test } from 'vitest';
import { planCampaignUpdates } from '../../lib/domain/campaigns.ts';
import { costOf } from '../support/cpu.ts';

const mail = { Id: 1, Name: 'Mail', Description: '', Campaigns: [] };

test('1,000 rows of one channel take a time in proportion', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ({
    ChannelId: 1,
    CampaignName: `Campaign ${index % 40}`,
    Year: 2020 + Math.floor(index / 480),
    Month: 1 + (Math.floor(index / 40) % 12),
    BudgetAmount: index,
  }));
  const ids = Array.from({ length: 40 }, (_, index) => 500 + index);
  const plan = () => planCampaignUpdates(rows, [mail], ids);
  expect(await costOf(plan, 1)).toBeLessThan(1_000);
  const { rows: answered } = plan();
  expect(answered.filter(({ Results }) => Results === 'Created')).toHaveLength(40);
});
