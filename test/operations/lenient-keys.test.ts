import { beforeAll, describe, expect, test } from 'vitest';
import { listCallCounts } from '../../lib/store/requests/audit.ts';
import { parseKey } from '../../lib/store/requests/api-keys.ts';
import { expectFailure } from '../support/failed.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { putSettings } from '../support/settings.ts';
import { testTable } from '../support/stack/stack.ts';

let company: Bookable;
/** A lenient key of the role Owner. */
let key: string;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
    customFields: [{ Name: 'Gate code', Type: 0, TableType: 0 }],
  });
  await putSettings(company.accountId, 'Channel', [{ Name: 'Google Ads', Campaigns: [{ Name: 'Spring sale' }] }]);
  key = await company.newKey({ role: 'Owner', lenient: true });
});

const call = async (operation: string, body: object) => {
  const answer = await company.call(operation, body, { key });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"ResultCode":0')]);
  return answer.body;
};
const add = async (contact: object) => {
  const body = await call('contacts/addupdate', contact);
  return { contact: (body['Matches'] as Record<string, unknown>[])[0] ?? {}, message: body['Message'] };
};

describe('unknown fields of a lenient key', () => {
  test('are ignored, and Message names each with the suggestion that strict keys get', async () => {
    const lead = { Name: 'Bo Diaz', Email: 'bo@example.com', 'DoNotText ': 'true', CustomField: [] };
    const { contact, message } = await add(lead);
    expect(contact).toMatchObject({ Name: 'Bo Diaz', DoNotText: false });
    expect(message).toBe(
      '"DoNotText " is not a field and is ignored; did you mean DoNotText? ' +
        'CustomField is not a field and is ignored; did you mean CustomFields?',
    );
    expectFailure(await company.call('contacts/addupdate', lead), 400);
  });

  test('within objects and lists, each once', async () => {
    const { message } = await add({
      Matches: [
        {
          Name: 'Cy Roe',
          Email: 'cy@example.com',
          Notes: [
            { Body: 'a', Author: 'x' },
            { Body: 'b', Author: 'y' },
          ],
        },
        { Name: 'Di Poe', Email: 'di@example.com', Notes: [{ Text: 'c', Body: 'c', Author: 'z' }] },
      ],
    });
    const named = String(message).match(/\S+ is not a field and is ignored/g);
    expect(named).toEqual([
      'Matches[].Notes[].Author is not a field and is ignored',
      'Matches[].Notes[].Text is not a field and is ignored',
    ]);
  });

  test('also filters that an operation lacks', async () => {
    const body = await call('appointments/query', { IncludeCompleted: true, Take: 50, FromDate: '2035-01-01' });
    expect(body).toMatchObject({
      Appointments: [],
      Message: expect.stringMatching(/^IncludeCompleted is not a field and is ignored/) as string,
    });
  });

  test('hundreds are not all named', async () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index]));
    const { Message } = await call('test/echo', fields);
    expect(String(Message)).toMatch(/^(f\d is not a field and is ignored\. ){10}90 more fields are ignored\.$/);
  });

  test('what is wrong otherwise stays 400', async () => {
    const wrong = await company.call('task/create', { ContactId: 'Kevin', Description: 'Call', Foo: 1 }, { key });
    expectFailure(wrong, 400);
    expect(wrong.body['Errors']).toMatchObject([{ Field: 'ContactId' }]);
  });

  test('are no part of the request of an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'lenient-1' };
    const task = { ContactId: company.contact, Description: 'Call back' };
    const first = await company.call('task/create', { ...task, Foo: 1 }, { key, headers });
    const again = await company.call('task/create', task, { key, headers });
    expect([first.status, again.text]).toEqual([200, first.text]);
  });

  test('are counted by key, operation and name', async () => {
    const own = await company.newKey({ lenient: true });
    await company.call('task/query', { Limit: 3, Contact: { Name: 1 } }, { key: own });
    const publicPart = parseKey(own)?.publicPart ?? '';
    const span = { from: Date.now() - 86_400_000, through: Date.now() + 86_400_000 };
    const [day] = await listCallCounts(testTable(), [publicPart], span);
    expect(day?.counts).toEqual({ 'task/query :Limit': 1, 'task/query :Contact': 1 });
  });
});

