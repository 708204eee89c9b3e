import { beforeAll, describe, expect, test } from 'vitest';
import { branches, contactIn, eventsOf, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import { entryOf, guardKey, guardRanges } from '../../../lib/store/contacts/contact-index.ts';
import { layout } from '../../../lib/store/keys.ts';
import { someContact } from '../../support/contacts.ts';
import { type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await testAccount();
});
const add = (body: object, of = account) => of.call('contacts/addupdate', body);
const located = async (id: number, of = account) =>
  contactIn(await of.call('contacts/locate', { IdSearch: id, ReturnPmtOnFile: true }));

describe('the contact of an input', () => {
  const ann = { Name: 'Ann Löwe', Email: 'ann.loewe@example.com', Phone: '(217) 555-0110', DigitalTrackingId: 'T-ann' };
  let id: number;
  let Hash: string;
  beforeAll(async () => {
    ({ Id: id, Hash } = contactIn(await add(ann)));
  });

  test.each<[string, () => object]>([
    ['its Id', () => ({ Id: id })],
    ['its Hash', () => ({ Hash })],
    ['its Id, in Matches', () => ({ FlashMessage: undefined, Matches: [{ Id: id, FlashMessage: 'seen' }] })],
    ['a search field', () => ({ NameSearch: 'lowe' })],
    ['several search fields', () => ({ PhoneSearch: '217 555 0110', DigitalTrackingIdSearch: 'T-ann' })],
    ['its e-mail, in any case', () => ({ Email: 'ANN.Loewe@Example.com' })],
    ['its phone, however written, with its name', () => ({ Phone: '+1 217.555.0110', Name: 'ANN LOWE' })],
  ])('%s', async (_, fields) => {
    const answer = contactIn(await add({ FlashMessage: 'seen', ...fields() }));
    expect([answer.Id, answer.FlashMessage]).toEqual([id, 'seen']);
  });

  test('a phone alone, or with another name, or another e-mail, is a new contact', async () => {
    for (const body of [
      { Phone: ann.Phone },
      { Phone: ann.Phone, Name: 'Bob Löwe' },
      { ...ann, Email: 'other@example.com' },
    ])
      expect(contactIn(await add(body)).Id).not.toBe(id);
  });

  test('by Hash: 32 hexadecimal digits in any case, and 22 characters of a contact of before as they are', async () => {
    const update = (Value: string) => add({ Hash: Value, FlashMessage: 'seen' });
    expect(Hash).toMatch(/^[0-9a-f]{32}$/);
    expect(contactIn(await update(Hash.toUpperCase()))).toMatchObject({ Id: id, Hash });
    const referred = contactIn(
      await add({ Name: 'Rea', Email: 'rea@example.com', ReferredByHash: Hash.toUpperCase() }),
    );
    expect(referred.ReferredByHash).toBe(Hash);

    const old = 'aB3dE5gH7jK9mN1pQ3sT5v';
    const at = { account: account.accountId, id: referred.Id };
    await testTable().update({ update: layout.contact.key(at), set: { Hash: old }, add: { V: 1 } });
    await testTable().commit([{ put: { ...layout.contactHash.key({ ...at, hash: old }), Id: referred.Id } }]);
    expect(contactIn(await update(old))).toMatchObject({ Id: referred.Id, Hash: old });
    expect((await update(old.toLowerCase())).status).toBe(404);
  });

  test('with an unknown Id or Hash is 404', async () => {
    expect([
      (await add({ Id: 2_000_000_000, Name: 'x' })).status,
      (await add({ Hash: 'nobody', Name: 'x' })).status,
    ]).toEqual([404, 404]);
    const second = await add({ Matches: [{ Name: 'New', Email: 'new@example.com' }, { Id: 2_000_000_000 }] });
    expect([second.status, fieldsOf(second)]).toEqual([404, ['Matches[1].Id']]);
    expect(matchesOf(await account.call('contacts/locate', { EmailSearch: 'new@example.com' }))).toEqual([]);
  });

  test('with the Hash or organization of another contact is 400', async () => {
    expect(fieldsOf(await add({ Id: id, Hash: 'other', OrganizationId: 99 }))).toEqual(['Hash', 'OrganizationId']);
  });

  test('if several match is 409, with all of them complete, and nothing changes', async () => {
    const twins = matchesOf(
      await add({
        Matches: [
          { Name: 'Twin One', Email: 'one@twins.example', Tags: ['twin'] },
          { Name: 'Twin Two', Email: 'two@twins.example', Notes: [{ Body: 'note' }] },
        ],
      }),
    );
    const answer = await add({ NameSearch: 'twin', FlashMessage: 'both?' });
    expect([answer.status, answer.body['ResultCode'], matchesOf(answer).sort((a, b) => a.Id - b.Id)]).toEqual([
      409,
      409,
      twins.sort((a, b) => a.Id - b.Id),
    ]);
  });

  test('if more match than Matches lists, the message says so', async () => {
    await add({
      Matches: Array.from({ length: 25 }, (_, index) => ({ Name: 'Clone', Email: `clone${index}@example.com` })),
    });
    await add({
      Matches: Array.from({ length: 5 }, (_, index) => ({ Name: 'Clone', Email: `clone${25 + index}@example.com` })),
    });
    const answer = await add({ NameSearch: 'clone', FlashMessage: 'x' });
    expect([answer.status, matchesOf(answer).length, answer.body['Message']]).toEqual([
      409,
      25,
      expect.stringContaining('25 or more contacts'),
    ]);
  });

  test('search fields without a match add a contact, if something identifies it', async () => {
    expect(contactIn(await add({ EmailSearch: 'fresh@example.com', Email: 'fresh@example.com' })).Email).toBe(
      'fresh@example.com',
    );
    const nothing = await add({ NameSearch: 'nobody at all', FlashMessage: 'x' });
    expect([nothing.status, fieldsOf(nothing)]).toEqual([400, ['Email']]);
    expect((await add({ NameSearch: 'x', Matches: [{ Name: 'a' }, { Name: 'b' }] })).status).toBe(400);
  });
});

