import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leadNotes, leadSummary } from '../../../lib/domain/leads/notes.ts';
import { readLead, readRawLead } from '../../../lib/domain/leads/read-lead.ts';
import { meaningOf } from '../../../lib/domain/leads/field-names.ts';
import { readLeadBody } from '../../../lib/workflows/leads/read-body.ts';
import { fold, wordsOf } from '../../../lib/shared/text/text.ts';
import { sentForms } from '../../support/lead-forms.ts';

async function read(type: string, body: string | Buffer) {
  const sent = await readLeadBody({ contentType: type, bytes: Buffer.from(body as string) });
  const lead = sent.kind === 'form' ? readLead(sent.entries, 'US') : readRawLead(sent.text, 'US');
  const notes = leadNotes('Website', lead);
  const everything = [...Object.values(lead.contact), ...notes.map(({ Body }) => Body), leadSummary(lead)].join('\n');
  return { kind: sent.kind, lead, notes, everything };
}

describe('a lead is read from', () => {
  test.each(Object.entries(sentForms))('%s', async (_, { type, body, contact, values }) => {
    const { kind, lead, everything } = await read(type, body);
    expect(kind).toBe('form');
    const { Name, ...others } = contact;
    expect(lead.contact).toEqual(Name === 'Lead from Website' ? others : contact);
    for (const value of values) expect(everything.replaceAll('\r\n', '\n')).toContain(value);
  });
});

describe('a body that is no form stands in the note as it came, with its e-mail and phone in the contact:', () => {
  test.each([
    ['text', 'text/plain', 'Please call Ann at (804) 555-0143 or ann@example.com\nThanks!'],
    ['broken JSON', 'application/json', '{"name": "Ann", email: ann@example.com, phone: (804) 555-0143'],
    ['HTML', 'text/html', '<p>ann@example.com</p><script>alert(1)</script> (804) 555-0143'],
    ['a list too deep', 'application/json', `${'['.repeat(5000)}"ann@example.com (804) 555-0143"${']'.repeat(5000)}`],
  ])('%s', async (_, type, body) => {
    const { kind, lead, notes } = await read(type, body);
    expect(kind).toBe('text');
    expect(notes.map(({ Body }) => Body).join('')).toBe(body);
    if (body.length < 5000) expect(lead.contact).toEqual({ Email: 'ann@example.com', Phone: '(804) 555-0143' });
  });
});

test.each([
  ['JSON with line ends in a text and a last comma', '{"name":"Ann Lee","message":"one\ntwo",}'],
  ['JSON encoded twice', JSON.stringify(JSON.stringify({ name: 'Ann Lee', message: 'one\ntwo' }))],
  ['JSON in a field', `payload=${encodeURIComponent(JSON.stringify({ name: 'Ann Lee', message: 'one\ntwo' }))}`],
])('%s is read as meant', async (_, body) => {
  const { lead } = await read('', body);
  expect(lead).toMatchObject({ contact: { Name: 'Ann Lee' }, message: 'one\ntwo' });
});

