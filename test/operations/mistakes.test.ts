import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { blogChanges, planBlogUpsert } from '../../lib/store/organizations/blogs.ts';
import { nearestName } from '../../lib/shared/text/suggestions.ts';
import { writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { putSettings } from '../support/settings.ts';
import { type CallOptions, call, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let company: Bookable;
/** A key of the first organization alone. */
let localKey: string;
/** The second organization. */
let otherId: number;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, MinimumSubtotal: 75, MinimumOptions: 1 },
      { Name: 'Mowing', BaseDuration: 60, PricingBands: [{ AtLeast: 0, Price: 1, Formula: 'lot_size * 2' }] },
    ],
    customFields: [{ Name: 'Lot size', Shortcode: 'lot_size', Type: 1, TableType: 0 }],
    taxRate: { Name: 'County', TaxRate: 8 },
  });
  const { accountId } = company;
  const [, , boulder] = await Promise.all([
    writeBook(accountId, { parts: [{ Name: 'Front bed, good', UnitPrice: 10 }] }),
    putSettings(accountId, 'Channel', [{ Name: 'Google Ads', Campaigns: [{ Name: 'Spring sale' }] }]),
    company.call('organizations/create', {
      Name: 'Boulder',
      LocationId: 'BLD-01',
      Services: [{ Name: 'Tree care', BasePrice: 5 }],
      ServiceAgents: [{ Name: 'Bo Diaz', Email: 'bo@example.com' }],
      Users: [{ Name: 'Uma', Email: 'uma@example.com', Role: 'Office' }],
    }),
  ]);
  if (boulder.status !== 200) throw new Error(boulder.text);
  otherId = boulder.body['OrganizationId'] as number;
  const article = { Title: 'Spring lawn care', Slug: 'spring-lawn-care-2026', OrganizationId: otherId };
  const plan = await planBlogUpsert(accountStore(testTable(), accountId), [article], { now: new Date(), zone: 'UTC' });
  if (plan.kind === 'invalid') throw new Error(plan.errors[0]?.message);
  for (const changes of await blogChanges(accountStore(testTable(), accountId), plan.entries))
    await testTable().commit(changes);
  localKey = await company.newKey({ organizationId: company.organizationId });
});

/** What is wrong, where it is sent, the body, and a part of the Message or of an error. */
type Mistake = [title: string, operation: string, body: unknown, answer: string, options?: CallOptions];

