import { beforeAll, describe, expect, test } from 'vitest';
import { branches, contactIn, eventsOf, fieldsOf } from '../../support/stack/branches.ts';
import { layout } from '../../../lib/store/keys.ts';
import { type TestAccount, call, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
let id: number;
beforeAll(async () => {
  account = await testAccount();
  id = contactIn(
    await account.call('contacts/addupdate', { Name: 'Caller', Phone: '(217) 555-0143', AltPhone: '217 555 0144' }),
  ).Id;
});

/** Logs a call, and gives the answer, the event of the call, and that of its note, if it has a contact. */
async function log(Chars: unknown, { of = account, ...more }: { of?: TestAccount; Length?: number } = {}) {
  const before = (await eventsOf(of)).length;
  const answer = await of.call('contacts/logcall', { Chars, ...more });
  const events = (await eventsOf(of)).slice(before);
  const event = events.find(({ Kind }) => Kind === 'call.logged');
  const note = events.find(({ Kind }) => Kind === 'note.created');
  expect(events).toHaveLength(event?.ContactId ? 2 : 1);
  return { answer, event, note };
}

const notesOf = async (of: TestAccount, IdSearch: number) =>
  contactIn(await of.call('contacts/locate', { IdSearch })).Notes;

describe('a call record', () => {
  const record = {
    Direction: 'Inbound',
    DurationSeconds: 184,
    Note: 'Asked for "Saturday" 🙂',
    RecordingUrl: 'https://calls.example/1.mp3',
  };

  test.each<[string, () => object]>([
    ['its ContactId', () => ({ ContactId: id })],
    ['the phone, however written', () => ({ Phone: '217.555.0143' })],
    ['the second phone', () => ({ CallerNumber: '+1 217 555 0144' })],
    ['a phone written as a number', () => ({ Phone: 2_175_550_143 })],
  ])('is attached to the contact of %s', async (_, who) => {
    const text = JSON.stringify({ ...record, ...who() });
    const { answer, event } = await log(text);
    expect([answer.status, answer.body]).toEqual([
      200,
      { ResultCode: 0, Message: expect.stringMatching(new RegExp(`attached to contact ${id}\\.$`)) as string },
    ]);
    expect(event).toMatchObject({
      Kind: 'call.logged',
      ContactId: id,
      OrganizationId: 1,
      TransactionKind: null,
      Data: { ...record, Text: text, ContactId: id },
    });
  });

  test.each<[string, unknown]>([
    ['text', 'Somebody called about Saturday'],
    ['an unknown phone', '{"Phone":"217 555 9999"}'],
    ['an unknown contact', '{"ContactId":2000000000,"Note":"x"}'],
    ['half an object', '{"ContactId":1'],
    ['a list', '[1]'],
    ['spaces', '   '],
  ])('of %s is stored without a contact', async (_, text) => {
    const { answer, event } = await log(text);
    expect([answer.status, answer.body['Message']]).toEqual([200, expect.stringContaining('no contact was found')]);
    expect(event).toMatchObject({
      Kind: 'call.logged',
      ContactId: null,
      OrganizationId: 1,
      Data: { Text: text, ContactId: null },
    });
  });

  test('is read back as a note of its contact: title, time, duration, number, recording and text', async () => {
    const text = JSON.stringify({ ...record, ContactId: id, Phone: '(217) 555-0143', Agent: 'x' });
    const { event, note } = await log(text);
    const [read] = (await notesOf(account, id)).slice(-1);
    expect(read).toEqual({
      Id: event?.Data?.['NoteId'],
      Title: expect.stringMatching(
        /^Inbound call, \w{3}, \w{3} \d{1,2} \d{4} \d{1,2}:\d{2} [AP]M, 3 min 4 s$/,
      ) as string,
      Body: 'Number: (217) 555-0143\nRecording: https://calls.example/1.mp3\nAsked for "Saturday" 🙂',
    });
    expect(note?.Data).toEqual(read);
  });

  test('is stored without a note where its contact takes no more, and Message says it', async () => {
    const full = contactIn(await account.call('contacts/addupdate', { Name: 'Full' })).Id;
    const key = layout.contact.key({ account: account.accountId, id: full });
    await testTable().update({ update: key, set: { NotePages: 80 }, add: { V: 1 } });
    const answer = await account.call('contacts/logcall', { Chars: JSON.stringify({ ContactId: full, Note: 'x' }) });
    expect([answer.status, answer.body['Message']]).toEqual([200, expect.stringContaining('takes no more notes')]);
  });

  test('of 10 concurrent calls of one contact loses none', async () => {
    const { Id } = contactIn(await account.call('contacts/addupdate', { Name: 'Busy' }));
    const calls = Array.from({ length: 10 }, (_, index) => JSON.stringify({ ContactId: Id, Note: `call ${index}` }));
    await Promise.all(calls.map((Chars) => account.call('contacts/logcall', { Chars })));
    expect(new Set((await notesOf(account, Id)).map(({ Body }) => Body)).size).toBe(10);
  });

  test('of a phone that two contacts have is stored without a contact', async () => {
    await account.call('contacts/addupdate', { Matches: ['A', 'B'].map((Name) => ({ Name, Phone: '217 555 0150' })) });
    expect((await log('{"Phone":"2175550150"}')).event?.ContactId).toBeNull();
  });

  test('may come as an array of characters, with its length', async () => {
    const text = JSON.stringify({ ContactId: id, Note: 'Zoë 🙂' });
    const characters = await log([...text], { Length: text.length });
    expect(characters.event?.Data).toMatchObject({ Text: text, Note: 'Zoë 🙂' });
    expect((await log(text.split(''), { Length: 0 })).event?.Data).toMatchObject({ Text: text });
    expect((await log(text, { Length: text.length })).answer.status).toBe(200);
  });

  test('loses script addresses and invalid characters', async () => {
    const { event } = await log('{"RecordingUrl":"javascript:alert(1)","Note":"a\\ud800\\u0000b","Direction":"<b>"}');
    expect(event?.Data).toMatchObject({ RecordingUrl: '', Note: 'a\uFFFDb', Direction: '<b>' });
  });

  test('may be 100,000 characters long, of any script', async () => {
    const part = '語'.repeat(30_000);
    const text = JSON.stringify({ Note: part, Direction: part, Phone: part }).padEnd(100_000, ' ');
    expect((await account.call('contacts/logcall', { Chars: text })).status).toBe(200);
    expect((await account.call('contacts/logcall', { Chars: [...'x'.repeat(100_000)] })).status).toBe(200);
  });

  test.each<[string[], object]>([
    [['Length'], { Chars: 'abc', Length: 1_441 }],
    [['Length'], { Chars: '{"DurationSeconds":184}', Length: 5 }],
    [['Length'], { Chars: 'abc', Length: -1 }],
    [['Chars'], {}],
    [['Chars'], { Chars: '' }],
    [['Chars'], { Chars: 5 }],
    [['Chars'], { Chars: ['abc'] }],
    [['Chars'], { Chars: [1] }],
    [['Chars'], { Chars: 'x'.repeat(100_001) }],
    [['Chars'], { Chars: 'a\0b' }],
    [['Chars'], { Chars: ['\ud800', 'x'] }],
    [['ContactId'], { Chars: 'x', ContactId: 1 }],
  ])('at fault in %j is 400', async (fields, body) => {
    const answer = await account.call('contacts/logcall', body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  });
});

test('the key may come in the body, as in every operation', async () => {
  const sent = { ApiKey: account.key, Length: 1, Chars: ['x'], ResultCode: '', Message: '' };
  expect((await call('contacts/logcall', sent)).status).toBe(200);
});

describe('a Length that is no length of Chars', () => {
  const Note = 'Wants a quote';

  test('is the minutes of the call, and the title of the note says so', async () => {
    const { answer, event, note } = await log(JSON.stringify({ ContactId: id, Note }), { Length: 12 });
    expect(answer.status).toBe(200);
    expect(event?.Data).toMatchObject({ DurationSeconds: 720 });
    expect(note?.Data?.['Title']).toMatch(/, 12 min$/);
  });

  test('leaves the seconds of the record, with which it agrees', async () => {
    const { event } = await log(JSON.stringify({ DurationSeconds: 184 }), { Length: 3 });
    expect(event?.Data).toMatchObject({ DurationSeconds: 184 });
  });

  test.each<[string, object]>([
    ['characters', { Chars: 'Zoë 🙂', Length: 5 }],
    ['bytes', { Chars: 'Zoë 🙂', Length: 9 }],
  ])('is not the minutes if it counts %s', async (_, body) => {
    const { event } = await log(undefined, body);
    expect(event?.Data).toMatchObject({ DurationSeconds: null });
  });
});

test('a key of one organization attaches to its contacts only, and its calls are its own', async () => {
  const company = await branches();
  const there = contactIn(
    await company.call('contacts/addupdate', { Name: 'There', Phone: '217 555 0160', OrganizationId: 2 }),
  );
  const key = await company.newKey({ organizationId: 3, role: 'ServiceAgent' });
  for (const record of [{ ContactId: there.Id }, { Phone: '+1 217 555 0160' }])
    expect(
      (await company.call('contacts/logcall', { Chars: JSON.stringify(record) }, { key })).body['Message'],
    ).toContain('no contact');
  const own = contactIn(
    await company.call('contacts/addupdate', { Name: 'Own', Phone: '020 7946 0958', OrganizationId: 3 }),
  );
  expect(
    (await company.call('contacts/logcall', { Chars: '{"Phone":"020 7946 0958"}' }, { key })).body['Message'],
  ).toContain(`contact ${own.Id}.`);
  const calls = (await eventsOf(company)).filter(({ Kind }) => Kind === 'call.logged');
  expect(calls.map(({ OrganizationId, ContactId }) => [OrganizationId, ContactId])).toEqual([
    [3, null],
    [3, null],
    [3, own.Id],
  ]);
});

test("a call logged with an account's key belongs to the organization of its contact", async () => {
  const company = await branches();
  const there = contactIn(await company.call('contacts/addupdate', { Name: 'There', OrganizationId: 2 }));
  expect((await log(JSON.stringify({ ContactId: there.Id }), { of: company })).event).toMatchObject({
    OrganizationId: 2,
    ContactId: there.Id,
  });
});