test.each([
  ['first_name', 'First'],
  ['yourEmail', 'Email'],
  ['your-e-mail', 'Email'],
  ['Enter your ZIP code (required)', 'Zip'],
  ['Correo electrónico', 'Email'],
  ['Código postal', 'Zip'],
  ['Teléfono móvil', 'Phone'],
  ['q3_fullName', 'Name'],
  ['email_2', 'Email'],
  ['form_name', undefined],
  ['campaign_name', undefined],
  ['company_name', 'Company'],
  ['user_name', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('the field %s means %s', (name, meaning) => {
  expect(meaningOf(name)).toBe(meaning);
});

test('a value that does not fit its field is cut there and whole in the note', async () => {
  const name = 'A'.repeat(300);
  const { lead, everything } = await read('application/json', JSON.stringify({ name, city: 'B'.repeat(150) }));
  expect(lead.contact.Name).toHaveLength(200);
  expect(lead.contact.City).toHaveLength(100);
  expect(everything).toContain(`name: ${name}`);
});

test('an e-mail and a phone that cannot be read are lines of the note', async () => {
  const { lead } = await read('application/json', JSON.stringify({ name: 'Ann', email: 'ann at home', phone: 'none' }));
  expect(lead).toEqual({
    contact: { Name: 'Ann' },
    message: '',
    answers: ['email: ann at home', 'phone: none'],
    others: [],
  });
});

test('a second e-mail is a line, even if it has the same words', async () => {
  const { lead } = await read('', JSON.stringify({ email: 'ann@lee.example', work_email: 'lee@ann.example' }));
  expect(lead).toMatchObject({ contact: { Email: 'ann@lee.example' }, answers: ['work_email: lee@ann.example'] });
});

test('a message keeps what joins its emojis', async () => {
  const { lead } = await read('', JSON.stringify({ message: 'Thanks 👩\u200d🌾' }));
  expect(lead.answers).toEqual(['message: Thanks 👩\u200d🌾']);
});

test('a long text is several notes, which together are the text', async () => {
  const message = `${'word '.repeat(9_000)}😀`.repeat(2);
  const { notes } = await read('application/json', JSON.stringify({ message }));
  expect(notes.length).toBeGreaterThan(4);
  expect(notes.map(({ Body }) => Body).join('')).toBe(`message: ${message}`.trim());
  expect(notes[0]?.Title).toBe(`Lead from Website (1 of ${notes.length})`);
});

/** `npm run prove -- random` has more. */
const RUNS = Number(process.env['LEAD_RUNS'] ?? 300);

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '=1+1',
    '<script>',
    'ann@example.com',
    '804-555-0143',
    '__proto__',
    'Lee, Ann',
    '\u0000x',
    '\ud800',
    '&#39;',
  ),
);
const name = fc.oneof(
  text,
  fc.constantFrom('email', 'name', 'first_name', 'phone', 'zip', 'value', 'fields', 'data', 'id'),
);

/**
 * What a person would look for: the words of a value, without the escaping of forms. As a word of a name, `x` is there
 * where `𝘟` is.
 */
function isIn(value: string, everything: string): boolean {
  const folded = new Set(wordsOf(everything));
  return value
    .replaceAll('\0', '')
    .toWellFormed()
    .replaceAll(/[\s\p{Cf}]+/gu, ' ')
    .split(/[ ,]+/)
    .every((word) => everything.includes(word) || folded.has(fold(word)) || /&#39;|\\/.test(word));
}

function* leaves(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.trim()) yield value;
  else if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* leaves(each);
}

test.each([
  ['signs beside an address', { email: 'ann@example.com ᾿ 🙂' }, '᾿ 🙂'],
  ['what is behind the end of a field', { zip: '23220-1234-5678-90123, __' }, '__'],
])('%s are a line of the note', async (_, fields, lost) => {
  const { notes } = await read('application/x-www-form-urlencoded', new URLSearchParams(fields).toString());
  expect(notes.map(({ Body }) => Body).join('\n')).toContain(lost);
});

test('every value of any JSON is in the contact or the notes', async () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('tree'), { maxLength: 4 }),
      tie('fields'),
    ),
    fields: fc.dictionary(name, tie('tree'), { maxKeys: 6 }),
  }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 8 }), async (body) => {
      const { everything } = await read('application/json', JSON.stringify(body));
      const spread = everything.replaceAll(/\p{Cf}+/gu, ' ');
      for (const value of leaves(body)) expect([value, isIn(value, spread)]).toEqual([value, true]);
    }),
    { numRuns: RUNS },
  );
});

test('every value of any form-encoded body is in the contact or the notes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 12 }), async (fields) => {
      const { everything } = await read(
        'application/x-www-form-urlencoded',
        new URLSearchParams(fields as [string, string][]).toString(),
      );
      const spread = everything.replaceAll(/\p{Cf}+/gu, ' ');
      for (const [, value] of fields) expect([value, isIn(value, spread)]).toEqual([value, true]);
    }),
    { numRuns: RUNS },
  );
});

test('any bytes are read without a failure', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', 'text/html', 'multipart/form-data; boundary=x', 'application/json; charset=klingon'),
      async (bytes, type) => {
        const sent = await readLeadBody({ contentType: type, bytes: Buffer.from(bytes) });
        const lead = sent.kind === 'form' ? readLead(sent.entries, 'US') : readRawLead(sent.text, 'US');
        expect(Object.values(lead.contact).every((value) => typeof value === 'string')).toBe(true);
      },
    ),
  );
});

test('ten thousand fields, deep brackets and long names are read in little time', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `f${index}=v${index}`).join('&');
  const { everything } = await read('application/x-www-form-urlencoded', many);
  expect(everything).toContain('f9999: v9999');
  const deep = await read('application/x-www-form-urlencoded', `a${'[b]'.repeat(3_000)}=deep`);
  expect(deep.everything).toContain('deep');
  const long = `${'k'.repeat(100_000)}=1&__proto__[email]=x@example.com&constructor[prototype][a]=2`;
  const { lead, everything: all } = await read('application/x-www-form-urlencoded', long);
  expect(lead.contact).toEqual({ Email: 'x@example.com' });
  expect(all).toContain('constructor.prototype.a: 2');
  expect(({} as Record<string, unknown>)['email']).toBeUndefined();
  const repeated = JSON.stringify({ ['p'.repeat(90_000)]: Array.from({ length: 20_000 }, () => ({ a: 1 })) });
  expect((await read('application/json', repeated)).notes.length).toBeGreaterThan(1);
});