describe('search fields that find nobody', () => {
  const eve = { Name: 'Eve Moss', Email: 'eve.moss@example.com' };
  const joe = { Name: 'Joe Reed', Phone: '(217) 555-0131' };
  const nobody = { DigitalTrackingIdSearch: 'T-nobody' };
  let ids: { eve: number; joe: number };
  beforeAll(async () => {
    const [first, second] = matchesOf(await add({ Matches: [eve, joe] }));
    ids = { eve: first?.Id ?? 0, joe: second?.Id ?? 0 };
  });
  const count = async (criteria: object) => matchesOf(await account.call('contacts/locate', criteria)).length;

  test.each<[string, object, () => number]>([
    ['its e-mail', { Email: 'EVE.moss@example.com', Nickname: 'E' }, () => ids.eve],
    ['its e-mail, in Matches', { Matches: [{ Email: eve.Email, Company: 'Moss' }] }, () => ids.eve],
    ['its phone with its name', { Phone: '217.555.0131', Name: 'JOE REED', Nickname: 'J' }, () => ids.joe],
  ])('update the contact that exists by %s', async (_, input, id) => {
    expect(contactIn(await add({ ...nobody, ...input })).Id).toBe(id());
    expect([await count({ EmailSearch: eve.Email }), await count({ PhoneSearch: joe.Phone })]).toEqual([1, 1]);
  });

  test('add a contact if neither its e-mail nor its phone with its name exists', async () => {
    const other = contactIn(await add({ ...nobody, Name: 'Jane Reed', Phone: joe.Phone }));
    expect(other.Id).not.toBe(ids.joe);
    const { Id } = contactIn(await add({ ...nobody, ...eve, Email: 'eve2@example.com' }));
    expect(Id).not.toBe(ids.eve);
  });

  test('are 409 if several contacts have the e-mail, with all of them in Matches', async () => {
    const shared = 'shared@example.com';
    const twins = matchesOf(await add({ Matches: [{ Email: 'a1@example.com' }, { Email: 'a2@example.com' }] }));
    for (const { Id } of twins) await add({ Id, Email: shared });
    const answer = await add({ ...nobody, Email: shared, Nickname: 'Which?' });
    expect([
      answer.status,
      matchesOf(answer)
        .map(({ Id }) => Id)
        .sort(),
    ]).toEqual([409, twins.map(({ Id }) => Id).sort()]);
  });

  test('look for the e-mail in the organization of the contact only', async () => {
    const company = await branches();
    const input = { ...nobody, Name: 'Ina', Email: 'ina@example.com' };
    const two = contactIn(await add({ ...input, OrganizationId: 2 }, company));
    const three = contactIn(await add({ ...input, OrganizationId: 3 }, company));
    expect(two.Id).not.toBe(three.Id);
    expect(contactIn(await add({ ...input, OrganizationId: 3, Nickname: 'I' }, company)).Id).toBe(three.Id);
    expect((await add({ ...input, DistributeLead: true }, company)).status).toBe(409);
  });

  test('sent by 10 concurrent calls with one new e-mail add one contact', async () => {
    const input = { ...nobody, Name: 'Once', Email: 'once.only@example.com' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(input)));
    expect(new Set(answers.map((answer) => contactIn(answer).Id)).size).toBe(1);
  });
});

