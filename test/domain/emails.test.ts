import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmail, normalizeEmail } from '../../lib/shared/text/text.ts';

test('case, surrounding space and composition do not distinguish addresses', () => {
  expect(normalizeEmail(' Ann.O@Example.COM\n')).toBe('ann.o@example.com');
  expect(normalizeEmail('Jose\u0301@example.com')).toBe(normalizeEmail('josé@EXAMPLE.com'));
});

test.each([
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@BÜCHER.Example', 'ann@XN--BCHER-KVA.example'],
  ['ann@b\u0075\u0308cher.example', 'ann@bücher.example'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
  ['ann@日本.example', 'ann@xn--wgv71a.example'],
])('%j and %j are one mailbox', (one, other) => {
  expect(normalizeEmail(one)).toBe(normalizeEmail(other));
});

test.each([
  ['ann@bücher.example', 'ann@bucher.example'],
  ['jos\u00e9@example.com', 'jose@example.com'],
  ['xn--ann@example.com', 'ann@example.com'],
  ['ann@xn--a.example', 'ann@xn--b.example'],
  ['ann@strasse.example', 'ann@straße.example'],
])('%j and %j are two mailboxes', (one, other) => {
  expect(normalizeEmail(one)).not.toBe(normalizeEmail(other));
});

test('a domain in Unicode and as xn-- is one mailbox, whatever it is', () => {
  const label = fc.string({ unit: fc.constantFrom(...'abzäöüßéñçłøå日本語中한ж'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(label, label, (one, other) => {
      const domain = `${one}.${other}.example`;
      const email = normalizeEmail(`ann@${domain}`);
      expect(normalizeEmail(`ann@${domainToASCII(domain)}`)).toBe(email);
      expect(normalizeEmail(email)).toBe(email);
    }),
  );
});

test.each([
  'a@b.co',
  'ann.o+tag@mail.example.com',
  "o'brien@example.com",
  'a_b-c@ex-ample.org',
  'josé@exämple.com',
  'x@xn--exmple-cua.com',
  ' Ann@Example.com ',
  `${'a'.repeat(64)}@example.com`,
])('%j is an address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '',
  'ann',
  'ann@',
  '@example.com',
  'ann@example',
  'ann@@example.com',
  'ann@a@b.com',
  'ann o@example.com',
  'ann@exa mple.com',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  'ann@-example.com',
  'ann@example-.com',
  'ann@example.c',
  'ann@.com',
  'ann@example..com',
  'ann@example.com.',
  'Ann <ann@example.com>',
  'ann@example.com,bob@example.com',
  'ann@[127.0.0.1]',
  'a\u0000b@example.com',
  'a\nb@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`,
])('%j is not an address', (text) => {
  expect(isEmail(text)).toBe(false);
});

test('generated addresses are valid, and stay valid when normalised', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(isEmail(email)).toBe(true);
      expect(normalizeEmail(normalizeEmail(email))).toBe(normalizeEmail(email));
    }),
  );
});
