import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_WORD_LENGTH, MAX_WORDS, fold, matchesWords, splitWords } from '../../lib/shared/text/text.ts';
import { anyCharacter } from '../support/random/characters.ts';

test.each([
  ['Ångström', 'angstrom'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['Søren Kierkegaard', 'soren kierkegaard'],
  ['Æther', 'aether'],
  ['Łódź', 'lodz'],
  ['Đorđe', 'dorde'],
  ['İstanbul', 'istanbul'],
  ['Þór', 'thor'],
  ['ﬁne', 'fine'],
  ['Ｆｕｌｌ', 'full'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['Jose\u0301', 'jose'],
  ['हिन्दी', 'हिन्दी'],
  ['', ''],
])('%s folds to %s', (text, expected) => {
  expect(fold(text)).toBe(expected);
});

test.each([
  ["O'Brien & Smith-Jones, Inc.", ['obrien', 'smith', 'jones', 'inc']],
  ['O’Brien', ['obrien']],
  ['Ann  ann ANN', ['ann']],
  ['J.R. Ewing III', ['j', 'r', 'ewing', 'iii']],
  ['7-Eleven #12', ['7', 'eleven', '12']],
  ['हिन्दी 東京', ['हिन्दी', '東京']],
  ['--- ...', []],
])('the words of %s are %j', (text, expected) => {
  expect(splitWords(text)).toEqual(expected);
});

test.each([
  ['jo smi', 'John Smith-Jones', true],
  ['smith john', 'John Smith', true],
  ['john smith', 'John', false],
  ['ohn', 'John', false],
  ['muller', 'Müller GmbH', true],
  ['', 'John', true],
])('%j finds %j: %s', (query, text, expected) => {
  expect(matchesWords(splitWords(query), splitWords(text))).toBe(expected);
});

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem(),
);

test('folding is settled, and blind to composition', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(fold(fold(text))).toBe(fold(text));
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
    }),
    { numRuns: 1000 },
  );
});

test('words are distinct, bounded and words themselves; every text finds itself by them', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const words = splitWords(text);
      expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
      expect(new Set(words).size).toBe(words.length);
      expect(words.every((word) => word !== '' && [...word].length <= MAX_WORD_LENGTH)).toBe(true);
      expect(splitWords(words.join(' '))).toEqual(words);
      expect(
        matchesWords(
          words.map((word) => [...word].slice(0, 3).join('')),
          words,
        ),
      ).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a word cut off is found by the whole of it', () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
  expect(matchesWords(splitWords(long), splitWords(`The ${long}`))).toBe(true);
});