describe('an empty text of a lenient key', () => {
  test('changes nothing of a contact, whatever finds it; null clears', async () => {
    const full = {
      Name: 'Ed Low',
      Email: 'ed@example.com',
      Address1: '12 Main Street',
      Zip: '23220',
      Company: 'Low Ltd',
    };
    const { contact } = await add(full);
    const blank = { Address1: '', Zip: '', Company: '', Email: '', Phone: '(804) 555-0199' };
    for (const finder of [{ Id: contact['Id'] }, { Hash: contact['Hash'] }, { IdSearch: contact['Id'] }]) {
      const { contact: updated } = await add({ ...finder, ...blank });
      expect(updated).toMatchObject({ ...full, Phone: '(804) 555-0199' });
    }
    const found = await add({ ...blank, Name: '', Email: 'ed@example.com' });
    expect(found.contact).toMatchObject(full);
    const cleared = await add({ Id: contact['Id'], Company: null, Zip: '' });
    expect(cleared.contact).toMatchObject({ ...full, Company: '' });
    // A strict key clears with both.
    const strict = await company.call('contacts/addupdate', { Id: contact['Id'], Address1: '' });
    expect(strict.body).toMatchObject({ Matches: [{ Address1: '' }] });
  });

  test('changes nothing in other updates either', async () => {
    const task = { ContactId: company.contact, Description: 'Call', Category: 'Office' };
    const { TaskId } = await call('task/create', task);
    expect(await call('task/update', { TaskId, Category: '', Description: '' })).toMatchObject({
      Task: { Description: 'Call', TaskCategory: 'Office' },
    });
    const Id = company.organizationId;
    await call('organizations/update', { OrganizationId: Id, Email: 'office@example.com' });
    await call('organizations/update', { OrganizationId: Id, Email: '', Name: '' });
    expect(await call('organizations/details', { OrganizationId: Id })).toMatchObject({ Email: 'office@example.com' });
  });
});

