import { beforeAll, describe, expect, test } from 'vitest';
import { sourceCodes } from '../../../infra/pack/postal.ts';
import { EARTH_RADIUS_MILES, type Position } from '../../../lib/domain/postal/localities.ts';
import { putSettings } from '../../support/settings.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../../support/stack/stack.ts';

const none = {
  ResultCode: 0,
  Message: '',
  Cities: [],
  LeadSourceCategories: [],
  PostalCodes: [],
  Features: [],
  Channels: [],
  NamedTaxRates: [],
};
const mail = {
  Name: 'Direct mail',
  Description: 'Postcards',
  Campaigns: [{ Name: 'Spring', CampaignBudgets: [{ Budget: 1500.5, Type: 0, Year: 2026, Month: 3 }] }],
};

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
  await putSettings(account.accountId, 'Channel', [mail, { Name: 'Radio' }]);
  await putSettings(account.accountId, 'NamedTaxRate', [{ Name: 'New York City', TaxRate: 8.875 }]);
  await putSettings(account.accountId, 'LeadSourceCategory', [{ Name: 'Fairs', Description: 'Home and garden' }]);
});

describe('lists of the account', () => {
  const channels = [
    {
      Id: 1,
      Name: 'Direct mail',
      Description: 'Postcards',
      Campaigns: [
        {
          Id: 1,
          Name: 'Spring',
          Description: '',
          Active: true,
          CampaignBudgets: [{ Budget: 1500.5, Type: 0, Year: 2026, Month: 3 }],
          CampaignActuals: [],
        },
      ],
    },
    { Id: 2, Name: 'Radio', Description: '', Campaigns: [] },
  ];

  test.each(['settings/channels', 'settings/channelcampaigns', 'channels/campaigns'])(
    '%s fills Channels alone, complete',
    async (operation) => {
      expect((await account.call(operation)).body).toEqual({ ...none, Channels: channels });
    },
  );

  test('settings/features, leadsourcecategories and namedtaxrates each fill their own list, at first with the defaults', async () => {
    const features = await account.call('settings/features');
    expect(features.body).toEqual({
      ...none,
      Features: [
        'Scheduling',
        'Proposals',
        'Invoicing',
        'Payments',
        'Tasks',
        'Marketing',
        'Subscriptions',
        'Downloads',
        'Events',
      ],
    });
    const rates = await account.call('settings/namedtaxrates');
    expect(rates.body).toEqual({
      ...none,
      NamedTaxRates: [
        { Id: 1, Name: 'No tax', TaxRate: 0, Parts: [] },
        { Id: 2, Name: 'New York City', TaxRate: 8.875, Parts: [] },
      ],
    });
    const { LeadSourceCategories, ...others } = (await account.call('settings/leadsourcecategories')).body;
    expect({ ...others, LeadSourceCategories: [] }).toEqual(none);
    expect(LeadSourceCategories).toHaveLength(6);
    expect((LeadSourceCategories as unknown[])[5]).toEqual({
      Id: 6,
      Name: 'Fairs',
      Description: 'Home and garden',
      Campaigns: [],
    });
  });

  test('never show entries of another account', async () => {
    expect((await (await testAccount()).call('settings/channels')).body).toEqual(none);
  });

  test('a list of hundreds is complete and ordered by id', async () => {
    const large = await testAccount();
    await putSettings(
      large.accountId,
      'NamedTaxRate',
      Array.from({ length: 300 }, (_, index) => ({ Name: `Rate ${index}`, TaxRate: index / 10 })),
    );
    const rates = (await large.call('settings/namedtaxrates')).body['NamedTaxRates'] as { Id: number }[];
    expect(rates.map(({ Id }) => Id)).toEqual(Array.from({ length: 301 }, (_, index) => index + 1));
  });
});

describe('cancelreasons/all', () => {
  test('returns all, or the one of an Id, and 404 for an unknown Id', async () => {
    const reasons = (await account.call('cancelreasons/all')).body['Matches'] as object[];
    expect(reasons).toHaveLength(6);
    expect(reasons[2]).toEqual({ Id: 3, Reason: 'Weather' });
    expect((await account.call('cancelreasons/all', { Id: 3 })).body['Matches']).toEqual([
      { Id: 3, Reason: 'Weather' },
    ]);
    expect((await account.call('cancelreasons/all', { Id: 0 })).body['Matches']).toEqual(reasons);
    const missing = await account.call('cancelreasons/all', { Id: 99 });
    expect([missing.status, missing.body['Message']]).toEqual([404, 'There is no cancel reason 99.']);
  });
});

describe('customfields/all', () => {
  test('returns complete definitions, with Value null', async () => {
    await putSettings(account.accountId, 'CustomField', [
      { Name: 'Lawn size', Shortcode: 'lawn', Type: 1 },
      { Name: 'Gate', Type: 4, TableType: 1, Options: [{ Label: 'Left' }] },
    ]);
    const { body } = await account.call('customfields/all');
    expect(body['Matches']).toEqual([
      expect.objectContaining({
        Id: 1,
        Name: 'Lawn size',
        Shortcode: 'lawn',
        Type: 1,
        TableType: 0,
        Value: null,
        Phase: null,
        Options: [],
      }),
      expect.objectContaining({ Id: 2, Name: 'Gate', Options: [{ Id: 1, Label: 'Left', Value: '' }] }),
    ]);
    expect((await account.call('customfields/all', { Id: 2 })).body['Matches']).toEqual([
      expect.objectContaining({ Name: 'Gate' }),
    ]);
    expect((await account.call('customfields/all', { Id: 3 })).status).toBe(404);
  });
});

