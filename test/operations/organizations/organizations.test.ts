import { beforeAll, describe, expect, test } from 'vitest';
import { type TestAccount, type TestAnswer, drainEvents, testAccount } from '../../support/stack/stack.ts';

interface Person {
  readonly Id: number;
  readonly Name: string;
  readonly Email: string;
}

interface Organization {
  readonly OrganizationId: number;
  readonly PostalCodes: string;
  readonly ServiceAgents: (Person & { readonly TimeSlots: Record<string, unknown>[] })[];
  readonly Users: (Person & { readonly ServiceAgentId: number | null })[];
  readonly CustomFields: { readonly Name: string; readonly Value: unknown }[];
}

const organizationIn = ({ body }: TestAnswer): Organization => body as unknown as Organization;
/** Changes answer no addresses of calendars; organizations/details and serviceagents/all do. */
const withoutUrls = (body: TestAnswer['body']): TestAnswer['body'] => ({
  ...body,
  ServiceAgents: (body['ServiceAgents'] as object[]).map((agent) => ({ ...agent, CalendarUrl: '' })),
});
const faultsIn = ({ body }: TestAnswer): string[] =>
  ((body['Errors'] ?? []) as { Field: string }[]).map(({ Field }) => Field);
const listedIn = ({ body }: TestAnswer): string[] =>
  (body['Organizations'] as { PublicName: string }[]).map(({ PublicName }) => PublicName);
const codes = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => String(first + index).padStart(5, '0')).join(',');

async function events(
  account: TestAccount,
): Promise<{ Kind: string; Id: number; Changed: string[]; Data: Record<string, unknown> }[]> {
  await drainEvents();
  const { body } = await account.call('datasubscriber/fetch', { EventCount: 1000 });
  return (
    body['Events'] as { Payload: { Kind: string; Id: number; Changed: string[]; Data: Record<string, unknown> } }[]
  ).map(({ Payload }) => Payload);
}

const denver = {
  Name: 'Green Lawn Denver',
  LocationId: 'DEN-1',
  InternalName: 'West',
  PrimaryPhone: '(303) 555-0143',
  Email: 'denver@example.com',
  StartAddress: { Address1: '1 Market Street', City: 'Denver', State: 'CO', Zip: '80202' },
  Radius: 30,
  PostalCodes: '80202; 80203-1234, 80204\n80202',
  ServiceAgents: [
    {
      Name: 'Maria López',
      Email: 'maria@example.com',
      TimeSlots: [{ NameOfDay: 'monday', StartMinute: 480, Minutes: 540, StartDate: '3/1/2026' }],
    },
  ],
  Users: [{ Name: 'Olga Owner', Email: 'olga@example.com', Role: 'Owner' }],
  CustomFields: [{ Name: 'Trucks', Value: 4 }],
};