async function messagesOf(operation: string, body: unknown, options: CallOptions = {}) {
  const { status, body: answer } = await company.call(operation, body, options);
  const errors = (answer['Errors'] ?? []) as readonly { Field: string; Message: string }[];
  const messages = errors.map(({ Field, Message }) => `${Field} ${Message}`);
  return { status, text: [answer['Message'], ...messages].join('\n') };
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const bodies: readonly Mistake[] = [
  ['a form', 'test/echo', 'ContactId=1&Name=Ann', 'The body is form-encoded (name=value). Send a JSON object'],
  ['a multipart form', 'test/echo', '--x1\r\nContent-Disposition: form-data', 'The body is multipart/form-data.'],
  ['XML', 'test/echo', '<Contact/>', 'The body is XML or HTML. Send a JSON object'],
  ['gzip', 'test/echo', gzipSync('{}'), 'The body is compressed with gzip. Send it uncompressed'],
  ['UTF-16', 'test/echo', utf16('{"Name": "Ann"}'), 'The body is UTF-16 or binary. Send JSON in UTF-8.'],
  [
    'bytes that are not UTF-8',
    'test/echo',
    latin1('{"Name": "Ren\xe9e"}'),
    'bytes that are not UTF-8. Send it in UTF-8.',
  ],
  ['nothing', 'test/echo', '', 'The body is empty; send a JSON object.'],
  ['an array', 'test/echo', '[{}]', 'must be a JSON object and not an array. Make one call for each of its elements.'],
  ['JSON in a text', 'test/echo', '"{}"', 'not text that contains JSON: it is encoded twice.'],
  ['a trailing comma', 'test/echo', '{"Name": "Ann",}', 'Remove the comma before the }.'],
  ['a comment', 'test/echo', '{"Name": "Ann" // who\n}', 'JSON has no comments; remove them.'],
  ['single quotes', 'test/echo', "{'Name': 'Ann'}", 'at position 1. Use double quotes and not single ones.'],
  ['names without quotes', 'test/echo', '{Name: "Ann"}', 'Write the names of fields in double quotes.'],
  ['a word of Python', 'test/echo', '{"Name": None}', 'at position 9. Write null, true, false, a number'],
  ['a missing comma', 'test/echo', '{"Name": "Ann" "Zip": "1"}', 'A comma or colon is missing before it.'],
  ['a body cut short', 'test/echo', '{"Name": {"a": 1}', 'a brace or bracket is not closed.'],
  [
    'a line break in a text',
    'test/echo',
    '{"Name": "Ann\nLee"}',
    'Write line breaks and tabs in a text as \\n and \\t.',
  ],
];

const fields: readonly Mistake[] = [
  ['first and last name', 'contacts/addupdate', { FirstName: 'Ann' }, 'FirstName is not a field; did you mean Name?'],
  ['lines', 'proposal/create', { ContactId: 1, Lines: [] }, 'Lines is not a field; did you mean ProposalLines?'],
  ['other separators', 'task/create', { contact_id: 1 }, 'contact_id is not a field; did you mean ContactId?'],
  ['a word of other APIs', 'contacts/locate', { Query: 'Ann' }, 'Query is not a field; did you mean NameSearch?'],
  ['a field one level up', 'appointments/book', { DateTime: '2027-03-08' }, 'did you mean Slots[0].DateTime?'],
  [
    'the field of another operation',
    'contacts/locate',
    { Email: 'a@b.org' },
    'Email is not a field; did you mean EmailSearch?',
  ],
  ['the end of a download', 'invoice/query', { DateThrough: '2027-03-08' }, 'did you mean ThroughDate?'],
  ['the id of a proposal', 'proposal/details', { ProposalId: 1 }, 'ProposalId is not a field; did you mean Id?'],
  ['the own id of an update', 'proposal/update', { ProposalId: 1 }, 'ProposalId is not a field; did you mean Id?'],
  ['the id of a contact', 'contacts/locate', { ContactId: 1 }, 'ContactId is not a field; did you mean IdSearch?'],
  ['no result field', 'invoice/query', { InvoiceId: 1 }, 'InvoiceId is not a field.'],
  ['no id of another record', 'proposal/update', { Id: 1, AppointmentId: 1 }, 'AppointmentId is not a field.'],
  ['a misspelt field', 'contacts/addupdate', { Emial: 'a@b.org' }, 'Emial is not a field; did you mean Email?'],
  [
    'a misspelt word of other APIs',
    'contacts/locate',
    { Emial: 'a@b.org' },
    'Emial is not a field; did you mean EmailSearch?',
  ],
  ['a word of another operation', 'task/query', { Limit: 3 }, 'Limit is not a field; did you mean Take?'],
  ['such a word, misspelt', 'task/query', { Limt: 3 }, 'Limt is not a field; did you mean Take?'],
  ['a misspelt id', 'contacts/locate', { ContcatId: 1 }, 'ContcatId is not a field; did you mean IdSearch?'],
  ['no word that looks like another', 'task/create', { Description: 'Call', Rate: 1 }, 'Rate is not a field.'],
  ['text for an object', 'proposal/quote', { ContactId: 1, Proposal: 'x' }, 'must be an object, such as {"Id": 1'],
  [
    'encoded JSON',
    'invoice/import',
    { Invoice: '{"Id": 1}' },
    'must be an object and not text that contains JSON, such',
  ],
  [
    'text for a list',
    'appointments/book',
    { Slots: 'x' },
    'Slots must be an array, such as [{"ContactId": 1, "DateTime"',
  ],
  ['text for names', 'test/echo', 'x', 'Write null, true, false, a number, or a text in double quotes.'],
  [
    'words for a number',
    'task/create',
    { ContactId: 'twelve' },
    'ContactId must be a whole number: the id, not a name',
  ],
  ['one comma', 'appointments/addtip', { Amount: '1,5' }, 'must be a number; send 15 or 1.5 without quotes'],
  ['dollars as text', 'appointments/addtip', { Amount: '$1,200.50' }, 'must be a number; send 1200.5 without quotes'],
  ['a text as number', 'contacts/addupdate', { City: 5551234 }, 'City must be a string; send "5551234" in quotes.'],
  ['a word for a code', 'task/create', { TaskType: 'email' }, 'must be a whole number; send 2 for E-mail'],
  ['another word for a code', 'task/create', { TaskType: 'Fax' }, 'must be a whole number: 0 To-do, 1 Call, 2 E-mail'],
  ['a status as word', 'appointments/update', { Slots: [{ Status: 'canceled' }] }, '; send 4 for Canceled'],
  ['a Unix time', 'task/create', { Due: 1793102400 }, 'must be a date and time, such as "2027-04-01T09:00"'],
  ['a list for a text', 'contacts/locate', { PhoneSearch: ['5551234'] }, 'PhoneSearch must be a string, not a list.'],
  ['a name for an id', 'task/create', { ContactId: 'Kevin' }, 'ContactId must be a whole number: the id, not a name'],
  ['the day first', 'appointments/query', { FromDate: '31/12/2026' }, 'Write the month first: 12/31/2026.'],
  [
    'an organization',
    'task/create',
    { OrganizationId: 1 },
    'the organization follows from the key, or from the record',
  ],
  ['a past job', 'appointments/queue', { SkipConflictChecks: true }, '; appointments/book and update take it.'],
  ['another word for a flag', 'task/query', { IncludeCompleted: 'maybe' }, 'IncludeCompleted must be true or false.'],
];

const credentials: readonly Mistake[] = [
  [
    'a Bearer token',
    'test/echo',
    {},
    'The header Authorization (Bearer) is not read.',
    { headers: { authorization: 'Bearer x' } },
  ],
  [
    'Basic',
    'test/echo',
    {},
    'The header Authorization (Basic) is not read.',
    { headers: { authorization: 'Basic eDp5' } },
  ],
  ['another header', 'test/echo', {}, 'The header x-apikey is not read.', { headers: { 'x-apikey': 'x' } }],
  [
    'another field',
    'test/echo',
    { api_key: 'x' },
    'The field api_key is not read. Send the API key as the header X-Api-Key',
  ],
];

test('a body is read in the charset that it names, and one that is not valid in it is 400', async () => {
  const body = latin1(`{"OrganizationId": ${company.organizationId}, "Name": "Ren\xe9e"}`);
  const send = (type: string) => company.call('contacts/addupdate', body, { headers: { 'content-type': type } });
  expect((await send('application/json; charset=windows-1252')).text).toContain('Renée');
  for (const type of ['application/json', 'application/octet-stream', 'application/json; charset=utf-8'])
    expect((await send(type)).body).toMatchObject({ ResultCode: 400, Code: 'invalid_body' });
  const OrganizationId = company.organizationId;
  const replaced = await company.call('contacts/addupdate', { OrganizationId, Name: 'Ren\uFFFDe' });
  expect([replaced.status, replaced.text.includes('Ren\uFFFDe')]).toEqual([200, true]);
});

describe('a mistake is answered with what is wrong and what to do', () => {
  test.each([...bodies, ...fields])('%s', async (_, operation, body, answer, options) => {
    const { status, text } = await messagesOf(operation, body, options);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(answer) as string });
  });

  test.each(credentials)('a key in the wrong place: %s', async (_, operation, body, answer, options) => {
    const { status, body: failure } = await call(operation, body, options);
    expect({ status, failure }).toMatchObject({
      status: 401,
      failure: { Message: expect.stringContaining(answer) as string },
    });
  });

  test.each([
    ['{"Name": "Ann" "Zip": "1"}', 'Invalid JSON at position 15, so the key in it cannot be read.'],
    ['{"Name": "Ann', ', so the key in it cannot be read. The text that begins there has no closing quote.'],
    [
      '[{"ApiKey": "fs_x"}]',
      'must be a JSON object and not an array, so the key in it cannot be read. Make one call for each of its elements',
    ],
    ['"Ann"', 'must be a JSON object, so the key in it cannot be read'],
  ])('a body in which no key can be read is 400, and the answer says so: %s', async (body, answer) => {
    const { status, body: failure } = await call('contacts/locate', body);
    expect({ status, failure }).toMatchObject({
      status: 400,
      failure: { Message: expect.stringContaining(answer) as string },
    });
    for (const [sent, key] of [[body, 'fs_x'], ['']] as const)
      expect((await call('contacts/locate', sent, { key: key ?? '' })).status).toBe(401);
  });

  test.each([
    ['contacts/search', 'contacts/locate'],
    ['invoice/create', 'invoice/import'],
    ['task/list', 'task/query'],
    ['proposal/Details', 'proposal/details'],
  ])('operation %s suggests %s', async (operation, meant) => {
    expect((await messagesOf(operation, {})).text).toContain(`Did you mean ${meant}?`);
  });

  test('GET names POST', async () => {
    expect(await messagesOf('test/echo', {}, { method: 'GET' })).toMatchObject({
      status: 405,
      text: 'Call test/echo with POST.',
    });
  });
});

