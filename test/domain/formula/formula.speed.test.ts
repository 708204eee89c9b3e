import { expect, test } from 'vitest';
import { evaluateFormula, parseFormula } from '../../../lib/domain/formula.ts';
import { costOf } from '../../support/cpu.ts';

test.each([
  ['20,000 parentheses', '('.repeat(20_000)],
  ['a megabyte of minus signs', '-'.repeat(1_000_000)],
  ['a megabyte of blanks', ' '.repeat(1_000_000)],
  ['500 parentheses', '('.repeat(500)],
  ['500 digits', '9'.repeat(500)],
  ['250 names', `${'q*'.repeat(249)}q`],
])('%s: read or refused at the cost of a few kilobytes of JSON', async (_, text) => {
  const one = new Set(['q']);
  expect(await costOf(() => parseFormula(text, one))).toBeLessThan(10);
});

// Long denominators are reduced, then rounded: the product of 250 names would have 5,000 digits.
test.each(['+', '*', '/'])('250 names of 20 decimals joined by %s are evaluated at once', async (sign) => {
  const parsed = parseFormula(`${`q${sign}`.repeat(249)}q`, new Set(['q']));
  if (!parsed.ok) throw new Error(parsed.message);
  expect(await costOf(() => evaluateFormula(parsed.formula, { q: '0.98765432109876543211' }))).toBeLessThan(100);
});