describe('organizations/create and details', () => {
  let account: TestAccount;
  let made: TestAnswer;
  beforeAll(async () => {
    account = await testAccount();
    made = await account.call('organizations/create', denver);
  });

  test('creates an organization with its people, hours and custom fields, in the time zone of its address', () => {
    expect(made.body).toMatchObject({
      ResultCode: 0,
      OrganizationId: expect.any(Number) as number,
      LocationId: 'DEN-1',
      Name: 'Green Lawn Denver',
      Timezone: 'America/Denver',
      PostalCodes: '80202,80203,80204',
      OpenTimeGranularity: null,
      OpenSince: null,
      Services: [],
    });
    const { ServiceAgents, Users, CustomFields } = organizationIn(made);
    const hours = {
      DayOfWeek: 1,
      NameOfDay: 'Monday',
      StartMinute: 480,
      Minutes: 540,
      StartDate: '2026-03-01',
      EndDate: '',
      ServiceCategoryName: '',
      PostalCodes: '',
    };
    expect(ServiceAgents).toEqual([
      {
        Id: expect.any(Number) as number,
        Name: 'Maria López',
        Email: 'maria@example.com',
        MobilePhone: '',
        StartDate: '',
        EndDate: '',
        TimeSlots: [hours],
        CalendarUrl: '',
        BusyFrom: [],
      },
    ]);
    expect(Users).toEqual([
      {
        Id: expect.any(Number) as number,
        Name: 'Olga Owner',
        Email: 'olga@example.com',
        Active: true,
        ServiceAgentId: null,
        Role: 'Owner',
      },
    ]);
    expect(CustomFields).toMatchObject([{ Name: 'Trucks', Value: 4, Type: 1, TableType: 4 }]);
  });

  test('details by id, by LocationId ignoring case, and by both give the same answer', async () => {
    const { OrganizationId } = organizationIn(made);
    for (const references of [{ OrganizationId }, { LocationId: 'den-1' }, { OrganizationId, LocationId: 'DEN-1' }]) {
      expect(withoutUrls((await account.call('organizations/details', references)).body)).toEqual(made.body);
    }
    expect((await account.call('organizations/details', { OrganizationId, LocationId: 'other' })).status).toBe(404);
    expect((await account.call('organizations/details', { OrganizationId: 999 })).status).toBe(404);
    expect(faultsIn(await account.call('organizations/details'))).toEqual(['OrganizationId']);
  });

  test('a second organization with the LocationId is 409 and names the first', async () => {
    const answer = await account.call('organizations/create', { Name: 'Again', LocationId: 'den-1' });
    expect([answer.status, answer.body['Message']]).toEqual([
      409,
      `Organization ${organizationIn(made).OrganizationId} has the LocationId den-1.`,
    ]);
  });

  test('creates nothing where a field is invalid, and names every invalid field', async () => {
    const answer = await account.call('organizations/create', {
      Name: 'Wrong',
      Timezone: 'Mars',
      Email: 'nobody',
      PostalCodes: '80299, ???',
      ServiceAgents: [
        {
          Name: 'A',
          TimeSlots: [
            { DayOfWeek: 1, StartMinute: 1380, Minutes: 120 },
            { DayOfWeek: 2, Minutes: 60, StartDate: '2026-02-02', EndDate: '2026-01-01' },
          ],
        },
      ],
      Users: [{ Name: 'Nobody' }],
    });
    expect(answer.status).toBe(400);
    expect(faultsIn(answer).sort()).toEqual(
      [
        'Email',
        'PostalCodes',
        'ServiceAgents[0].TimeSlots[0].Minutes',
        'ServiceAgents[0].TimeSlots[1].EndDate',
        'Timezone',
        'Users[0].Email',
      ].sort(),
    );
    expect(listedIn(await account.call('organizations/query', { PublicName: 'wrong' }))).toEqual([]);
  });

  test('once an account has two organizations, a call with its key must name one', async () => {
    expect(faultsIn(await account.call('user/create', { Name: 'X', Email: 'x@example.com' }))).toEqual(['ApiKey']);
    expect(faultsIn(await account.call('organizations/update', { Region: 'x' }))).toEqual(['Region']);
    expect(faultsIn(await account.call('organizations/update', { InternalName: 'x' }))).toEqual(['OrganizationId']);
  });

  test('a key of one organization creates none and sees only its own', async () => {
    const { OrganizationId } = organizationIn(made);
    const key = await account.newKey({ role: 'Owner', organizationId: account.organizationId });
    expect((await account.call('organizations/create', { Name: 'Mine' }, { key })).status).toBe(403);
    expect((await account.call('organizations/details', { OrganizationId }, { key })).status).toBe(403);
    expect((await account.call('organizations/details', { LocationId: 'DEN-1' }, { key })).status).toBe(404);
    expect(organizationIn(await account.call('organizations/details', {}, { key })).OrganizationId).toBe(
      account.organizationId,
    );
    expect(listedIn(await account.call('organizations/query', { PublicName: 'Green' }, { key }))).toEqual([]);
    expect(listedIn(await account.call('organizations/query', {}, { key }))).toEqual(['Springfield']);
  });

  test('a key of one organization defines no custom field of the account', async () => {
    const key = await account.newKey({ role: 'Owner', organizationId: account.organizationId });
    const answer = await account.call(
      'organizations/update',
      { CustomFields: [{ Name: 'Only here', Value: 'x' }] },
      { key },
    );
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['CustomFields[0]']]);
    expect((await account.call('customfields/all')).text).not.toContain('Only here');
  });

  test('the organization, its people and its custom field are events', async () => {
    const received = await events(account);
    expect(received.map(({ Kind }) => Kind).sort()).toEqual([
      'organization.created',
      'serviceagent.created',
      'user.created',
    ]);
    expect(received.find(({ Kind }) => Kind === 'organization.created')?.Data).toMatchObject({
      PublicName: 'Green Lawn Denver',
      PostalCodes: '80202,80203,80204',
      CustomFields: [{ Name: 'Trucks', Value: 4 }],
    });
    expect(received.find(({ Kind }) => Kind === 'serviceagent.created')?.Data).toEqual(
      organizationIn(made).ServiceAgents[0],
    );
    expect(received.find(({ Kind }) => Kind === 'user.created')?.Data).toEqual(organizationIn(made).Users[0]);
  });
});