describe('contacts of one call', () => {
  test('are all added, up to 25, or none', async () => {
    const crowd = Array.from({ length: 25 }, (_, index) => ({
      Name: `All ${index}`,
      Email: `all${index}@example.com`,
      Phone: `(217) 555-${1000 + index}`,
      Zip: '62701',
      Tags: ['all or none'],
    }));
    const bad = await add({
      Matches: crowd.map((contact, index) => (index === 24 ? { ...contact, Email: 'bad', Phone: '1' } : contact)),
    });
    expect([bad.status, fieldsOf(bad)]).toEqual([400, ['Matches[24].Email', 'Matches[24].Phone']]);
    expect(matchesOf(await account.call('contacts/locate', { NameSearch: 'all' }))).toEqual([]);
    expect(matchesOf(await add({ Matches: crowd })).map(({ Email }) => Email)).toEqual(crowd.map(({ Email }) => Email));
    expect(matchesOf(await account.call('contacts/locate', { TagSearch: ['all or none'] }))).toHaveLength(25);
    expect(fieldsOf(await add({ Matches: [...crowd, { Name: 'One more' }] }))).toEqual(['Matches']);
    expect(fieldsOf(await add({ Name: 'On top', Matches: crowd }))).toEqual(['Matches']);
  });

  test("may share a household's phone, but must not be the same contact", async () => {
    const homePhone = '(217) 555-0120';
    const family = matchesOf(await add({ Matches: ['Ann', 'Bob', 'Cid'].map((Name) => ({ Name, Phone: homePhone })) }));
    expect(
      matchesOf(await account.call('contacts/locate', { PhoneSearch: homePhone }))
        .map(({ Id }) => Id)
        .sort(),
    ).toEqual(family.map(({ Id }) => Id).sort());
    expect(contactIn(await add({ Name: 'bob', Phone: homePhone, Nickname: 'Bobby' })).Id).toBe(family[1]?.Id);
    expect(
      fieldsOf(
        await add({
          Matches: [
            { Name: 'Dan', Phone: '217 555 0121' },
            { Name: 'DAN', Phone: '2175550121' },
          ],
        }),
      ),
    ).toEqual(['Matches[1].Phone']);
    expect(fieldsOf(await add({ Email: 'same@example.com', Matches: [{ Email: 'SAME@example.com' }] }))).toEqual([
      'Matches[0].Email',
    ]);
    expect(fieldsOf(await add({ Matches: [{ Id: family[0]?.Id }, { Name: 'Ann', Phone: homePhone }] }))).toEqual([
      'Matches[1].Id',
    ]);
  });

  test('fields at the top level are one more contact, unless all are blanks of typed clients', async () => {
    const blank = {
      Id: 0,
      Name: '',
      Email: null,
      Phone: '',
      IsCustomer: false,
      Notes: [],
      Tags: [],
      NamedTaxRate: null,
      DistributeLead: false,
      ResultCode: '',
      Message: null,
    };
    expect(matchesOf(await add({ ...blank, Matches: [{ Name: 'Only', Email: 'only@example.com' }] }))).toMatchObject([
      { Name: 'Only' },
    ]);
    expect(
      matchesOf(
        await add({
          Name: 'Top',
          Email: 'top@example.com',
          Matches: [{ Name: 'Listed', Email: 'listed@example.com' }],
        }),
      ).map(({ Name }) => Name),
    ).toEqual(['Top', 'Listed']);
    expect(fieldsOf(await add({}))).toEqual(['Matches']);
    expect(fieldsOf(await add({ Matches: [] }))).toEqual(['Matches']);
    expect(fieldsOf(await add(blank))).toEqual(['Email']);
  });
});