describe('a lead of a lenient key is stored without', () => {
  test('an unknown channel', async () => {
    const { contact, message } = await add({ Name: 'Fay Orr', Email: 'fay@example.com', Channel: 'Gogle Ads' });
    expect(contact).toMatchObject({ Name: 'Fay Orr', Channel: '', ChannelId: 0 });
    expect(message).toBe(
      `Contact ${String(contact['Id'])} is stored without its Channel "Gogle Ads", which must be the name of an existing ` +
        'channel. Did you mean "Google Ads"?',
    );
  });

  test('an unknown campaign, or with the channel of a known one', async () => {
    const unknown = await add({ Name: 'Gus Ash', Email: 'gus@example.com', Channel: 'google ads', Campaign: 'Fall' });
    expect(unknown.contact).toMatchObject({ Channel: 'Google Ads', Campaign: '' });
    expect(unknown.message).toContain('is stored without its Campaign "Fall", which');
    const known = await add({ Name: 'Hal Fox', Email: 'hal@example.com', Channel: 'Fax', Campaign: 'Spring sale' });
    expect(known.contact).toMatchObject({ Channel: 'Google Ads', Campaign: 'Spring sale' });
    const neither = await add({ Name: 'Ira Kay', Email: 'ira@example.com', ChannelId: 99, CampaignId: 98 });
    expect(neither.contact).toMatchObject({ Channel: '', Campaign: '' });
    expect(neither.message).toMatch(/its ChannelId 99, .*its CampaignId 98, /);
  });

  test('an unknown custom field, also where it books', async () => {
    const CustomFields = [
      { Name: 'Gate cod', Value: '4711' },
      { Name: 'Gate code', Value: '4712' },
    ];
    const { contact, message } = await add({ Name: 'Joe Orr', Email: 'joe@example.com', CustomFields });
    expect(contact).toMatchObject({ CustomFields: [{ Name: 'Gate code', Value: '4712' }] });
    expect(message).toBe(
      `Contact ${String(contact['Id'])}: There is no custom field "Gate cod", and its value "4711" is not stored. ` +
        'Did you mean "Gate code"?',
    );
    const ScheduledStart = '2035-03-05T09:00';
    const lead = { ContactId: company.contact, Service: 'Lawn care', ScheduledStart, CustomFields, Channel: 'Nope' };
    const { Message } = await call('appointments/quickbook', lead);
    expect(Message).toMatch(
      /is stored without its Channel.*There is no custom field "Gate cod"|There is no custom.*its Channel/,
    );
  });

  test.each([
    ['Phone', '804-555-0151 / 804-555-0152', '804-555-0151'],
    ['Phone', 'n/a', ''],
    ['AltPhone', '-', ''],
    ['Phone', '(804) 555-0151 (cell) / (804) 555-0152 (work, after 5 pm)', '(804) 555-0151'],
    ['Email', 'lee1@example.com, lee2@example.com', 'lee1@example.com'],
    ['Email', 'Mary Lee <mary@example.com>', 'mary@example.com'],
    ['Email', 'none', ''],
    ['Zip', 'Richmond, Virginia 23220-1234', '23220-1234'],
  ])(
    'what cannot be read of its %s %j, which is %j; Message names it, and a note keeps it',
    async (field, sent, read) => {
      const { contact, message } = await add({ Name: 'Lea Orr', Company: sent, [field]: sent });
      expect(contact[field]).toBe(read);
      expect(message).toContain(JSON.stringify(sent));
      const note = expect.objectContaining({ Title: 'As sent', Body: `${field}: ${sent}` }) as object;
      expect(contact['Notes']).toContainEqual(note);
    },
  );

  test('nothing, where all of it can be read', async () => {
    for (const [index, sent] of ['@.com;', 'Ann Poe <@.com>', 'mailto:@.com', '@.com\u200b', ' <@.com>,'].entries()) {
      const email = `poe${index}@example.com`;
      const { contact, message } = await add({ Name: 'Ann Poe', Email: sent.replace('@.com', email) });
      expect([contact['Email'], message, contact['Notes']]).toEqual([email, '', []]);
    }
  });

  test('what it did not have, also where the contact exists: a phone that cannot be read clears none', async () => {
    const { contact } = await add({ Name: 'Lou Day', Email: 'lou@example.com', Phone: '804-555-0188' });
    const { contact: again } = await add({ Matches: [{ Id: contact['Id'], Phone: 'call me', Email: 'lou@' }] });
    expect(again).toMatchObject({ Phone: '804-555-0188', Email: 'lou@example.com' });
    expect(again['Notes']).toMatchObject([{ Body: 'Phone: call me\nEmail: lou@' }]);
  });

  test('what quickbook cannot read of it, which the notes of the visit keep', async () => {
    const lead = {
      Name: 'Quin Roe',
      Email: 'quin@example.com;',
      PriPhone: '804-555-0151 / 804-555-0152',
      Zip: '62701',
    };
    const booking = { Service: 'Lawn care', ScheduledStart: '2035-03-06T09:00', InternalNotes: 'From the site' };
    const { AppointmentId, ContactId, Message } = await call('appointments/quickbook', { ...lead, ...booking });
    expect(Message).toContain('Of PriPhone "804-555-0151 / 804-555-0152" only "804-555-0151" is stored');
    expect(await call('contacts/locate', { IdSearch: ContactId })).toMatchObject({
      Matches: [{ Phone: '804-555-0151', Email: 'quin@example.com' }],
    });
    expect(await call('appointments/find', { AppointmentId })).toMatchObject({
      Slots: [{ InternalNotes: 'From the site\nAs sent:\nPriPhone: 804-555-0151 / 804-555-0152' }],
    });
  });

  test('but a strict key gets 400', async () => {
    for (const wrong of [{ Channel: 'Nope' }, { CustomFields: [{ Name: 'Nope', Value: 'x' }] }])
      expectFailure(await company.call('contacts/addupdate', { Name: 'Kim Poe', ...wrong }), 400);
  });
});

