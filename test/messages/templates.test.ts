import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MESSAGE_KINDS } from '../../lib/entities/message-kinds.ts';
import { fieldsOf } from '../../lib/domain/messages/template-fields.ts';
import { checkTemplate, readTemplate } from '../../lib/domain/messages/templates.ts';
import { enKinds } from '../../lib/messages/texts/en.ts';
import { esKinds } from '../../lib/messages/texts/es.ts';
import { hostileTexts } from '../support/hostile-texts.ts';

const ONLY = 'A text can have {{field}} and {{#if field}}…{{else}}…{{/if}}, and nothing else in braces.';
const UNREAD = `This cannot be read. ${ONLY}`;

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  readTemplate(text, 'Reminder').write(new Map(Object.entries(values)));

test.each([
  ['Hi {{contact.name}}!', 'Hi Ana!'],
  ['{{#if visit.agent}}{{visit.agent}} comes.{{else}}We come.{{/if}}', 'We come.'],
  ['{{#if contact.name}}{{contact.name}}, {{/if}}hello', 'Ana, hello'],
  ['{{#if visit.agent}}a{{else if contact.name}}b{{else}}c{{/if}}', 'b'],
  ['a\n{{#if contact.name}}\nb\n{{/if}}\nc', 'a\nb\nc'],
  ['{{! for the office }}x', 'x'],
  ['{ } }} {a} $& $1 %s', '{ } }} {a} $& $1 %s'],
])('%j is %j', (text, expected) => {
  expect(checkTemplate(text, 'Reminder')).toEqual([]);
  expect(filled(text, { 'contact.name': 'Ana' })).toBe(expected);
});

test.each([
  ['{{vist.date}}', 1, 3, 'There is no field "vist.date". Did you mean "visit.date"?'],
  ['Hello,\n\n  call {{phone}}.', 3, 10, 'There is no field "phone". Did you mean "company.phone"?'],
  ['{{customer.name}}', 1, 3, 'There is no field "customer.name". Did you mean "company.name"?'],
  ['{{visit/date}}', 1, 3, 'There is no field "visit/date". Did you mean "visit.date"?'],
  ['{{#if visit.agnet}}x{{/if}}', 1, 7, 'There is no field "visit.agnet". Did you mean "visit.agent"?'],
  ['{{{visit.date}}}', 1, 1, 'Use two braces: every value is shown as plain text.'],
  ['{{&visit.date}}', 1, 1, 'Use two braces: every value is shown as plain text.'],
  ['x\n{{#each visit.date}}{{/each}}', 2, 1, ONLY],
  ['{{#unless visit.date}}x{{/unless}}', 1, 1, ONLY],
  ['{{^if visit.date}}x{{/if}}', 1, 1, ONLY],
  ['{{#if visit.date visit.time}}x{{/if}}', 1, 1, ONLY],
  ['{{#if visit.date as |x|}}x{{/if}}', 1, 1, ONLY],
  ['{{#if (visit.date)}}x{{/if}}', 1, 7, ONLY],
  ['{{upper visit.date}}', 1, 1, ONLY],
  ['{{visit.date style="us"}}', 1, 1, ONLY],
  ['{{> footer}}', 1, 1, ONLY],
  ['{{#> layout}}x{{/layout}}', 1, 1, ONLY],
  ['{{#*inline "x"}}{{/inline}}', 1, 1, ONLY],
  ['{{*decorator}}', 1, 1, ONLY],
  ['{{{{raw}}}} x {{{{/raw}}}}', 1, 1, ONLY],
  ['{{"text"}}', 1, 3, ONLY],
  ['{{1}}', 1, 3, ONLY],
  ['a\nb {{visit.date}', 2, 15, UNREAD],
  ['{{else}}', 1, 1, UNREAD],
  ['{{[}}', 1, 1, UNREAD],
  ['{{#if visit.date}}x', 1, 20, 'The text ends, but a {{#if}} or {{ is not closed.'],
  ['{{#if visit.date}}x{{/unless}}', 1, 4, 'This tag is not closed by its own {{/…}}.'],
  ['x'.repeat(5_001), 1, 1, 'A text has at most 5000 letters.'],
])('%j is refused at line %i, column %i', (text, line, column, message) => {
  expect(checkTemplate(text, 'Reminder')).toEqual([{ line, column, message }]);
  expect(filled(text, { 'visit.date': 'x' })).toBe('');
});