test("a phone that is the second one of over a hundred contacts can still become somebody's first", async () => {
  const own = await testAccount();
  const AltPhone = '(217) 555-0100';
  await add({ Name: 'Manager', Phone: AltPhone }, own);
  for (let call = 0; call < 5; call++)
    await add(
      { Matches: Array.from({ length: 25 }, (_, index) => ({ Name: `Tenant ${call} ${index}`, AltPhone })) },
      own,
    );
  expect((await add({ Name: 'Assistant', Phone: AltPhone }, own)).status).toBe(200);
  expect(contactIn(await add({ Name: 'manager', Phone: AltPhone, Nickname: 'Boss' }, own)).Nickname).toBe('Boss');
  expect(matchesOf(await own.call('contacts/locate', { PhoneSearch: AltPhone, Limit: 500 }))).toHaveLength(127);
});

describe('the organization of a new contact', () => {
  let company: TestAccount;
  beforeAll(async () => {
    company = await branches();
  });
  const lead = (number: number, more: object = {}) => ({
    Name: `Lead ${number}`,
    Email: `lead${number}@example.com`,
    ...more,
  });

  test('is required in an account with several organizations, and must exist', async () => {
    const silent = await add({ ...lead(1), Phone: '1' }, company);
    expect([silent.status, fieldsOf(silent)]).toEqual([400, ['OrganizationId', 'Phone']]);
    expect(fieldsOf(await add({ ...lead(1), OrganizationId: 99, Email: 'bad' }, company))).toEqual([
      'OrganizationId',
      'Email',
    ]);
    expect(contactIn(await add({ ...lead(1), OrganizationId: 2 }, company))).toMatchObject({
      OrganizationId: 2,
      LocationID: 'L2',
    });
  });

  test.each([
    ['62701-1234', 2, 'owns postal code'],
    ['62702', 2, 'owns postal code'],
    ['99999', 1, 'No organization owns'],
    [undefined, 1, 'without postal code'],
  ])('DistributeLead goes by the owner of postal code %s: organization %i', async (Zip, OrganizationId, reason) => {
    const answer = await add(
      {
        Matches: [lead(OrganizationId * 10_000 + Number((Zip ?? '0').slice(0, 5)), Zip ? { Zip } : {})],
        DistributeLead: true,
      },
      company,
    );
    expect(contactIn(answer)).toMatchObject({ OrganizationId, LocationID: OrganizationId === 2 ? 'L2' : '' });
    expect(answer.body['Message']).toContain(reason);
  });

  test('sets and removes class and territory by postal code', async () => {
    const added = contactIn(await add({ ...lead(2), Zip: '62701', DistributeLead: true }, company));
    expect(added).toMatchObject({
      TerritoryID: 'N1',
      AccountingClass: { Id: 1, AccountingClass: 'North', TerritoryID: 'N1', PostalCodes: ['62701'] },
    });
    expect(contactIn(await add({ Id: added.Id, Name: 'Lead Two' }, company))).toMatchObject({
      TerritoryID: 'N1',
      AccountingClass: { Id: 1 },
    });
    expect(contactIn(await add({ Id: added.Id, Zip: '62702' }, company))).toMatchObject({
      TerritoryID: '',
      AccountingClass: null,
    });
  });

  test('stays with DistributeLead for an existing contact and for a key of an organization', async () => {
    const added = contactIn(await add({ ...lead(3), OrganizationId: 3 }, company));
    expect(contactIn(await add({ ...lead(3), Zip: '62701', DistributeLead: true }, company))).toMatchObject({
      Id: added.Id,
      OrganizationId: 3,
    });
    const key = await company.newKey({ organizationId: 3 });
    expect(
      contactIn(await company.call('contacts/addupdate', { ...lead(4), Zip: '99999', DistributeLead: true }, { key }))
        .OrganizationId,
    ).toBe(3);
    const foreign = await company.call('contacts/addupdate', { Matches: [{ ...lead(5), OrganizationId: 2 }] }, { key });
    expect([foreign.status, fieldsOf(foreign)]).toEqual([403, ['Matches[0].OrganizationId']]);
  });

  test('limits the search: the same person in another organization is another contact', async () => {
    const [two, three] = [
      contactIn(await add({ ...lead(6), OrganizationId: 2 }, company)),
      contactIn(await add({ ...lead(6), OrganizationId: 3 }, company)),
    ];
    expect(two.Id).not.toBe(three.Id);
    expect(contactIn(await add({ ...lead(6), OrganizationId: 3, Nickname: 'x' }, company)).Id).toBe(three.Id);
    const bound = await company.newKey({ organizationId: 2 });
    expect(
      contactIn(
        await company.call(
          'contacts/addupdate',
          { NameSearch: 'lead 6', EmailSearch: 'lead6@example.com', Nickname: 'y' },
          { key: bound },
        ),
      ).Id,
    ).toBe(two.Id);
    expect((await add(lead(6), company)).status).toBe(409);
  });

  describe('that many contacts share a phone', () => {
    const Phone = '+1 217 555 0000';
    /** Entries as so many contacts have them. */
    const crowd = (number: number, OrganizationId: number, nameOf: (index: number) => string): Promise<void> =>
      testTable().putMany(
        Array.from({ length: number }, (_, index) => {
          const contact = someContact(10_000 * OrganizationId + index, {
            OrganizationId,
            Name: nameOf(index),
            Email: '',
            PhoneKey: '+12175550000',
          });
          const [range] = guardRanges({ account: company.accountId }, contact);
          if (!range) throw new Error('no phone');
          return entryOf(guardKey(range, OrganizationId, 1_000 + index), contact);
        }),
      );

    test('in other organizations, or in its own with other names, hides no contact', async () => {
      const person = { Name: 'Pat Placeholder', Phone, OrganizationId: 2 };
      const { Id } = contactIn(await add(person, company));
      await crowd(125, 3, () => person.Name);
      await crowd(125, 2, (index) => `Other ${index}`);
      expect(contactIn(await add({ ...person, Nickname: 'Again' }, company))).toMatchObject({ Id, Nickname: 'Again' });
      const key = await company.newKey({ organizationId: 2 });
      const bound = await company.call('contacts/addupdate', { Name: 'pat placeholder', Phone }, { key });
      expect(contactIn(bound).Id).toBe(Id);
      // With more of them than are read, nobody can say which organization's contact is meant.
      await crowd(300, 3, (index) => `Another ${index}`);
      const unclear = await add({ Name: 'Pat Placeholder', Phone }, company);
      expect([unclear.status, unclear.body['Message']]).toEqual([409, expect.stringContaining('OrganizationId')]);
    });

    test('with one name is 409 where not all of them are read, and names the way out', async () => {
      const same = { Name: 'Nobody', OrganizationId: 2 };
      await crowd(125, 2, () => same.Name);
      const answer = await add({ ...same, Phone }, company);
      expect([answer.status, answer.body['Message']]).toEqual([409, expect.stringContaining('by its Id')]);
    });
  });

  test('a new name has its own place among those who share the phone', async () => {
    const Phone = '(217) 555-0001';
    const { Id } = contactIn(await add({ Name: 'Before', Phone, OrganizationId: 2 }, company));
    expect((await add({ Id, Name: 'After' }, company)).status).toBe(200);
    expect(contactIn(await add({ Name: 'after', Phone, OrganizationId: 2 }, company)).Id).toBe(Id);
    expect(contactIn(await add({ Name: 'before', Phone, OrganizationId: 2 }, company)).Id).not.toBe(Id);
  });

  test('or the country of the contact decides how phones are read', async () => {
    const british = contactIn(await add({ ...lead(7), OrganizationId: 3, Phone: '020 7946 0958' }, company));
    const abroad = contactIn(
      await add({ ...lead(8), OrganizationId: 1, Country: 'GB', Phone: '020 7946 0959' }, company),
    );
    const find = async (PhoneSearch: string) =>
      matchesOf(await company.call('contacts/locate', { PhoneSearch })).map(({ Id, Phone }) => [Id, Phone]);
    expect(await find('+44 20 7946 0958')).toEqual([[british.Id, '020 7946 0958']]);
    expect(await find('+442079460959')).toEqual([[abroad.Id, '020 7946 0959']]);
    expect((await add({ Name: 'Lead 7', Phone: '+44 20 7946 0958', OrganizationId: 3 }, company)).status).toBe(200);
    expect(matchesOf(await company.call('contacts/locate', { PhoneSearch: '+44 20 7946 0958' }))).toHaveLength(1);
  });
});

test('20 concurrent calls with one new e-mail add one contact, with one event', async () => {
  const own = await testAccount();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => add({ Name: 'Once', Email: 'once@example.com' }, own)),
  );
  expect(new Set(answers.map((answer) => contactIn(answer).Id)).size).toBe(1);
  expect((await eventsOf(own)).map(({ Kind }) => Kind)).toEqual(['contact.created']);
  expect(await located(contactIn(answers[0] as (typeof answers)[number]).Id, own)).toMatchObject({ Name: 'Once' });
});