test('an empty text describes no contact: it clears nothing where a strict key names no Id, Hash or IdSearch', async () => {
  const full = { Name: 'Flo Ray', Email: 'flo@example.com', Address1: '9 Oak St', Zip: '23220', Company: 'Ray Ltd' };
  const strict = async (contact: object) =>
    ((await company.call('contacts/addupdate', contact)).body['Matches'] as Record<string, unknown>[])[0] ?? {};
  const { Id } = await strict({ ...full, CustomFields: [{ Name: 'Gate code', Value: '4711' }] });
  const blank = { Address1: '', Zip: '', Company: '', CustomFields: [{ Name: 'Gate code', Value: '' }] };
  for (const described of [
    { Name: 'Flo Ray', Email: full.Email },
    { EmailSearch: full.Email, Email: '' },
  ])
    expect(await strict({ ...described, ...blank, Phone: '(804) 555-0177' })).toMatchObject({
      ...full,
      Id,
      Phone: '(804) 555-0177',
      CustomFields: [{ Value: '4711' }],
    });
  expect(await strict({ Name: 'Flo Ray', Email: full.Email, Company: null })).toMatchObject({ ...full, Company: '' });
  expect(await strict({ IdSearch: Id, Address1: '' })).toMatchObject({ Id, Address1: '' });
});

test.each(['{"NameSearch": "a,]", "Matches": [],}', '{"NameSearch": "b\\",}", "Matches": [{"Id": 1,}, ] , }'])(
  'a comma behind the last field or element is read of a lenient key alone: %s',
  async (body) => {
    const lenient = await company.call('contacts/locate', body, { key });
    expect([lenient.status, lenient.text]).toEqual([200, expect.stringContaining('"ResultCode":0')]);
    expectFailure(await company.call('contacts/locate', body), 400);
  },
);

test('a user of another system, who is unknown here, is ignored in the start of a download', async () => {
  const request = { Kind: 'contacts', UserId: 77_123 };
  const { Message, DownloadId } = await call('download/startdownload', request);
  expect([Message, DownloadId]).toEqual(['There is no user 77123: UserId is ignored.', expect.any(String)]);
  expectFailure(await company.call('download/startdownload', request), 404);
});

test('what a form has escaped is undone for a lenient key, and stays for a strict one', async () => {
  const names = ['O&#39;Neil', "O\\'Neil", 'O&#039;Neil', 'O&amp;#39;Neil', 'O&apos;Neil'];
  for (const [index, Name] of names.entries()) {
    const { contact } = await add({ Name, Email: `neil${index}@example.com`, Tags: ['A &amp; B'] });
    expect(contact).toMatchObject({ Name: "O'Neil", Tags: ['A & B'] });
  }
  const texts = { Name: 'Jos&eacute; Ru&iacute;z', Company: 'R&D, A&B; C:\\dir', Address1: '5 &quot;B&quot; St' };
  const { contact } = await add({ ...texts, Notes: [{ Body: 'Say \\"hi\\" &lt;b&gt;' }] });
  expect(contact).toMatchObject({
    Name: 'José Ruíz',
    Company: 'R&D, A&B; C:\\dir',
    Address1: '5 "B" St',
    Notes: [{ Body: 'Say "hi" <b>' }],
  });
  const strict = await company.call('contacts/addupdate', { Name: 'O&#39;Neil', Email: 'strict@example.com' });
  expect(strict.body).toMatchObject({ Matches: [{ Name: 'O&#39;Neil' }] });
});

test('phones and postal codes are read as numbers too, for every key', async () => {
  const sent = { Phone: 8045550143, AltPhone: 18045550144, Zip: 2134 };
  const read = { Phone: '8045550143', AltPhone: '18045550144', Zip: '02134' };
  for (const [index, by] of [{ key }, {}].entries()) {
    const lead = { Name: `Num ${index}`, Email: `num${index}@example.com`, ...sent };
    const { body } = await company.call('contacts/addupdate', lead, by);
    expect(body).toMatchObject({ Matches: [read] });
    const found = await company.call('contacts/locate', { PhoneSearch: 8045550144, EmailSearch: lead.Email }, by);
    expect(found.body).toMatchObject({ Matches: [{ Name: lead.Name }] });
    const booking = { Service: 'Lawn care', ScheduledStart: `2035-03-0${7 + index}T09:00`, PriPhone: 8045550145 };
    const booked = await company.call('appointments/quickbook', { Name: 'Num', Zip: 62701, ...booking }, by);
    expect(booked.status, booked.text).toBe(200);
  }
});
