import { Contact } from '../../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { branches, contactIn, eventsOf, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import type { TestAccount } from '../../support/stack/stack.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await branches();
});
const add = (body: object, key?: string) => account.call('contacts/addupdate', body, key ? { key } : {});
const located = async (IdSearch: number, more: object = {}) =>
  contactIn(await account.call('contacts/locate', { IdSearch, ...more }));

const full = {
  OrganizationId: 2,
  Name: 'José García',
  Nickname: 'Pepe',
  Company: 'Acme',
  Address1: '12 Main St',
  Address2: 'Apt 3',
  City: 'Springfield',
  State: 'IL',
  Zip: '62701',
  Phone: '(217) 555-0143',
  AltPhone: '217.555.0144 x5',
  PhoneLabel: 'Home',
  AltPhoneLabel: 'Work',
  Country: 'US',
  LeadSource: 'Internet',
  Channel: 'google',
  Campaign: 'spring',
  Category: 'Lead',
  UtmMedium: 'cpc',
  UtmSource: 'g',
  UtmCampaign: 's',
  IsCustomer: true,
  DigitalTrackingId: 'T-1',
  AutoOfferCode: 'A',
  FlashMessage: 'Careful',
  Unsubscribed: true,
  DoNotText: true,
  DoNotEmail: true,
  Language: 'español',
  NamedTaxRate: { Name: 'county' },
  PmtOnFileKind: 'Visa',
  PmtOnFileLast4: '4242',
  PmtOnFileExpDate: '2028-03',
  Tags: ['VIP', 'vip', ' Gold '],
  Notes: [{ Title: 'Gate', Body: '4711' }],
  CustomFields: [
    { Name: 'gate code', Value: '#1' },
    { Shortcode: 'SQFT', Value: 2000.5 },
    { Id: 3, Value: 'L' },
  ],
};
let number = 0;
const make = async (more: object = {}) =>
  contactIn(await add({ ...full, Email: `full${++number}@example.com`, ...more }));

describe('a contact with everything', () => {
  test('is returned complete, with the fields that the service adds', async () => {
    const added = await make({ ReturnPmtOnFile: true });
    expect(Object.keys(added).sort()).toEqual(Object.keys(Contact.shape()).sort());
    const { CustomFields, Notes, ...others } = added;
    const { CustomFields: _, Notes: __, Tags: ___, NamedTaxRate: ____, ...input } = full;
    expect(others).toMatchObject({
      ...input,
      Channel: 'Google',
      ChannelId: 1,
      Campaign: 'Spring',
      CampaignId: 11,
      NamedTaxRate: { Id: 5, Name: 'County', TaxRate: 8.875 },
      Tags: ['VIP', 'Gold'],
      AccountingClass: { Id: 1, AccountingClass: 'North' },
      TerritoryID: 'N1',
      LocationID: 'L2',
      IsValid: true,
      HasIdentifyingInfo: true,
      Hash: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      ContactPictures: [],
      ContactDocuments: [],
      OpenInvoices: [],
      OpenProposals: [],
      ReferredByContactId: null,
      UpdatePaymentOnFileUrl: '',
    });
    expect(CustomFields).toMatchObject([
      { Id: 1, Name: 'Gate code', Value: '#1' },
      { Id: 2, Value: 2000.5 },
      { Id: 3, Value: 'L', Options: [{ Value: 'S' }, { Value: 'L' }] },
    ]);
    expect(Notes).toEqual([{ Id: expect.any(Number) as number, Title: 'Gate', Body: '4711' }]);
    expect(await located(added.Id, { ReturnPmtOnFile: true })).toEqual(added);
  });

  test.each([true, false])(
    'sent back whole as locate gave it changes nothing and is no event (ReturnPmtOnFile %s)',
    async (ReturnPmtOnFile) => {
      const referrer = await make();
      const added = await make({
        ReferredByContactId: referrer.Id,
        ReferredByHash: referrer.Hash,
        ManagedByContactId: referrer.Id,
      });
      const before = await eventsOf(account);
      const complete = await located(added.Id, { ReturnPmtOnFile });
      expect(contactIn(await add({ Matches: [complete], ReturnPmtOnFile }))).toEqual(complete);
      expect(contactIn(await add({ ...complete, ReturnPmtOnFile }))).toEqual(complete);
      expect(await eventsOf(account)).toEqual(before);
      expect((await located(added.Id, { ReturnPmtOnFile: true })).PmtOnFileLast4).toBe('4242');
    },
  );

  test('includes the payment on file only with ReturnPmtOnFile', async () => {
    const added = await make();
    const concealed = { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' };
    expect([added, await located(added.Id)]).toMatchObject([concealed, concealed]);
    expect(await located(added.Id, { ReturnPmtOnFile: true })).toMatchObject({
      PmtOnFileKind: 'Visa',
      PmtOnFileLast4: '4242',
      PmtOnFileExpDate: '2028-03',
    });
  });

  test('keeps absent fields in an update, and loses cleared ones', async () => {
    const added = await make();
    const cleared = {
      Company: null,
      AltPhone: null,
      Channel: null,
      NamedTaxRate: null,
      DoNotText: null,
      CustomFields: [{ Id: 1, Value: null }],
    };
    const { CustomFields, ...after } = contactIn(await add({ Id: added.Id, Nickname: '', ...cleared }));
    const { CustomFields: previousFields, ...before } = added;
    expect(after).toEqual({
      ...before,
      Nickname: '',
      Company: '',
      AltPhone: '',
      Channel: '',
      ChannelId: 0,
      Campaign: '',
      CampaignId: 0,
      NamedTaxRate: null,
      DoNotText: false,
    });
    expect(CustomFields).toEqual(previousFields.slice(1));
    const refused = await add({
      Id: added.Id,
      Name: null,
      Company: null,
      Email: null,
      Phone: null,
      AltPhone: null,
      Address1: null,
      DigitalTrackingId: null,
    });
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['Email']]);
  });

  test('gets more tags and notes, and a changed note', async () => {
    const added = await make();
    const [gate] = added.Notes;
    const after = contactIn(
      await add({ Id: added.Id, Tags: ['GOLD', 'Silver'], Notes: [{ Title: 'Dog' }, { Id: gate?.Id, Body: '1234' }] }),
    );
    expect(after.Tags).toEqual(['VIP', 'Gold', 'Silver']);
    expect(after.Notes).toEqual([
      { ...gate, Body: '1234' },
      { Id: expect.any(Number) as number, Title: 'Dog', Body: '' },
    ]);
  });
});