/** Great-circle miles by the angle between two vectors, another way than that of the project. */
function milesBetween(from: Position, to: Position): number {
  const vector = ({ latitude, longitude }: Position) => {
    const [a, b] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)] as const;
  };
  const [p, q] = [vector(from), vector(to)];
  const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  const cross = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
  return EARTH_RADIUS_MILES * Math.atan2(cross, dot);
}

describe('settings/radiuscities and settings/radiuspostalcodes', () => {
  const source = sourceCodes().filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  // RADIUS_CODES=100 takes more of them.
  const count = Number(process.env['RADIUS_CODES'] ?? 24);
  const step = Math.floor(source.length / count);
  const sample = source.filter((_, index) => index % step === Math.floor(step / 4)).slice(0, count);
  const setStart = (StartAddress: object | null, Radius?: number) =>
    account.call('organizations/update', {
      OrganizationId: 1,
      StartAddress,
      ...(Radius === undefined ? {} : { Radius }),
    });
  const codes = ({ body }: TestAnswer) => body['PostalCodes'] as string[];
  const cities = ({ body }: TestAnswer) => body['Cities'] as { Name: string; PostalCode: string }[];

  test('without StartAddress, with an unknown Zip, and without Radius the message names what to set', async () => {
    const fresh = await testAccount();
    const says = async () => {
      const answers = await Promise.all([
        fresh.call('settings/radiuscities'),
        fresh.call('settings/radiuspostalcodes'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
      expect(answers[0]?.body['Message']).toBe(answers[1]?.body['Message']);
      return answers[0]?.body['Message'];
    };
    expect(await says()).toBe(
      'StartAddress of organization 1 (Springfield) has no Zip. Set it with organizations/update; Radius starts there.',
    );
    await fresh.call('organizations/update', {
      OrganizationId: 1,
      StartAddress: { Address1: '1 Main Street', City: 'Toronto', State: 'ON', Zip: 'M5H 2N2' },
      Radius: 10,
    });
    expect(await says()).toContain('is not a known US postal code');
    await fresh.call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '10001' }, Radius: 0 });
    expect(await says()).toBe(
      'Radius of organization 1 (Springfield) is not set. Set it, in miles from its StartAddress, with organizations/update.',
    );
  });

  test(`agree with an independent calculation on ${count} codes`, async () => {
    expect(sample).toHaveLength(count);
    for (const [index, center] of sample.entries()) {
      const radius = [5, 15, 40][index % 3] ?? 0;
      expect((await setStart({ Zip: center.zip }, radius)).status).toBe(200);
      const [nearCodes, nearCities] = await Promise.all([
        account.call('settings/radiuspostalcodes'),
        account.call('settings/radiuscities'),
      ]);
      const distances = new Map(source.map((row) => [row.zip, milesBetween(center, row)]));
      const within = source.filter(({ zip }) => (distances.get(zip) ?? radius + 1) <= radius);
      expect(codes(nearCodes).toSorted()).toEqual(within.map(({ zip }) => zip).toSorted());
      const miles = codes(nearCodes).map((zip) => distances.get(zip) ?? -1);
      expect(miles.every((distance, place) => place === 0 || distance >= (miles[place - 1] ?? 0) - 1e-6)).toBe(true);
      const places = new Map(source.map(({ zip, city, state }) => [zip, `${city}, ${state}`]));
      expect(cities(nearCities).map(({ PostalCode }) => places.get(PostalCode))).toEqual([
        ...new Set(codes(nearCodes).map((zip) => places.get(zip))),
      ]);
      expect(cities(nearCities).every(({ Name, PostalCode }) => places.get(PostalCode)?.startsWith(`${Name}, `))).toBe(
        true,
      );
      expect({ ...nearCodes.body, PostalCodes: [] }).toEqual(none);
      expect({ ...nearCities.body, Cities: [] }).toEqual(none);
    }
  });

  test('a change of the organization takes effect at once, and a radius may cover the whole country', async () => {
    await setStart({ Zip: '66952' }, 6000);
    const all = codes(await account.call('settings/radiuspostalcodes'));
    expect(all.length).toBeGreaterThan(42_000);
    expect(all[0]).toBe('66952');
    expect(cities(await account.call('settings/radiuscities')).length).toBeGreaterThan(29_000);
    await setStart({ Zip: '66952-1234' }, 1);
    expect(codes(await account.call('settings/radiuspostalcodes'))).toEqual(['66952']);
  });

  test('a key of an organization uses that organization', async () => {
    const made = await account.call('organizations/create', {
      Name: 'Shelbyville',
      Timezone: 'America/Chicago',
      StartAddress: { Zip: '60601' },
      Radius: 3,
    });
    const organizationId = made.body['OrganizationId'] as number;
    const key = await account.newKey({ role: 'ReadOnly', organizationId });
    expect(codes(await account.call('settings/radiuspostalcodes', {}, { key }))[0]).toMatch(/^606/);
    expect(codes(await account.call('settings/radiuspostalcodes'))[0]).toBe('66952');
  });
});
