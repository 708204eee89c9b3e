import { crc32 as ofZlib } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../../lib/store/requests/api-keys.ts';
import { anyCharacter } from '../support/random/characters.ts';

test('a checksum is the CRC-32 of the bytes of the text, as zlib has it', () => {
  expect(crc32('123456789').toString(16)).toBe('cbf43926');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(crc32(text)).toBe(ofZlib(text));
    }),
  );
});