describe('organizations/update', () => {
  let account: TestAccount;
  const update = (body: object) => account.call('organizations/update', body);
  beforeAll(async () => {
    account = await testAccount();
    await update(denver);
  });

  test('finds people by id, name or e-mail, changes the given fields and leaves other people unchanged', async () => {
    const { body } = await account.call('organizations/details');
    const before = withoutUrls(body) as unknown as Organization;
    const answer = await update({
      ServiceAgents: [
        { Name: 'maria lópez', MobilePhone: '(303) 555-0144' },
        { Name: 'Ben', Email: 'ben@example.com' },
      ],
      Users: [{ Email: 'OLGA@example.com', Name: 'Olga Ortiz', ServiceAgentId: before.ServiceAgents[0]?.Id }],
    });
    const after = organizationIn(answer);
    expect(after.ServiceAgents).toEqual([
      { ...before.ServiceAgents[0], Name: 'maria lópez', MobilePhone: '(303) 555-0144' },
      expect.objectContaining({ Name: 'Ben', TimeSlots: [] }),
    ]);
    expect(after.Users).toEqual([
      {
        ...before.Users[0],
        Email: 'OLGA@example.com',
        Name: 'Olga Ortiz',
        ServiceAgentId: before.ServiceAgents[0]?.Id,
      },
    ]);
    expect(withoutUrls((await account.call('organizations/details')).body)).toEqual(answer.body);
    const { Matches } = (await account.call('serviceagents/all')).body;
    expect(withoutUrls({ ServiceAgents: Matches })['ServiceAgents']).toEqual(after.ServiceAgents);
    expect((await account.call('user/all')).body['Matches']).toEqual(after.Users);
  });

  test('an answer sent back changes nothing and makes no event', async () => {
    const { ResultCode: _, Message: __, ...form } = (await account.call('organizations/details')).body;
    const before = await events(account);
    const answer = await update(form);
    expect(answer.body).toEqual({ ...withoutUrls(form), ResultCode: 0, Message: '' });
    expect((await events(account)).length).toBe(before.length);
  });

  test('null clears a field, an absent one stays', async () => {
    const { body } = await update({ Email: null, BillingAddress: { City: 'Denver' } });
    expect(body).toMatchObject({
      Email: '',
      PrimaryPhone: '(303) 555-0143',
      BillingAddress: { City: 'Denver', Zip: '' },
    });
    expect((await update({ BillingAddress: null })).body['BillingAddress']).toBe(null);
  });

  test.each([
    [{ ServiceAgents: [{ Id: 999 }] }, ['ServiceAgents[0].Id', 'ServiceAgents[0].Name']],
    [{ ServiceAgents: [{ Name: 'Ben' }, { Email: 'ben@example.com' }] }, ['ServiceAgents[1]']],
    [{ ServiceAgents: [{ Name: 'New' }, { Name: 'new' }] }, ['ServiceAgents[0].Name', 'ServiceAgents[1].Name']],
    [{ ServiceAgents: [{ Name: 'Carl', Email: 'BEN@example.com', EndDate: 'soon' }] }, ['ServiceAgents[0].EndDate']],
    [
      {
        Users: [
          { Name: 'Una', Email: 'una@example.com' },
          { Name: 'Una', Email: 'UNA@example.com' },
        ],
      },
      ['Users[1].Email'],
    ],
    [{ Users: [{ Name: 'Una', Email: 'una@example.com', ServiceAgentId: 999 }] }, ['Users[0].ServiceAgentId']],
    [{ CustomFields: [{ Name: 'Trucks', Value: 'many' }] }, ['CustomFields[0].Value']],
    [{ CustomFields: [{ Id: 999, Value: 1 }] }, ['CustomFields[0]']],
    [{ OpenSince: 'once' }, ['OpenSince']],
  ])('%j is invalid', async (body, fields) => {
    const answer = await update(body);
    expect([answer.status, faultsIn(answer).sort()], answer.text).toEqual([400, [...fields].sort()]);
  });

  test("an e-mail address of another organization's user is free, and one that was given up is too", async () => {
    await account.call('organizations/create', { Name: 'Boulder', Users: [{ Name: 'Bo', Email: 'bo@example.com' }] });
    const answer = await update({ OrganizationId: 1, Users: [{ Name: 'Bo', Email: 'Bo@Example.com' }] });
    expect(answer.status, answer.text).toBe(200);
    // Olga may take up an address again that she gave up.
    expect(
      (
        await update({
          OrganizationId: 1,
          Users: [
            {
              Name: 'Olga Ortiz',
              Id: organizationIn(await update({ OrganizationId: 1 })).Users[0]?.Id,
              Email: 'o2@example.com',
            },
          ],
        })
      ).status,
    ).toBe(200);
    expect((await update({ OrganizationId: 1, Users: [{ Name: 'Olaf', Email: 'olga@example.com' }] })).status).toBe(
      200,
    );
  });

  test('50 simultaneous upserts of one agent name make one agent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => update({ OrganizationId: 1, ServiceAgents: [{ Name: 'Only One' }] })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const agents = organizationIn(await account.call('organizations/details', { OrganizationId: 1 })).ServiceAgents;
    expect(agents.filter(({ Name }) => Name === 'Only One').length).toBe(1);
  });

  test('rejects more changes than a transaction takes, and writes nothing', async () => {
    const ServiceAgents = Array.from({ length: 120 }, (_, index) => ({ Name: `Many ${index}` }));
    const answer = await update({ OrganizationId: 1, ServiceAgents });
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['']]);
    expect(
      organizationIn(await account.call('organizations/details', { OrganizationId: 1 })).ServiceAgents.length,
    ).toBeLessThan(10);
  });
});