const errorsOf = async (operation: string, body: object, key = company.key) =>
  (await messagesOf(operation, { ContactId: company.contact, ...body }, { key })).text;
const NEXT = '2035-03-06T09:00';

describe('a name that does not exist suggests the nearest', () => {
  const proposal = (fields: object) => ['proposal/create', { ServiceName: 'Lawn care', ...fields }] as const;
  const agent = { DateTime: NEXT, ServiceAgentId: 1 };
  test.each([
    ['service', 'appointments/slotsearch', { ServiceName: 'Lawn car' }, 'Lawn care'],
    ['service of quickbook', 'appointments/quickbook', { Service: 'lawn', ScheduledStart: NEXT }, 'Lawn care'],
    ['service of a quote', 'proposal/quote', { ServiceName: 'Mowin' }, 'Mowing'],
    ['service of a proposal', 'proposal/create', { ServiceName: 'Lawncare' }, 'Lawn care'],
    ['part', ...proposal({ ProposalLines: [{ Part: { Name: 'Front bed, god' } }] }), 'Front bed, good'],
    ['tax rate', ...proposal({ NamedTaxRate: { Name: 'Conty' } }), 'County'],
    ['custom field of a contact', 'contacts/addupdate', { CustomFields: [{ Shortcode: 'lotsize' }] }, 'lot_size'],
    ['channel', 'contacts/addupdate', { Channel: 'Gogle Ads' }, 'Google Ads'],
    ['campaign', 'contacts/addupdate', { Channel: 'Google Ads', Campaign: 'Spring sail' }, 'Spring sale'],
    [
      'agent by e-mail',
      'appointments/quickbook',
      { Service: 'Lawn care', ScheduledStart: NEXT, ServiceAgentEmail: 'an@example.com' },
      'ann@example.com',
    ],
    [
      'another agent by name',
      'appointments/book',
      {
        ServiceName: 'Lawn care',
        Slots: [{ ...agent, AdditionalServiceAgents: [{ ServiceAgent: { Name: 'Ana Lee' } }] }],
      },
      'Ann Lee',
    ],
    ['time zone', 'organizations/create', { Name: 'X', Timezone: 'America/New_Yrk' }, 'America/New_York'],
    ['time zone by its city', 'organizations/create', { Name: 'X', Timezone: 'los angeles' }, 'America/Los_Angeles'],
    ['time zone by its name', 'organizations/create', { Name: 'X', Timezone: 'Mountain Time' }, 'America/Denver'],
    ['location id', 'organizations/details', { LocationId: 'BLD-1' }, 'BLD-01'],
    ['article', 'blogs/get', { IdSearch: 'spring-lawncare' }, 'spring-lawn-care-2026'],
  ] as const)('%s', async (_, operation, fields, meant) => {
    const contact = operation === 'contacts/addupdate' ? { ContactId: undefined, Id: company.contact } : {};
    const none = /^(organizations|blogs)\//.test(operation) ? { ContactId: undefined } : {};
    expect(await errorsOf(operation, { ...contact, ...none, ...fields })).toContain(`Did you mean "${meant}"?`);
  });

  test('but none of another organization to a key of one', async () => {
    const none = { ContactId: undefined };
    expect(await errorsOf('organizations/details', { ...none, LocationId: 'BLD-1' }, localKey)).toContain(
      'There is no organization "BLD-1". organizations/query lists them.',
    );
    expect(await errorsOf('blogs/get', { ...none, IdSearch: 'spring-lawncare' }, localKey)).toContain(
      'There is no article "spring-lawncare". blogs/find lists them.',
    );
  });
});