test.each(['constructor', '__proto__', 'visit.__proto__', 'toString', 'this', '../visit.date', '@root.visit.date'])(
  '%s is no field',
  (name) => {
    const [problem] = checkTemplate(`{{${name}}}`, 'Reminder');
    expect(problem?.message).toContain(`There is no field "${name}".`);
  },
);

test('every problem of a text is named, in its order', () => {
  const problems = checkTemplate('{{vist.date}}\n{{#if visit.agent}}{{visit.tme}}{{else}}{{{x}}}{{/if}}', 'Reminder');
  expect(problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 3],
    [2, 22],
    [2, 41],
    [2, 44],
  ]);
});

test('a field belongs to what the message is about', () => {
  expect(checkTemplate('{{invoice.number}}', 'Invoice')).toEqual([]);
  expect(checkTemplate('{{invoice.number}}', 'Receipt')).toEqual([]);
  expect(checkTemplate('{{invoice.number}}', 'Reminder')).toHaveLength(1);
  for (const kind of MESSAGE_KINDS)
    for (const name of fieldsOf(kind).keys()) expect(checkTemplate(`{{${name}}}`, kind), `${kind} ${name}`).toEqual([]);
});

test.each([
  ['English', enKinds],
  ['Spanish', esKinds],
])('our %s texts are texts that a company could have', (_, kinds) => {
  for (const kind of MESSAGE_KINDS)
    for (const text of Object.values(kinds[kind])) expect(checkTemplate(text, kind), text).toEqual([]);
});

type Piece =
  | { readonly text: string }
  | { readonly field: string }
  | { readonly test: string; yes: Piece[]; no: Piece[] };

const names = [...fieldsOf('Reminder').keys()];
const { pieces } = fc.letrec<{ pieces: Piece[]; piece: Piece }>((tie) => ({
  pieces: fc.array(tie('piece'), { maxLength: 4 }),
  piece: fc.oneof(
    { maxDepth: 4 },
    fc.record({ text: fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[{}\\\s\0]/.test(text)) }),
    fc.record({ field: fc.constantFrom(...names) }),
    fc.record({ test: fc.constantFrom(...names), yes: tie('pieces'), no: tie('pieces') }),
  ),
}));

const written = (each: readonly Piece[]): string =>
  each
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if ('field' in piece) return `{{${piece.field}}}`;
      return `{{#if ${piece.test}}}${written(piece.yes)}{{else}}${written(piece.no)}{{/if}}`;
    })
    .join('');

const said = (each: readonly Piece[], values: Readonly<Record<string, string>>): string => {
  let result = '';
  for (const piece of each) {
    if ('text' in piece) result += piece.text;
    else if ('field' in piece) result += values[piece.field];
    else if (values[piece.test] === '') result += said(piece.no, values);
    else result += said(piece.yes, values);
  }
  return result;
};

test('a text is filled as it is written, and values are not read as texts', () => {
  const value = fc.oneof(fc.constant(''), fc.constantFrom(...hostileTexts), fc.string());
  const values = fc.record(Object.fromEntries(names.map((name) => [name, value])));
  fc.assert(
    fc.property(pieces, values, (each, given) => {
      const text = written(each);
      expect(checkTemplate(text, 'Reminder')).toEqual([]);
      expect(filled(text, given)).toBe(said(each, given));
    }),
    { numRuns: 200 },
  );
});

test('any text is read, or its problem has a place in it', () => {
  const unit = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    '#if ',
    '/if',
    'else',
    'visit.date',
    ' ',
    '\n',
    '!',
    '"',
    '[',
    '\\',
    '&',
    '~',
    '(',
    '|',
    'é',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('');
      const lines = text.split('\n').length;
      for (const { line, column, message } of checkTemplate(text, 'Reminder')) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(message).toMatch(/^[A-Z].*[.?]$/);
      }
    }),
    { numRuns: 500 },
  );
});

test('many nested conditions are read', () => {
  const text = `${'{{#if visit.date}}'.repeat(190)}x${'{{/if}}'.repeat(190)}`;
  expect(filled(text, { 'visit.date': 'y' })).toBe('x');
});