describe('services of an organization', () => {
  let account: TestAccount;
  let made: TestAnswer;
  let id: number;
  const mowing = {
    Name: 'Mowing',
    BasePrice: 20,
    UnitPrice: 0.5,
    Duration: 60,
    Category: 'Lawn',
    PricingBands: [{ AtLeast: 0, LessThan: 100, Price: 0.4 }],
  };
  const servicesIn = ({ body }: TestAnswer) =>
    body['Services'] as { Id: number; Name: string; BasePrice: number; PricingBands: unknown[] }[];
  beforeAll(async () => {
    account = await testAccount();
    made = await account.call('organizations/create', {
      Name: 'Boulder',
      Services: [mowing, { Name: 'Pruning', AvailableParts: [{ Name: 'Ladder', UnitPrice: 5 }] }],
    });
    id = organizationIn(made).OrganizationId;
  });

  test('are created and answered with it', async () => {
    expect(servicesIn(made)).toMatchObject([
      { Name: 'Mowing', BasePrice: 20, Duration: 60, PricingBands: [{ AtLeast: 0, LessThan: 100, Price: 0.4 }] },
      { Name: 'Pruning' },
    ]);
    expect((await account.call('organizations/details', { OrganizationId: id })).body).toEqual(made.body);
  });

  test('match by id or name, others stay, and no other organization has them', async () => {
    const before = servicesIn(await account.call('organizations/details', { OrganizationId: id }));
    const after = servicesIn(
      await account.call('organizations/update', {
        OrganizationId: id,
        Services: [{ Name: 'mowing', BasePrice: 25 }, { Name: 'Edging' }],
      }),
    );
    expect(after).toMatchObject([{ ...before[0], Name: 'mowing', BasePrice: 25 }, before[1] ?? {}, { Name: 'Edging' }]);
    expect(servicesIn(await account.call('organizations/details', { OrganizationId: 1 }))).toEqual([]);
    const elsewhere = await account.newKey({ role: 'Admin', organizationId: 1 });
    expect((await account.call('services/all', {}, { key: elsewhere })).body['Matches']).toEqual([]);
    expect(((await account.call('services/all')).body['Matches'] as unknown[]).length).toBe(3);
  });

  test('with an invalid field stop the whole call, with the path of the field', async () => {
    const answer = await account.call('organizations/update', {
      OrganizationId: id,
      Name: 'Not done',
      Services: [
        {
          Name: 'Odd',
          PricingBands: [
            { AtLeast: 0, LessThan: 10 },
            { AtLeast: 5, LessThan: 20 },
          ],
        },
        { Id: 9999 },
      ],
    });
    expect([answer.status, faultsIn(answer).every((field) => /^Services\[[01]\]/.test(field))], answer.text).toEqual([
      400,
      true,
    ]);
    expect((await account.call('organizations/details', { OrganizationId: id })).body['Name']).toBe('Boulder');
  });

  test('are events of their own', async () => {
    const kinds = (await events(account)).map(({ Kind }) => Kind);
    expect([
      kinds.filter((kind) => kind === 'service.created').length,
      kinds.includes('service.updated'),
      kinds.includes('part.created'),
    ]).toEqual([3, true, true]);
  });
});

