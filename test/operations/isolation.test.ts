import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { organizationCountChange } from '../../lib/store/accounts/accounts.ts';
import { expectFailure } from '../support/failed.ts';
import { type Bookable, bookable, slotIn, slotsIn } from '../support/scheduling.ts';
import { drainEvents, testTable } from '../support/stack/stack.ts';

let company: Bookable;
const keys: Record<'admin' | 'boundAdmin' | 'boundOwner' | 'office' | 'subscriber' | 'ann', string> = {
  admin: '',
  boundAdmin: '',
  boundOwner: '',
  office: '',
  subscriber: '',
  ann: '',
};
const update = (body: object, key = company.key) => company.call('organizations/update', body, { key });

beforeAll(async () => {
  company = await bookable({
    organization: {
      TaxpayerID: '12-3456789',
      PostalCodes: '62701, 62702',
      LocationId: 'Springfield-1',
      Users: [
        { Name: 'Olga Owner', Email: 'olga@example.com', Role: 'Owner' },
        { Name: 'Adam Admin', Email: 'adam@example.com', Role: 'Admin' },
      ],
    },
  });
  await testTable().commit([
    ...newOrganizationChanges({ account: company.accountId }, { Id: 2, PublicName: 'Shelbyville' }),
    organizationCountChange({ account: company.accountId }),
  ]);
  const organizationId = 2;
  const made = await Promise.all([
    company.newKey({ role: 'Admin' }),
    company.newKey({ role: 'Admin', organizationId }),
    company.newKey({ role: 'Owner', organizationId }),
    company.newKey({ role: 'Office' }),
    company.newKey({ role: 'DataSubscriber' }),
    company.newKey({ role: 'ServiceAgent', organizationId: 1, agentId: company.agents['Ann'] ?? 0 }),
  ]);
  [keys.admin = '', keys.boundAdmin = '', keys.boundOwner = '', keys.office = '', keys.subscriber = '', keys.ann = ''] =
    made;
});

describe('territory', () => {
  test('is given and taken by keys of the account only; codes sent back as they are change nothing', async () => {
    for (const key of [keys.boundAdmin, keys.boundOwner]) {
      for (const PostalCodes of ['62709', '62701', '62701,62709']) {
        const answer = await update({ PostalCodes }, key);
        expectFailure(answer, 403);
        expect(answer.body['Errors']).toMatchObject([{ Field: 'PostalCodes' }]);
        expect(answer.text).not.toMatch(/Springfield|organization 1/);
      }
    }
    expect((await update({ OrganizationId: 2, PostalCodes: '62709' })).status).toBe(200);
    expectFailure(await update({ PostalCodes: '' }, keys.boundAdmin), 403);
    expect((await update({ PostalCodes: '62709', Website: 'www.example.com' }, keys.boundAdmin)).status).toBe(200);
  });

  test('a LocationId is given by keys of the account only: no other key learns which exist', async () => {
    const answers = await Promise.all(
      ['springfield-1', 'free-1'].map((LocationId) => update({ OrganizationId: 2, LocationId }, keys.boundAdmin)),
    );
    for (const answer of answers) expectFailure(answer, 403);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });
});

describe('a role above that of the key', () => {
  const users = async (): Promise<{ Id: number; Name: string; Role: string }[]> =>
    (await company.call('user/all')).body['Matches'] as { Id: number; Name: string; Role: string }[];

  test('is neither given nor altered nor removed', async () => {
    const before = await users();
    const olga = before.find(({ Name }) => Name === 'Olga Owner');
    expect(olga?.Role).toBe('Owner');
    const attempts = [
      [{ Id: olga?.Id, Role: 'ReadOnly' }],
      [{ Id: olga?.Id, Active: false }],
      [{ Email: 'olga@example.com', Name: 'Olga Other' }],
      [{ Email: 'adam@example.com', Role: 'Owner' }],
      [{ Name: 'New', Email: 'new@example.com', Role: 'Owner' }],
    ];
    for (const Users of attempts) expectFailure(await update({ OrganizationId: 1, Users }, keys.admin), 403);
    const created = await company.call(
      'user/create',
      { Name: 'New', Email: 'new@example.com', Role: 'Owner' },
      { key: keys.boundAdmin },
    );
    expectFailure(created, 403);
    expect(await users()).toEqual(before);
  });

  test('may be sent back unchanged, and lower and equal ones be given', async () => {
    const Users = [
      { Email: 'olga@example.com', Name: 'Olga Owner', Role: 'Owner' },
      { Email: 'adam@example.com', Name: 'Adam Second' },
      { Name: 'Amy', Email: 'amy@example.com', Role: 'Admin' },
    ];
    expect((await update({ OrganizationId: 1, Users }, keys.admin)).status).toBe(200);
  });
});