test('a role may be in any case', async () => {
  const user = { Name: 'Rita', Email: 'rita@example.com', Role: 'office' };
  const { text } = await messagesOf('user/create', user);
  expect(text).toContain("must be a key of the user's organization");
  expect(text).not.toContain('Role');
});

describe('a record of another organization', () => {
  test('is named to a key of the account, and to no key of another organization', async () => {
    const { body: other } = await company.call('organizations/details', { OrganizationId: otherId });
    const lists = ['ServiceAgents', 'Services', 'Users'].map((list) => other[list] as { Id: number }[]);
    const [agent, service, user] = lists.map(([first]) => first?.Id);
    const slot = { Slots: [{ DateTime: NEXT, ServiceAgentId: agent }], ServiceName: 'Lawn care' };
    const calls = [
      ['appointments/book', slot, `Service agent ${agent} belongs to organization ${otherId}`],
      ['proposal/create', { ServiceName: 'Lawn care', ServiceAgentId: agent }, `Service agent ${agent} belongs to`],
      ['appointments/slotsearch', { ServiceId: service }, `Service ${service} belongs to organization ${otherId}`],
      ['proposal/quote', { ServiceName: 'Tree care' }, `Service ${service} belongs to organization ${otherId}`],
      ['proposal/create', { ServiceName: 'Lawn care', OwnerUserId: user }, `it belongs to organization ${otherId}`],
      [
        'contacts/addupdate',
        { ContactId: undefined, Id: company.contact, OwnerUserId: user },
        `to organization ${otherId}`,
      ],
    ] as const;
    for (const [operation, body, answer] of calls) {
      expect(await errorsOf(operation, body)).toContain(answer);
      expect(await errorsOf(operation, body, localKey)).not.toContain('belongs to');
    }
  });
});

