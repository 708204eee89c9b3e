import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileTexts } from '../support/hostile-texts.ts';
import { officePagesWith } from '../support/office-views.ts';
import { sampled } from '../support/sampled.ts';
import { parseHtml, plain } from '../support/parsed-html.ts';

/** Elements that no text of a page makes; a page has one style sheet and our script. */
const DANGEROUS =
  /^(iframe|svg(?!\[class viewbox role aria-label\]$)|style|script(?!\[src type\]$|\[type src\]$)|base|math|template|object|embed|img|\w+\[[^\]]*\bon)/m;
const KNOWN_ADDRESS =
  /^(\?lang=es$|data:,$|\/office(\/|\?|$)|#content$|tel:[\d+]*$|mailto:|https:\/\/(www\.google\.com\/maps|(api|sign-in)\.example\.com)\/)/;
/** Pages that show no text of anybody. */
const WITHOUT_TEXTS: ReadonlySet<string> = new Set(['signed out', 'sign-in']);

/** What a text makes of pages that it must not. */
function faultsOf(text: string): unknown[] {
  // Lines of a text become paragraphs and breaks: of such texts only what is dangerous is looked for.
  const isOneLine = !/[\r\n]/.test(text);
  const parts = text.split(/[\r\n]+/).map(plain);
  return Object.entries(officePagesWith(text)).flatMap(([name, page]) => {
    const { structure, texts, addresses } = parseHtml(page);
    const shown = plain(texts);
    const isSame = isOneLine ? structure === benign.get(name) : !DANGEROUS.test(structure);
    const survives = WITHOUT_TEXTS.has(name) || parts.every((part) => shown.includes(part));
    const others = addresses.filter((address) => !KNOWN_ADDRESS.test(address));
    return isSame && survives && !others.length ? [] : [{ name, text, isSame, survives, others }];
  });
}

const benign = new Map(
  Object.entries(officePagesWith('Ana Diaz')).map(([name, page]) => [name, parseHtml(page).structure] as const),
);

test('the pages of the office show each text of a person', () => {
  for (const [name, page] of Object.entries(officePagesWith('Ana Diaz')))
    expect([name, page.includes('Ana Diaz')]).toEqual([name, !WITHOUT_TEXTS.has(name)]);
  for (const structure of benign.values()) expect(structure).not.toMatch(DANGEROUS);
});

/** Each text alone, and behind what would end the place in which it stands. */
const embedded = hostileTexts.flatMap((text) => [
  text,
  `">${text}`,
  `' ${text}`,
  `</textarea></p>${text}`,
  `-->${text}`,
]);

test('500 hostile texts change no element of any page, open no other address, and stand there as they are', () => {
  expect(embedded.length).toBeGreaterThanOrEqual(500);
  expect(sampled(embedded).flatMap(faultsOf)).toEqual([]);
});

test('nor does any other text, made of the parts of HTML', () => {
  const part = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '/',
    '=',
    ' ',
    'a',
    'script',
    'onload',
    'javascript:',
    '`',
    '{',
    '$',
  );
  const text = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => `x${parts.join('')}x`);
  fc.assert(
    fc.property(text, (each) => faultsOf(each).length === 0),
    { numRuns: 40 },
  );
});