test('two new contacts of a call with one new tag share it', async () => {
  const [one, two] = matchesOf(
    await add({
      Matches: [
        { OrganizationId: 1, Name: 'T1', Tags: ['Brand new'] },
        { OrganizationId: 1, Name: 'T2', Tags: ['BRAND NEW'] },
      ],
    }),
  );
  const tags = async (ContactId: number | undefined) =>
    (await account.call('contacts/listtags', { ContactId })).body['TagList'];
  expect(await tags(one?.Id)).toEqual([{ Id: expect.any(Number) as number, Name: 'Brand new' }]);
  expect(await tags(two?.Id)).toEqual(await tags(one?.Id));
});

test('fields that callers cannot set are ignored', async () => {
  const added = await make();
  const wish = {
    LocationID: 'x',
    IsValid: false,
    HasIdentifyingInfo: false,
    UpdatePaymentOnFileUrl: 'https://evil.example',
    OpenInvoices: [{ Id: 1, Link: 'x' }],
    ContactPictures: [{ Id: 1 }],
    AccountingClass: { Id: 9 },
  };
  expect(contactIn(await add({ Id: added.Id, ...wish }))).toEqual(added);
});

test.each([
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  "Robert'); DROP TABLE",
  '{{7*7}} ${x} %25#',
  '👩‍👩‍👧 ünï😀',
  '😀'.repeat(100),
  'a\nb\tc',
  '../../etc',
  '\u202Eevil',
])('text is kept as typed: %j', async (text) => {
  const added = await make({ Name: text, Company: text, Notes: [{ Body: text }], LeadSource: text });
  expect(await located(added.Id)).toMatchObject({
    Name: text,
    Company: text,
    Notes: [{ Body: text }],
    LeadSource: text,
  });
});

