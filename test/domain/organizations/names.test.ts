import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namePrefixes, normalizeName, nameStartsWith } from '../../../lib/domain/organizations.ts';

const word = fc.constantFrom('Green', 'Greens', 'green', 'Gr', 'Lawn', 'La', 'Denver', 'É', 'a', 'aa', 'aaa');
const name = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' '));

/** How often a list of those whose entries begin so has the organization: once where it begins so, else never. */
const timesListed = (PublicName: string, asked: string): number =>
  namePrefixes({ PublicName, InternalName: '' }).filter(
    ({ text, shared }) => text.startsWith(asked) && asked.length > shared,
  ).length;

describe('the prefixes by which an organization is found', () => {
  test.each([
    ['Green Lawn, Denver', ['denver', 'green lawn denver', 'lawn denver']],
    ['Smith & Smithson', ['smith smithson', 'smithson']],
    ['Ångström', ['angstrom']],
    ['!!!', []],
  ])('%j is found by %j', (PublicName, texts) => {
    expect(namePrefixes({ PublicName, InternalName: '' }).map(({ text }) => text)).toEqual(texts);
  });

  test('list it once for whatever begins its name or a later word, and never for anything else', () => {
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 12 }), (PublicName, other, length) => {
        for (const asked of [normalizeName(PublicName).slice(0, length), normalizeName(other).slice(0, length)]) {
          expect(timesListed(PublicName, asked)).toBe(
            nameStartsWith({ PublicName, InternalName: '' }, 'PublicName', asked) ? 1 : 0,
          );
        }
      }),
    );
  });

  test('stay below the bytes of a key, whatever the letters', () => {
    const PublicName = 'ﷺ'.repeat(200);
    expect(
      Math.max(...namePrefixes({ PublicName, InternalName: '' }).map(({ text }) => Buffer.byteLength(text))),
    ).toBeLessThan(700);
  });
});
