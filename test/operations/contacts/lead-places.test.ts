import { beforeAll, describe, expect, test } from 'vitest';
import { importAccount } from '../../../infra/cli/company-file/account.ts';
import { listLinks } from '../../../lib/workflows/pages/revoke-links.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { organizationCountChange } from '../../../lib/store/accounts/accounts.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { postalOwnershipChanges } from '../../../lib/store/organizations/postal-ownership.ts';
import { openPage, sendForm } from '../../support/pages.ts';
import { type Bookable, bookable } from '../../support/scheduling.ts';
import { branches, contactIn, matchesOf } from '../../support/stack/branches.ts';
import { type TestAccount, onStack, testTable } from '../../support/stack/stack.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { callerContext } from '../../../lib/workflows/context.ts';

let leads = 0;
const lead = (more: object = {}) => ({ Name: `Lead No${++leads}`, Email: `lead${leads}@example.com`, ...more });
const refuse = (account: { accountId: string }, refuseOwnedPostalCodes: boolean | null) =>
  importAccount({ store: accountStore(testTable(), account.accountId), now: new Date() }, { refuseOwnedPostalCodes });

describe('a lead of an account key with DistributeLead', () => {
  let brand: TestAccount;
  beforeAll(async () => {
    brand = await branches();
    const south = { OrganizationId: 2, Name: 'South', TerritoryID: 'S1', PostalCodes: ['62702'] };
    await brand.call('accountingclasses/create', south);
  });
  const add = (body: object) => brand.call('contacts/addupdate', { ...lead(), DistributeLead: true, ...body });

  test.each<[string, object, number, string]>([
    ['its LocationID', { LocationID: 'l2' }, 2, 'Organization 2 has the LocationID l2.'],
    ['its LocationID before territory and code', { LocationID: 'L2', TerritoryID: 'x', Zip: '99999' }, 2, 'LocationID'],
    ['its TerritoryID', { TerritoryID: 's1', Zip: '99999' }, 2, 'Organization 2 has the territory s1.'],
    ['its TerritoryID, where the LocationID is unknown', { LocationID: 'L9', TerritoryID: 'S1' }, 2, 'territory'],
    ['its postal code, where both are unknown', { LocationID: 'L9', TerritoryID: 'X', Zip: '62702' }, 2, 'owns'],
    ['the organization of the key, where nothing is known', { LocationID: 'L9', Zip: '99999' }, 1, 'goes to'],
    ['its OrganizationId before all', { OrganizationId: 3, LocationID: 'L2', Zip: '62701' }, 3, ''],
  ])('goes by %s', async (_, body, organization, reason) => {
    const answer = await add(body);
    expect(contactIn(answer).OrganizationId).toBe(organization);
    expect(answer.body['Message']).toContain(reason);
  });

  test('without DistributeLead names its organization by OrganizationId only', async () => {
    expect((await add({ DistributeLead: false, LocationID: 'L2' })).status).toBe(400);
  });
});

describe('a postal code of another organization, with the key of one', () => {
  let brand: TestAccount;
  let key: string;
  beforeAll(async () => {
    brand = await branches();
    key = await brand.newKey({ organizationId: 3 });
  });
  const add = (body: object) => brand.call('contacts/addupdate', body, { key });

  test('is 409 with the name of the owner, and nothing is stored', async () => {
    const input = lead({ Zip: '62701-1234' });
    const answer = await add({ Matches: [lead(), input] });
    expect([answer.status, answer.body['Code'], answer.body['Message']]).toEqual([
      409,
      'postal_code_owned',
      expect.stringContaining('Postal code 62701-1234 belongs to Shelbyville.'),
    ]);
    expect(matchesOf(await brand.call('contacts/locate', { EmailSearch: input.Email }))).toEqual([]);
  });

  test('is stored where the account allows it, and Message names the owner; with DistributeLead it stays 409', async () => {
    await refuse(brand, false);
    const answer = await add(lead({ Zip: '62701' }));
    expect(contactIn(answer).OrganizationId).toBe(3);
    expect(answer.body['Message']).toBe('Postal code 62701 belongs to Shelbyville.');
    expect((await add(lead({ Zip: '62701', DistributeLead: true }))).body['Code']).toBe('postal_code_owned');
    await refuse(brand, null);
    expect((await add(lead({ Zip: '62701' }))).status).toBe(409);
  });

  test('is taken for a contact that belongs to the organization, and for a key of the account', async () => {
    const known = lead({ Zip: '99999' });
    const { Id } = contactIn(await add(known));
    expect(contactIn(await add({ ...known, Zip: '62701' }))).toMatchObject({ Id, Zip: '62701' });
    const own = lead({ Zip: '62701', OrganizationId: 3 });
    expect(contactIn(await brand.call('contacts/addupdate', own)).OrganizationId).toBe(3);
  });
});

