import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256 } from '../../lib/store/links.ts';
import { anyCharacter } from '../support/random/characters.ts';

test('is the HMAC-SHA-256 of node:crypto, for every key of ASCII and any text, one after another', () => {
  const keys = fc.string({ unit: 'binary-ascii', maxLength: 64 });
  const texts = fc.array(fc.string({ unit: anyCharacter, maxLength: 100 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(keys, texts, (key, all) => {
      const sign = hmacSha256(key);
      for (const text of all) expect(sign(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
    }),
  );
});

test('the second case of RFC 4231', () => {
  const signature = Buffer.from(hmacSha256('Jefe')('what do ya want for nothing?'), 'base64url').toString('hex');
  expect(signature).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

test.each(['ä', 'a'.repeat(65)])('a key that it would sign wrongly is refused: %s', (key) => {
  expect(() => hmacSha256(key)).toThrow('a key not in ASCII');
});