describe('postal codes', () => {
  test('5,000 take one update, and contacts go to their owner', async () => {
    const account = await testAccount();
    const { OrganizationId } = organizationIn(await account.call('organizations/create', { Name: 'Large' }));
    const answer = await account.call('organizations/update', { OrganizationId, PostalCodes: codes(20000, 5000) });
    expect(answer.status).toBe(200);
    expect(organizationIn(answer).PostalCodes.split(',').length).toBe(5000);
    const lead = await account.call('contacts/addupdate', { Name: 'Ann Lee', Zip: '24999-0001', DistributeLead: true });
    expect((lead.body['Matches'] as { OrganizationId: number }[])[0]?.OrganizationId).toBe(OrganizationId);
    const loser = await account.call('organizations/update', {
      OrganizationId: 1,
      PostalCodes: '30000, 20000, 20001, 20002, 20003',
    });
    expect([loser.status, loser.body['Message']]).toEqual([
      409,
      `Postal codes 20000, 20001 and 2 more belong to organization ${OrganizationId} (Large).`,
    ]);
    expect((await account.call('organizations/update', { OrganizationId, PostalCodes: '20000' })).status).toBe(200);
    expect(
      (await account.call('organizations/update', { OrganizationId: 1, PostalCodes: '30000, 20001' })).status,
    ).toBe(200);
  });

  test('two simultaneous updates with overlapping lists leave every code with one owner, as answered', async () => {
    const account = await testAccount();
    const ids = [1, organizationIn(await account.call('organizations/create', { Name: 'Second' })).OrganizationId];
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        ids.map((OrganizationId) => account.call('organizations/update', { OrganizationId, PostalCodes: null })),
      );
      const requested = [codes(10000, 1000), codes(10500, 1000)];
      const answers = await Promise.all(
        ids.map((OrganizationId, index) =>
          account.call('organizations/update', { OrganizationId, PostalCodes: requested[index] }),
        ),
      );
      expect(
        answers.map(({ status }) => status).sort(),
        answers.map(({ text }) => text.slice(0, 200)).join('\n'),
      ).toEqual([200, 409]);
      const winner = answers[0]?.status === 200 ? 0 : 1;
      // The loser may see a part of what the winner's transaction writes: 500 codes once all of it is visible.
      expect(answers[1 - winner]?.body['Message']).toMatch(
        new RegExp(`and \\d+ more belong to organization ${ids[winner]} `),
      );
      const lists = await Promise.all(
        ids.map(
          async (OrganizationId) =>
            organizationIn(await account.call('organizations/details', { OrganizationId })).PostalCodes,
        ),
      );
      expect(lists).toEqual(winner === 0 ? [requested[0], ''] : ['', requested[1]]);
      for (const PostalCode of ['10000', '10499', '10500', '10999', '11000', '11499']) {
        const owned = requested[winner]?.split(',').includes(PostalCode);
        expect(listedIn(await account.call('organizations/query', { PostalCode }))).toEqual(
          owned ? [winner === 0 ? 'Springfield' : 'Second'] : [],
        );
      }
    }
  });

  test('of 20 simultaneous updates with a common code one succeeds and the others change nothing', async () => {
    const account = await testAccount();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        account.call('organizations/create', { Name: `O${index}`, PostalCodes: `40000, ${41000 + index}` }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const all = (await account.call('organizations/query')).body['Organizations'] as { PostalCodes: string }[];
    expect(all.filter(({ PostalCodes }) => PostalCodes.includes('40000')).length).toBe(1);
    expect(all.length).toBe(2);
  });
});