describe('appointments', () => {
  test('a formula without its custom field says which field of the contact to set', async () => {
    const answer =
      'The contact has no number as custom field "Lot size" (lot_size). Set it with contacts/addupdate in ' +
      'CustomFields: [{"Shortcode": "lot_size", "Value": 1}].';
    for (const operation of ['appointments/slotsearch', 'proposal/quote', 'proposal/create'])
      expect(await errorsOf(operation, { ServiceName: 'Mowing' })).toContain(answer);
  });

  test('a time in the past is 409, except with SkipConflictChecks', async () => {
    const past = '2026-03-09T09:00';
    const slot = { ServiceName: 'Lawn care', Slots: [{ DateTime: past, ServiceAgentId: 1 }] };
    const quick = { Service: 'Lawn care', ScheduledStart: past };
    expect(await errorsOf('appointments/book', slot)).toContain('Mon, Mar 9 2026 9:00 AM, is in the past.');
    const instead = 'or record a past job with appointments/book and SkipConflictChecks.';
    expect(await errorsOf('appointments/quickbook', quick)).toContain(`is in the past. Choose a later one, ${instead}`);
    const queued = { ServiceName: 'Lawn care', QueueDate: '2026-03-09' };
    expect(await errorsOf('appointments/queue', queued)).toContain('QueueDate 2026-03-09 is in the past.');
    expect(await errorsOf('appointments/queue', queued)).toContain(instead);
    const recorded = { ContactId: company.contact, ...slot, SkipConflictChecks: true };
    expect((await company.call('appointments/book', recorded)).status).toBe(200);
  });

  test('a start between those of slotsearch can be booked', async () => {
    expect((await company.book('Ann Lee', '2035-03-07T09:07')).status).toBe(200);
  });
});

test('create and update of a proposal warn of what accept requires', async () => {
  const made = await company.call('proposal/create', { ContactId: company.contact, ServiceName: 'Lawn care' });
  const answer = 'proposal/accept will fail: Proposal';
  expect(made.body['Message']).toContain(answer);
  expect(made.body['Message']).toContain('has 0 of its options selected');
  const ProposalLines = ['Good', 'Best'].map((Name) => ({
    Part: { Name: 'Front bed, good' },
    ProposalOption: { Name },
  }));
  const update = { Id: made.body['Id'], ProposalLines, SelectedSolution: { Name: 'Best' } };
  const updated = await company.call('proposal/update', update);
  expect(updated.body['Message']).toContain('comes to 60.00; its service requires 75.00 (MinimumSubtotal).');
});

describe('the search for a suggestion', () => {
  test('finds misspelt names and parts of names', () => {
    const names = ['Lawn mowing', 'Front bed, good', 'Spring cleanup'];
    expect(
      ['Lawn mowin', 'lawnmowing', 'front', 'Spring clean up, large', 'Snow'].map((text) => nearestName(text, names)),
    ).toEqual(['Lawn mowing', 'Lawn mowing', 'Front bed, good', 'Spring cleanup', undefined]);
  });
});