describe('an invalid field is reported with its path', () => {
  const custom = (...CustomFields: object[]) => ({ CustomFields });
  test.each<[string, object]>([
    ['Channel', { Channel: 'Nope' }],
    ['ChannelId', { Channel: null, ChannelId: 9 }],
    ['Channel', { Channel: 'Radio', ChannelId: 1 }],
    ['Campaign', { Channel: 'Radio', Campaign: 'Spring' }],
    ['NamedTaxRate', { NamedTaxRate: { Id: 99 } }],
    ['NamedTaxRate', { NamedTaxRate: { Name: 'none' } }],
    ['CustomFields[1]', custom({ Id: 1, Value: 'x' }, { Id: 99, Value: 1 })],
    ['CustomFields[0]', custom({ Name: 'Crew', Value: 'of appointments' })],
    ['Notes[1].Id', { Notes: [{ Body: 'a' }, { Id: 99_999, Body: 'b' }] }],
    ['Notes[0].Body', { Notes: [{ Title: '  ' }] }],
    ['Tags', { Tags: Array.from({ length: 101 }, (_, index) => `t${index}`) }],
    ['Tags', { Tags: Array.from({ length: 95 }, (_, index) => `u${index}`) }],
    ['Tags[0]', { Tags: ['x'.repeat(101)] }],
    ['Name', { Name: 'x'.repeat(201) }],
    ['Email', { Email: 'nobody' }],
    ['PmtOnFileLast4', { PmtOnFileLast4: '12' }],
    ['Phone', { Phone: 'none' }],
  ])('%s', async (field, wrong) => {
    const answer = await add({
      Matches: [
        { OrganizationId: 2, Name: 'Fine', Email: `fine${++number}@example.com` },
        { ...full, Email: `wrong${number}@example.com`, ...wrong },
      ],
    });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [`Matches[1].${field}`]]);
    const alone = await add({ ...full, Email: `wrong${number}@example.com`, ...wrong });
    expect([alone.status, fieldsOf(alone)]).toEqual([400, [field]]);
  });

  test('all invalid fields are reported at once', async () => {
    const answer = await add({
      ...full,
      Email: 'x',
      Channel: 'Nope',
      NamedTaxRate: { Id: 99 },
      ReferredByContactId: 2_000_000_000,
      ...custom({ Name: 'Crew', Value: 'x' }),
    });
    expect(fieldsOf(answer).sort()).toEqual([
      'Channel',
      'CustomFields[0]',
      'Email',
      'NamedTaxRate',
      'ReferredByContactId',
    ]);
  });
});

describe('a contact that refers or manages another', () => {
  test('may be any contact that the caller sees', async () => {
    const other = await make();
    const links = { ReferredByContactId: other.Id, ManagedByContactId: other.Id, ReferredByHash: other.Hash };
    const added = await make(links);
    expect(added).toMatchObject(links);
    expect(
      contactIn(await add({ Id: added.Id, ReferredByContactId: null, ManagedByContactId: null, ReferredByHash: null })),
    ).toMatchObject({ ReferredByContactId: null, ManagedByContactId: null, ReferredByHash: '' });
  });

  test('in another account or organization does not exist for the caller', async () => {
    const stranger = await branches();
    const theirs = contactIn(
      await stranger.call('contacts/addupdate', { Name: 'Xyzzy', Email: 'x@example.com', OrganizationId: 2 }),
    );
    const abroad = await make({ OrganizationId: 3 });
    const key = await account.newKey({ organizationId: 2 });
    for (const [Id, Hash, by] of [
      [abroad.Id, abroad.Hash, key],
      [2_000_000_000, theirs.Hash, undefined],
      [2_000_000_000, 'none', key],
    ] as const) {
      const answer = await add(
        { Name: 'Linked', ReferredByContactId: Id, ManagedByContactId: Id, ReferredByHash: Hash, OrganizationId: 2 },
        by,
      );
      expect([answer.status, fieldsOf(answer).sort()]).toEqual([
        400,
        ['ManagedByContactId', 'ReferredByContactId', 'ReferredByHash'],
      ]);
      expect(answer.text).not.toMatch(/Xyzzy|José/);
    }
  });

  test('may be sent back by a caller who does not see it', async () => {
    const abroad = await make({ OrganizationId: 3 });
    const added = await make({ ReferredByContactId: abroad.Id, ReferredByHash: abroad.Hash });
    const key = await account.newKey({ organizationId: 2 });
    expect(contactIn(await add(await located(added.Id), key))).toEqual(added);
  });

  test('is not the contact itself', async () => {
    const added = await make();
    expect(fieldsOf(await add({ Id: added.Id, ManagedByContactId: added.Id, ReferredByHash: added.Hash }))).toEqual([
      'ManagedByContactId',
      'ReferredByHash',
    ]);
  });
});
