import { describe, expect, test } from 'vitest';
import type { CampaignUpdate, Channel } from '../../../lib/resources/channels.ts';
import { putSettings } from '../../support/settings.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../../support/stack/stack.ts';

const rowsOf = ({ body }: TestAnswer) => body['Updates'] as CampaignUpdate[];
const results = (answer: TestAnswer) => rowsOf(answer).map(({ Results }) => Results);
const channelsOf = async (account: TestAccount) => (await account.call('channels/all')).body['Channels'] as Channel[];
const march = { Year: 2026, Month: 3 };

async function accountWith(...names: string[]): Promise<{ account: TestAccount; ids: number[] }> {
  const account = await testAccount();
  return {
    account,
    ids: await putSettings(
      account.accountId,
      'Channel',
      names.map((Name) => ({ Name })),
    ),
  };
}

describe('channels/bulkupdate', () => {
  test('creates and changes a campaign with each row, in order, and channels/all has them at once', async () => {
    const {
      account,
      ids: [mail = 0, radio = 0],
    } = await accountWith('Mail', 'Radio');
    const Updates = [
      {
        ChannelId: mail,
        CampaignId: null,
        CampaignName: 'Spring',
        ...march,
        BudgetAmount: 1500,
        BudgetType: 0,
        ActualAmount: 1432.5,
        InvoiceUrl: 'https://mail.example/invoice/1',
      },
      { ChannelId: 77, CampaignName: 'Nowhere', ...march, BudgetAmount: 1 },
      { ChannelId: radio, CampaignName: 'Spring', ...march, BudgetAmount: 12_000, BudgetType: 1 },
      { ChannelId: mail, CampaignName: 'spring', Year: 2026, Month: 4, BudgetAmount: 800 },
    ];
    const answer = await account.call('channels/bulkupdate', { Updates });
    expect([answer.status, answer.body['ResultCode'], results(answer)]).toEqual([
      200,
      0,
      ['Created', 'There is no channel 77.', 'Created', 'Updated'],
    ]);
    const [first, , third] = rowsOf(answer);
    expect(first).toEqual({ ...Updates[0], CampaignId: first?.CampaignId, Results: 'Created' });
    expect(await channelsOf(account)).toEqual([
      {
        Id: mail,
        Name: 'Mail',
        Description: '',
        Campaigns: [
          {
            Id: first?.CampaignId,
            Name: 'Spring',
            Description: '',
            Active: true,
            CampaignBudgets: [
              { Budget: 1500, Type: 0, ...march },
              { Budget: 800, Type: 0, Year: 2026, Month: 4 },
            ],
            CampaignActuals: [{ Amount: 1432.5, ...march, InvoiceUrl: 'https://mail.example/invoice/1' }],
          },
        ],
      },
      {
        Id: radio,
        Name: 'Radio',
        Description: '',
        Campaigns: [
          {
            Id: third?.CampaignId,
            Name: 'Spring',
            Description: '',
            Active: true,
            CampaignBudgets: [{ Budget: 12_000, Type: 1, Year: 2026, Month: null }],
            CampaignActuals: [],
          },
        ],
      },
    ]);
    const again = await account.call('channels/bulkupdate', { Updates: rowsOf(answer) });
    expect(results(again)).toEqual(['Updated', 'There is no channel 77.', 'Updated', 'Updated']);
  });

  test('a value out of range affects its row only; a value of another type makes the request invalid', async () => {
    const {
      account,
      ids: [mail],
    } = await accountWith('Mail');
    const good = { ChannelId: mail, CampaignName: 'a', ...march, BudgetAmount: 1 };
    const answer = await account.call('channels/bulkupdate', {
      Updates: [
        { ...good, Month: 13 },
        { ...good, BudgetType: 7 },
        { ...good, BudgetAmount: -5 },
        { ...good, ChannelId: -1 },
        { ...good, BudgetAmount: 0.00001 },
        { ...good, Results: 'x' },
      ],
    });
    expect([
      answer.status,
      results(answer).at(-1),
      results(answer)
        .slice(0, -1)
        .filter((result) => /^(Created|Updated)$/.test(result)),
    ]).toEqual([200, 'Created', []]);
    const wrong = await account.call('channels/bulkupdate', { Updates: [good, { ...good, Year: 'soon' }] });
    expect([wrong.status, (wrong.body['Errors'] as { Field: string }[])[0]?.Field]).toEqual([400, 'Updates[1].Year']);
    expect(
      (await account.call('channels/bulkupdate', { Updates: Array.from({ length: 1001 }, () => good) })).status,
    ).toBe(400);
    expect((await account.call('channels/bulkupdate', {})).status).toBe(400);
    expect((await account.call('channels/bulkupdate', { Updates: [] })).body).toEqual({
      ResultCode: 0,
      Message: '',
      Updates: [],
    });
  });

  test('1,000 rows in 120 channels, more than a transaction takes, are stored once in one call', async () => {
    const { account, ids } = await accountWith(...Array.from({ length: 120 }, (_, index) => `Channel ${index}`));
    const Updates = Array.from({ length: 1000 }, (_, index) => ({
      ChannelId: ids[index % 120],
      CampaignName: `Campaign ${index % 3}`,
      Year: 2026,
      Month: (Math.floor(index / 120) % 12) + 1,
      BudgetAmount: index,
    }));
    const headers = { 'idempotency-key': 'thousand' };
    const first = await account.call('channels/bulkupdate', { Updates }, { headers });
    expect([
      first.status,
      results(first).filter((result) => result === 'Created').length,
      new Set(results(first)),
    ]).toEqual([200, 120, new Set(['Created', 'Updated'])]);
    expect(rowsOf(first).map(({ BudgetAmount }) => BudgetAmount)).toEqual(Updates.map((_, index) => index));
    const channels = await channelsOf(account);
    expect(
      channels.flatMap(({ Campaigns }) => Campaigns.flatMap(({ CampaignBudgets }) => CampaignBudgets)),
    ).toHaveLength(1000);
    const ofCampaigns = channels.flatMap(({ Campaigns }) => Campaigns.map(({ Id }) => Id));
    expect(new Set(ofCampaigns).size).toBe(120);
    expect((await account.call('channels/bulkupdate', { Updates }, { headers })).text).toBe(first.text);
  });

  test('concurrent calls lose nothing: each campaign is created once, every month is stored', async () => {
    const {
      account,
      ids: [mail],
    } = await accountWith('Mail');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        account.call('channels/bulkupdate', {
          Updates: [{ ChannelId: mail, CampaignName: 'Spring', Year: 2026, Month: index + 1, BudgetAmount: index + 1 }],
        }),
      ),
    );
    expect(answers.flatMap(results).toSorted()).toEqual(['Created', ...Array.from({ length: 11 }, () => 'Updated')]);
    const [channel] = await channelsOf(account);
    expect(
      channel?.Campaigns.map(({ CampaignBudgets }) => CampaignBudgets.map(({ Month, Budget }) => [Month, Budget])),
    ).toEqual([Array.from({ length: 12 }, (_, index) => [index + 1, index + 1])]);
  });

  test('is allowed for marketing and administration, but not for a key of one organization', async () => {
    const {
      account,
      ids: [mail],
    } = await accountWith('Mail');
    const body = { Updates: [{ ChannelId: mail, CampaignName: 'a', ...march, BudgetAmount: 1 }] };
    const status = async (role: 'Marketing' | 'Admin' | 'Office' | 'ReadOnly', organizationId?: number) =>
      (
        await account.call('channels/bulkupdate', body, {
          key: await account.newKey({ role, ...(organizationId ? { organizationId } : {}) }),
        })
      ).status;
    expect([
      await status('Marketing'),
      await status('Admin'),
      await status('Office'),
      await status('ReadOnly'),
      await status('Marketing', 1),
    ]).toEqual([200, 200, 403, 403, 403]);
  });
});