describe('a visit at a postal code of another organization', () => {
  let company: Bookable;
  let key: string;
  beforeAll(async () => {
    company = await bookable({ services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true }] });
    key = await company.newKey({ organizationId: company.organizationId });
    const { accountId } = company;
    await testTable().commit([
      ...newOrganizationChanges({ account: accountId }, { Id: 77, PublicName: 'Shelbyville' }),
      organizationCountChange({ account: accountId }),
    ]);
    const owned = await postalOwnershipChanges(accountStore(testTable(), accountId), 77, {
      before: [],
      after: ['62702'],
    });
    if (owned.kind === 'ready') await testTable().commit(owned.changes);
  });

  test('by quickbook is 409, or booked with the owner in Message where the account allows it', async () => {
    const book = () =>
      company.call(
        'appointments/quickbook',
        { ...lead({ Zip: '62702' }), Service: 'Lawn care', FirstAvailable: true, ScheduledStart: '2035-03-05T08:00' },
        { key },
      );
    expect((await book()).body).toMatchObject({ Code: 'postal_code_owned' });
    await refuse(company, false);
    const booked = await book();
    expect([booked.status, booked.body['Message']]).toEqual([200, 'Postal code 62702 belongs to Shelbyville.']);
    await refuse(company, null);
  });

  test('by the booking page is a notice that names the owner, and books nothing', async () => {
    const caller = accountCaller(company.accountId, { role: 'Owner' });
    const context = callerContext(testTable(), caller, new Date());
    const { booking = '' } = await listLinks(context, 'organization', company.organizationId);
    const times = `${onStack(booking)}?service=${company.services['Lawn care']}&zip=62702`;
    const slot = /name="slot" value="(\d+)"/.exec((await openPage(times)).text)?.[1];
    const client = { name: 'Dan Fox', email: 'dan@example.com', phone: '217-555-0100', address: '1 Ash', city: 'X' };
    const answer = await sendForm(onStack(booking), await openPage(`${times}&slot=${slot}`), 'book', client);
    expect([answer.status, answer.text.includes('Please book with Shelbyville.')]).toEqual([409, true]);
    expect(matchesOf(await company.call('contacts/locate', { EmailSearch: 'dan@example.com' }))).toEqual([]);
  });
});

describe('channel and campaign of the key', () => {
  let brand: TestAccount;
  beforeAll(async () => {
    brand = await branches();
  });
  const add = async (source: { channel?: string; campaign?: string }, body: object) =>
    brand.call('contacts/addupdate', { OrganizationId: 1, ...body }, { key: await brand.newKey(source) });

  test.each<[string, { channel?: string; campaign?: string }, object, object]>([
    ['both', { channel: 'google', campaign: 'spring' }, {}, { Channel: 'Google', Campaign: 'Spring', CampaignId: 11 }],
    ['the channel', { channel: 'Radio' }, {}, { Channel: 'Radio', Campaign: '' }],
    ['the campaign alone', { campaign: 'Morning' }, {}, { Channel: 'Radio', Campaign: 'Morning' }],
    ['nothing, with its own', { channel: 'Radio' }, { Channel: 'Google' }, { Channel: 'Google', Campaign: '' }],
    ['both, with blank ones', { channel: 'Radio' }, { Channel: '', ChannelId: 0 }, { Channel: 'Radio' }],
  ])('a new contact gets %s', async (_, source, body, expected) => {
    const answer = await add(source, lead(body));
    expect(contactIn(answer)).toMatchObject(expected);
    expect(answer.body['Message']).toBe('');
  });

  test('a contact that exists does not get them', async () => {
    const known = lead();
    const { Id } = contactIn(await add({}, known));
    expect(contactIn(await add({ channel: 'Radio' }, known))).toMatchObject({ Id, Channel: '' });
  });

  test.each([
    ['channel', { channel: 'Gone', campaign: 'Spring' }, { Channel: '', Campaign: '' }, 'The channel "Gone"'],
    ['campaign', { channel: 'Google', campaign: 'Gone' }, { Channel: 'Google', Campaign: '' }, 'The campaign "Gone"'],
  ])('that do not exist any more lose no lead, and Message names the %s', async (_, source, expected, sentence) => {
    const answer = await add(source, lead());
    expect(contactIn(answer)).toMatchObject(expected);
    expect(answer.body['Message']).toContain(sentence);
  });

  test('that do not exist any more are remarked by quickbook too', async () => {
    const company = await bookable();
    const key = await company.newKey({ channel: 'Nowhere' });
    const input = { Service: 'Lawn care', FirstAvailable: true, ScheduledStart: '2035-03-05T08:00', Zip: '62701' };
    const answer = await company.call('appointments/quickbook', { ...lead(), ...input }, { key });
    expect([answer.status, answer.body['Message']]).toEqual([200, expect.stringContaining('The channel "Nowhere"')]);
  });
});