describe('organizations/cancel', () => {
  test("rejects its keys but not the account's, loses nothing, and OpenSince reopens it", async () => {
    const account = await testAccount();
    const { OrganizationId } = organizationIn(await account.call('organizations/create', denver));
    const key = await account.newKey({ role: 'Owner', organizationId: OrganizationId });
    const write = () => account.call('task/create', { Description: 'Call', TaskType: 1 }, { key });
    // A write: for a read, a container may remember for 30 s whether the organization is open.
    expect((await write()).status).toBe(200);
    const canceled = await account.call('organizations/cancel', { LocationId: 'DEN-1' });
    expect([canceled.status, organizationIn(canceled).PostalCodes]).toEqual([200, '80202,80203,80204']);
    const calls = ['test/echo', 'organizations/details', 'contacts/locate'].map(
      (operation) => () => account.call(operation, {}, { key }),
    );
    for (const call of [write, ...calls]) {
      const answer = await call();
      expect([answer.status, answer.body['Message']]).toEqual([
        403,
        expect.stringContaining(`Organization ${OrganizationId} is canceled`),
      ]);
    }
    expect((await account.call('organizations/cancel', { OrganizationId })).status).toBe(409);
    expect(listedIn(await account.call('organizations/query', { PublicName: 'Green' }))).toEqual([]);
    const inactive = await account.call('organizations/query', { PublicName: 'Green', IncludeInactive: true });
    expect(inactive.body['Organizations']).toMatchObject([
      {
        Id: OrganizationId,
        Suspended: true,
        CancelDate: expect.stringMatching(/Z$/) as string,
        Users: [{ Name: 'Olga Owner' }],
      },
    ]);

    const reopened = await account.call('organizations/update', { OrganizationId, OpenSince: '2026-03-08' });
    expect([reopened.status, reopened.body['OpenSince']]).toEqual([200, '2026-03-08T07:00:00Z']);
    expect((await write()).status).toBe(200);
    expect(listedIn(await account.call('organizations/query', { PublicName: 'Green' }))).toEqual(['Green Lawn Denver']);
    const received = (await events(account)).filter(({ Kind }) => Kind.startsWith('organization'));
    expect(received.map(({ Kind, Changed }) => [Kind, Changed.sort()])).toEqual([
      ['organization.created', []],
      ['organization.canceled', ['CancelDate', 'Suspended']],
      ['organization.reopened', ['CancelDate', 'OpenSince', 'Suspended']],
    ]);
  });
});