test('TaxpayerID is for Owner and Admin: other roles and event data have none', async () => {
  const idFor = async (key: string): Promise<unknown> => {
    const details = await company.call('organizations/details', { OrganizationId: 1 }, { key });
    const query = await company.call('organizations/query', { LocationId: 'Springfield-1' }, { key });
    const [listed] = query.body['Organizations'] as { TaxpayerID: string }[];
    return [details.body['TaxpayerID'], listed?.TaxpayerID];
  };
  for (const key of [company.key, keys.admin]) expect(await idFor(key)).toEqual(['12-3456789', '12-3456789']);
  for (const key of [keys.office, keys.subscriber]) expect(await idFor(key)).toEqual(['', '']);
  expectFailure(await update({ OrganizationId: 1, TaxpayerID: '98-7654321' }, keys.office), 403);
  await drainEvents();
  const events = await company.call('datasubscriber/fetch', {}, { key: keys.subscriber });
  expect(events.text).toContain('organization.updated');
  expect(events.text).not.toContain('12-3456789');
});

describe("the key of a service agent's own", () => {
  const call = (operation: string, body: object) => company.call(operation, body, { key: keys.ann });
  let own: number;
  let shared: number;
  let foreign: number;
  beforeAll(async () => {
    const { Ann = 0, Ben = 0 } = company.agents;
    const AdditionalServiceAgents = [{ ServiceAgent: { Id: Ann } }];
    const together = { Slots: [{ DateTime: '2027-03-09T13:00', ServiceAgentId: Ben, AdditionalServiceAgents }] };
    own = slotIn(await company.book('Ann', '2027-03-09T09:00')).AppointmentId;
    foreign = slotIn(await company.book('Ben', '2027-03-09T09:00')).AppointmentId;
    shared = slotIn(await company.book('Ben', '2027-03-09T13:00', together)).AppointmentId;
  });

  test('sees only the appointments of that agent, also as an additional one', async () => {
    const all = { FromDate: '2027-03-09', ThroughDate: '2027-03-09' };
    const queried = await call('appointments/query', all);
    const ids = (queried.body['Appointments'] as { AppointmentId: number }[]).map(({ AppointmentId }) => AppointmentId);
    expect([queried.body['Count'], ids]).toEqual([2, [own, shared]]);
    expect((await call('appointments/query', { ...all, ServiceAgentId: company.agents['Ben'] })).body['Count']).toBe(1);
    const found = slotsIn(await call('appointments/find', { ContactId: company.contact }));
    expect(found.map(({ AppointmentId }) => AppointmentId)).toEqual([own, shared]);
    expect(slotsIn(await call('appointments/find', { AppointmentId: foreign }))).toEqual([]);
    expect(slotsIn(await call('appointments/find', { SearchDate: '2027-03-09' }))).toHaveLength(2);
  });

  test('changes only those, and not whose they are', async () => {
    const note = { UpdateNote: 'On my way.' };
    for (const AppointmentId of [own, shared])
      expect((await call('appointments/update', { AppointmentId, ...note })).status).toBe(200);
    expectFailure(await call('appointments/update', { AppointmentId: foreign, ...note }), 404);
    expectFailure(await call('appointments/addtip', { AppointmentId: foreign, Amount: 5 }), 404);
    expectFailure(await call('appointments/feedback', { Id: foreign, Score: 9 }), 404);
    const Slots = [{ ServiceAgentId: company.agents['Ben'], DateTime: '2027-03-10T09:00' }];
    expectFailure(await call('appointments/update', { AppointmentId: own, Slots }), 403);
    const answer = await call('appointments/update', { AppointmentId: own, Slots: [{ DateTime: '2027-03-09T10:00' }] });
    expect(answer.status).toBe(200);
  });
});

describe('names that JavaScript reserves', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'])(
    'as a custom property: %s is 400',
    async (name) => {
      const properties = `{"${name}":"x"}`;
      const body = `{"ContactId":${company.contact},"ServiceName":"Lawn care","Slots":[{"CustomProperties":${properties}}]}`;
      const answer = await company.call('appointments/book', body);
      expectFailure(answer, 400);
      expect(answer.text).toContain('Slots[0].CustomProperties');
    },
  );
});
