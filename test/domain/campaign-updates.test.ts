import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_CHANNEL_BYTES,
  type UpdateRow,
  campaignNamesToCreate,
  planCampaignUpdates,
} from '../../lib/domain/campaigns.ts';
import type { Campaign, Channel } from '../../lib/resources/channels.ts';
import { jsonByteLength } from '../../lib/shared/objects.ts';

const campaign = (Id: number, Name: string, input: Partial<Campaign> = {}): Campaign => ({
  Id,
  Name,
  Description: '',
  Active: true,
  CampaignBudgets: [],
  CampaignActuals: [],
  ...input,
});
const mail: Channel = {
  Id: 1,
  Name: 'Mail',
  Description: '',
  Campaigns: [
    campaign(7, 'Spring', {
      CampaignBudgets: [{ Budget: 100, Type: 0, Year: 2026, Month: 3 }],
      CampaignActuals: [{ Amount: 90, Year: 2026, Month: 3, InvoiceUrl: 'https://a.example/1' }],
    }),
    campaign(8, 'Fall'),
  ],
};
const radio: Channel = { Id: 2, Name: 'Radio', Description: '', Campaigns: [] };
const channels = [mail, radio];
const ids = [100, 101, 102, 103];
const march = { Year: 2026, Month: 3 };

const plan = (rows: readonly UpdateRow[]) => planCampaignUpdates(rows, channels, ids);
const results = (rows: readonly UpdateRow[]) => plan(rows).rows.map(({ Results }) => Results);

