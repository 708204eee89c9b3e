import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { nearest, nearestName } from '../../lib/shared/suggestions.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { type CallOptions, call } from '../support/stack.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
  });
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

const bodies: readonly Mistake[] = [
  ['a form', 'test/echo', 'ContactId=1&Name=Ann', 'The body is form-encoded (name=value). Send a JSON object'],
  ['a multipart form', 'test/echo', '--x1\r\nContent-Disposition: form-data', 'The body is multipart/form-data.'],
  ['XML', 'test/echo', '<Contact/>', 'The body is XML or HTML. Send a JSON object'],
  ['gzip', 'test/echo', gzipSync('{}'), 'The body is compressed with gzip. Send it uncompressed'],
  ['UTF-16', 'test/echo', utf16('{"Name": "Ann"}'), 'The body is UTF-16 or binary. Send JSON in UTF-8.'],
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
  ['a misspelt field', 'contacts/addupdate', { Emial: 'a@b.org' }, 'Emial is not a field; did you mean Email?'],
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
  ['a number as text', 'task/create', { ContactId: '12' }, 'must be a whole number; send 12 without quotes'],
  ['dollars as text', 'appointments/addtip', { Amount: '$1,200.50' }, 'must be a number; send 1200.50 without quotes'],
  ['a flag as text', 'task/query', { IncludeCompleted: 'True' }, 'true or false; send true without quotes'],
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

describe('the search for a suggestion', () => {
  test('finds misspelt names and parts of names', () => {
    const names = ['Lawn mowing', 'Front bed, good', 'Spring cleanup'];
    expect(
      ['Lawn mowin', 'lawnmowing', 'front', 'Spring clean up, large', 'Snow'].map((text) => nearestName(text, names)),
    ).toEqual(['Lawn mowing', 'Lawn mowing', 'Front bed, good', 'Spring cleanup', undefined]);
  });

  test('takes 20 ms of CPU at most for long names and long lists', () => {
    const lists = [
      Array.from({ length: 100_000 }, (_, index) => `${'a'.repeat(55)}${index}`),
      Array.from({ length: 50_000 }, () => 'ab'.repeat(5_000)),
    ];
    const before = process.cpuUsage();
    for (const list of lists) {
      nearest('b'.repeat(60), list);
      nearestName('b'.repeat(64), list);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / 4).toBeLessThan(20);
  });
});