describe('organizations/query', () => {
  let account: TestAccount;
  const names = [
    'Ångström Air',
    'Smith & Smithson',
    'Green Lawn Denver',
    'Green Lawn Boulder',
    'Evergreen',
    '!!!',
    'Green Grass of Greeley',
  ];
  const ask = async (body: object) => listedIn(await account.call('organizations/query', body));
  beforeAll(async () => {
    account = await testAccount({ organizationName: 'Zebra' });
    for (const [index, Name] of names.entries()) {
      await account.call('organizations/create', {
        Name,
        LocationId: `L${index}`,
        InternalName: index % 2 ? 'Odd One' : '',
        PostalCodes: String(50000 + index),
      });
    }
  });

  test('without criteria lists all by name, once each, page after page', async () => {
    const all = [
      '!!!',
      'Ångström Air',
      'Evergreen',
      'Green Grass of Greeley',
      'Green Lawn Boulder',
      'Green Lawn Denver',
      'Smith & Smithson',
      'Zebra',
    ];
    expect(await ask({})).toEqual(all);
    const pages = [
      await ask({ Take: 3 }),
      await ask({ Skip: 3, Take: 3 }),
      await ask({ Skip: 6, Take: 3 }),
      await ask({ Skip: 9, Take: 3 }),
    ];
    expect(pages.flat()).toEqual(all);
    expect(await ask({ Skip: 5, Take: 2 })).toEqual(all.slice(5, 7));
  });

  test.each([
    ['green', ['Green Grass of Greeley', 'Green Lawn Boulder', 'Green Lawn Denver']],
    ['gre', ['Green Grass of Greeley', 'Green Lawn Boulder', 'Green Lawn Denver']],
    ['Green La', ['Green Lawn Boulder', 'Green Lawn Denver']],
    ['denver', ['Green Lawn Denver']],
    ['angstrom', ['Ångström Air']],
    ['s', ['Smith & Smithson']],
    ['smith', ['Smith & Smithson']],
    ['smiths', ['Smith & Smithson']],
    ['zz', []],
  ])('PublicName %j finds each once, by the beginning of its name or of a later word', async (PublicName, found) => {
    expect((await ask({ PublicName })).sort()).toEqual([...found].sort());
  });

  test('every criterion must hold', async () => {
    expect(await ask({ LocationId: 'l2' })).toEqual(['Green Lawn Denver']);
    expect(await ask({ PostalCode: '50003-1234' })).toEqual(['Green Lawn Boulder']);
    expect(await ask({ PostalCode: '50003', PublicName: 'evergreen' })).toEqual([]);
    expect((await ask({ InternalName: 'odd' })).length).toBe(3);
    expect(await ask({ InternalName: 'odd', PublicName: 'green' })).toEqual(['Green Lawn Boulder']);
    expect(await ask({ LocationId: 'none' })).toEqual([]);
    expect(faultsIn(await account.call('organizations/query', { PublicName: '?' }))).toEqual(['PublicName']);
  });

  test('finds a new name at once, and no longer the old one', async () => {
    await account.call('organizations/update', { LocationId: 'L4', Name: 'Nevergreen Trees' });
    expect([await ask({ PublicName: 'evergreen' }), await ask({ PublicName: 'trees' })]).toEqual([
      [],
      ['Nevergreen Trees'],
    ]);
  });
});