describe('budgets and actuals, a row each', () => {
  test('a budget is of a month or of a year, and replaces the one of the same time', () => {
    const rows = [
      { ChannelId: 1, CampaignId: 7, ...march, BudgetAmount: 120 },
      { ChannelId: 1, CampaignId: 7, ...march, BudgetAmount: 1500, BudgetType: 1 },
      { ChannelId: 1, CampaignName: 'SPRING', Year: 2026, Month: 1, BudgetAmount: 80, BudgetType: 0 },
      { ChannelId: 1, CampaignId: 7, Year: 2026, BudgetAmount: 1600.1234, BudgetType: 1 },
    ];
    expect(results(rows)).toEqual(['Updated', 'Updated', 'Updated', 'Updated']);
    expect(plan(rows).channels[0]?.Campaigns[0]?.CampaignBudgets).toEqual([
      { Budget: 1600.1234, Type: 1, Year: 2026, Month: null },
      { Budget: 80, Type: 0, Year: 2026, Month: 1 },
      { Budget: 120, Type: 0, Year: 2026, Month: 3 },
    ]);
  });

  test.each<[string, UpdateRow, object]>([
    ['an amount keeps the address', { ActualAmount: 95 }, { Amount: 95, ...march, InvoiceUrl: 'https://a.example/1' }],
    [
      'an address keeps the amount',
      { InvoiceUrl: 'https://a.example/2' },
      { Amount: 90, ...march, InvoiceUrl: 'https://a.example/2' },
    ],
    ['an empty address takes it away', { InvoiceUrl: '' }, { Amount: 90, ...march, InvoiceUrl: '' }],
    [
      'a budget of zero is a budget, null is not given',
      { BudgetAmount: 0, ActualAmount: null, InvoiceUrl: null },
      { Amount: 90, ...march, InvoiceUrl: 'https://a.example/1' },
    ],
  ])('of an actual, %s', (_, row, actual) => {
    const { rows, channels: changed } = plan([{ ChannelId: 1, CampaignId: 7, ...march, ...row }]);
    expect([rows[0]?.Results, changed[0]?.Campaigns[0]?.CampaignActuals]).toEqual(['Updated', [actual]]);
  });

  test('a new name creates a campaign once; later rows find it, and all return its id and name', () => {
    const rows = ['Summer', ' summer ', 'Summer'].map((CampaignName, index) => ({
      ChannelId: 1,
      CampaignName,
      Year: 2026,
      Month: index + 1,
      BudgetAmount: index,
    }));
    const made = plan([...rows, { ChannelId: 2, CampaignName: 'Summer' }]);
    expect(made.rows.map(({ Results, CampaignId, CampaignName }) => [Results, CampaignId, CampaignName])).toEqual([
      ['Created', 100, 'Summer'],
      ['Updated', 100, 'Summer'],
      ['Updated', 100, 'Summer'],
      ['Created', 101, 'Summer'],
    ]);
    expect(made.channels.map(({ Campaigns }) => Campaigns.map(({ Id }) => Id))).toEqual([[7, 8, 100], [101]]);
    expect(
      campaignNamesToCreate(
        [...rows, { ChannelId: 2, CampaignName: 'Summer' }, { ChannelId: 9, CampaignName: 'x' }],
        channels,
      ),
    ).toBe(2);
  });

  test.each<[string, UpdateRow]>([
    ['ChannelId is required.', { CampaignName: 'a', BudgetAmount: 1, ...march }],
    ['There is no channel 9.', { ChannelId: 9, CampaignName: 'a' }],
    ['There is no channel -1.', { ChannelId: -1, CampaignName: 'a' }],
    ['CampaignId or CampaignName is required.', { ChannelId: 1, CampaignName: '  ', BudgetAmount: 1, ...march }],
    ['Channel 2 has no campaign 7.', { ChannelId: 2, CampaignId: 7, BudgetAmount: 1, ...march }],
    [
      'CampaignName is not the name of campaign 7, which is Spring.',
      { ChannelId: 1, CampaignId: 7, CampaignName: 'Fall', BudgetAmount: 1, ...march },
    ],
    ['BudgetAmount, ActualAmount or InvoiceUrl is required.', { ChannelId: 1, CampaignId: 7, ...march }],
    [
      'BudgetType must be 0 monthly or 1 yearly.',
      { ChannelId: 1, CampaignId: 7, BudgetType: 2, BudgetAmount: 1, ...march },
    ],
    [
      'BudgetAmount must be 0 or more, with at most 4 decimals. Month must be a month, 1 to 12.',
      { ChannelId: 1, CampaignId: 7, BudgetAmount: -1, Year: 2026, Month: 13 },
    ],
    [
      'ActualAmount must be 0 or more, with at most 4 decimals.',
      { ChannelId: 1, CampaignId: 7, ActualAmount: 0.00001, ...march },
    ],
    ['Year must be a year from 1900 to 9999.', { ChannelId: 1, CampaignId: 7, ActualAmount: 1, Month: 3 }],
    [
      'InvoiceUrl must begin with https:// or http://.',
      { ChannelId: 1, CampaignId: 7, ActualAmount: 1, InvoiceUrl: 'javascript:alert(1)', ...march },
    ],
    [
      'InvoiceUrl needs an ActualAmount in month 4 of 2026.',
      { ChannelId: 1, CampaignId: 7, InvoiceUrl: 'https://a.example', Year: 2026, Month: 4 },
    ],
    ['CampaignName must be at most 200 characters.', { ChannelId: 1, CampaignName: 'x'.repeat(201) }],
  ])('%s', (reason, row) => {
    const good: UpdateRow = { ChannelId: 1, CampaignId: 8, ...march, BudgetAmount: 5 };
    const { rows, channels: changed } = plan([row, good]);
    expect(rows.map(({ Results }) => Results)).toEqual([reason, 'Updated']);
    expect(changed.map(({ Id, Campaigns }) => [Id, Campaigns.length, Campaigns[0]])).toEqual([
      [1, 2, mail.Campaigns[0]],
    ]);
  });

  test('if every row is invalid, nothing changes', () => {
    expect(plan([{ ChannelId: 9 }, {}]).channels).toEqual([]);
  });

  test('a full channel refuses more data, and its campaigns can still be changed', () => {
    const url = `https://a.example/${'x'.repeat(1900)}`;
    const rows = Array.from({ length: 400 }, (_, index) => ({
      ChannelId: 1,
      CampaignId: 8,
      Year: 1990 + Math.floor(index / 12),
      Month: (index % 12) + 1,
      ActualAmount: 1,
      InvoiceUrl: url,
    }));
    const { rows: responses, channels: changed } = plan([
      ...rows,
      { ChannelId: 1, CampaignId: 8, Year: 1990, Month: 1, InvoiceUrl: '' },
    ]);
    const texts = responses.map(({ Results }) => Results);
    expect([texts[0], texts[399], texts[400]]).toEqual([
      'Updated',
      'Channel 1 is full: with its campaigns it has at most 340,000 bytes.',
      'Updated',
    ]);
    expect(jsonByteLength(changed[0])).toBeLessThanOrEqual(MAX_CHANNEL_BYTES);
    expect(jsonByteLength(changed[0])).toBeGreaterThan(MAX_CHANNEL_BYTES - 2 * url.length - 500);
  });

  const anyRow = fc.record(
    {
      ChannelId: fc.constantFrom(0, 1, 2, 3),
      CampaignId: fc.constantFrom(null, 7, 8, 9),
      CampaignName: fc.constantFrom('', 'Spring', 'fall', 'New', 'Newer'),
      Year: fc.constantFrom(0, 2025, 2026),
      Month: fc.constantFrom(0, 1, 12, 13),
      BudgetAmount: fc.constantFrom(null, 0, 10, -1),
      BudgetType: fc.constantFrom(null, 0, 1, 2),
      ActualAmount: fc.constantFrom(null, 0, 5.25),
      InvoiceUrl: fc.constantFrom(null, '', 'https://a.example/x', 'nonsense'),
    },
    { requiredKeys: [] },
  );

  test('any rows have one result each and enough ids, and the same rows again change nothing', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 12 }), (rows) => {
        const needed = campaignNamesToCreate(rows, channels);
        const first = planCampaignUpdates(
          rows,
          channels,
          Array.from({ length: needed }, (_, index) => 500 + index),
        );
        expect(first.rows).toHaveLength(rows.length);
        const all = first.channels.flatMap(({ Campaigns }) => Campaigns.map(({ Id }) => Id));
        expect(all).not.toContain(0);
        expect(new Set(all).size).toBe(all.length);
        const after = channels.map((channel) => first.channels.find(({ Id }) => Id === channel.Id) ?? channel);
        const again = planCampaignUpdates(rows, after, []);
        const final = after.map((channel) => again.channels.find(({ Id }) => Id === channel.Id) ?? channel);
        expect(again.rows.filter(({ Results }) => Results === 'Created')).toEqual([]);
        expect(final.map(({ Campaigns }) => Campaigns.map(({ Id, CampaignBudgets }) => [Id, CampaignBudgets]))).toEqual(
          after.map(({ Campaigns }) => Campaigns.map(({ Id, CampaignBudgets }) => [Id, CampaignBudgets])),
        );
      }),
    );
  });
});

test('all channels together have at most 960,000 bytes: a row that would exceed them says so', () => {
  const large = [3, 4, 5].map((Id) => ({ ...radio, Id, Description: 'x'.repeat(Id === 5 ? 279_300 : 340_000) }));
  const rows = [
    { ChannelId: 2, CampaignName: 'Too much', ...march, BudgetAmount: 1 },
    { ChannelId: 1, CampaignId: 7, ...march, BudgetAmount: 120 },
  ];
  const planned = planCampaignUpdates(rows, [...channels, ...large], ids).rows.map(({ Results }) => Results);
  const full = 'The channels of the account are full: with their campaigns they have at most 960,000 bytes.';
  expect(planned).toEqual([full, 'Updated']);
});
