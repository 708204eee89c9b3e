import { describe, expect, test } from 'vitest';
import { type FormulaVariables, evaluateFormula, parseFormula } from '../../../lib/domain/formula.ts';

const VALUES: FormulaVariables = { quantity: 12, base: '40.00', unit: 2.5, LOT_SIZE: '0.25', zero: 0, min: 9 };

/** What a formula comes to over VALUES: its number, or the sentence why it has none. */
function valueOf(text: string, variables = VALUES): string {
  const parsed = parseFormula(text, new Set(Object.keys(VALUES)));
  if (!parsed.ok) return parsed.message;
  const evaluated = evaluateFormula(parsed.formula, variables);
  return evaluated.ok ? evaluated.value.toBig(20).toFixed() : evaluated.message;
}

describe('the value of a formula', () => {
  test.each([
    // Precedence: 2 + 12 = 14; 40 − 30 = 10; 40 / 2.5 = 16, × 2 = 32; 8 − 3 − 2 = 3 from the left.
    ['2 + 3 * 4', '14'],
    ['base - unit * quantity', '10'],
    ['base / unit * 2', '32'],
    ['8 - 3 - 2', '3'],
    ['(2 + 3) * 4', '20'],
    ['base + unit × quantity', '70'],
    ['base ÷ 16 − 0.5', '2'],
    ['-quantity * -2', '24'],
    ['- -3', '3'],
    ['2 - -3', '5'],
    ['-2 * 3 + 7', '1'],
    ['.5 + 0.25', '0.75'],
    // Decimals, not binary: 0.1 + 0.2 = 0.3; 1.005 rounds to 1.01.
    ['0.1 + 0.2', '0.3'],
    ['round(1.005, 2)', '1.01'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(1249, -2)', '1200'],
    ['round(unit)', '3'],
    ['ceil(2.1)', '3'],
    ['ceil(-2.1)', '-2'],
    ['ceil(4)', '4'],
    ['floor(2.9)', '2'],
    ['floor(-2.1)', '-3'],
    // 12 / 5 = 2.4 boxes, 3 to buy, 3 × 40 = 120.
    ['ceil(quantity / 5) * base', '120'],
    ['1 / 3', '0.33333333333333333333'],
    ['2 / 3', '0.66666666666666666667'],
    ['floor(1 / 3 * 3)', '1'],
    ['1 / 3 * 3 = 1', '1'],
    // With decimals 10.2349…: what was cut off by the division would be missing.
    ['1.15 / 3 * 26.7', '10.235'],
    ['round(1.15 / 3 * 26.7, 2)', '10.24'],
    ['1 / 7 + 2 / 7 + 4 / 7 = 1', '1'],
    ['min(3, 1, 2)', '1'],
    ['max(base, unit * 20)', '50'],
    ['max(7)', '7'],
    ['quantity > 10', '1'],
    ['quantity ≥ 12 and quantity ≤ 12', '1'],
    ['quantity >= 13', '0'],
    ['quantity < 12', '0'],
    ['quantity <= 12', '1'],
    ['quantity = 12.0', '1'],
    ['quantity == 12', '1'],
    ['quantity != 12', '0'],
    ['quantity <> 11', '1'],
    ['quantity ≠ 12', '0'],
    ['not quantity = 12', '0'],
    ['not zero and zero', '0'],
    ['not (zero and zero)', '1'],
    ['zero or quantity', '1'],
    ['1 or 0 and 0', '1'],
    ['(quantity > 10) * 5', '5'],
    // Above 10 units the 2 units over cost 2 each: 40 + 2 × 2 = 44.
    ['if(quantity > 10, base + (quantity - 10) * 2, base)', '44'],
    ['if(zero, 1, if(unit, 2, 3))', '2'],
    ['IF(Quantity > 10 AND NOT Zero, Max(1, 2), 0)', '2'],
    ['lot_size * 4', '1'],
    ['min + min(min, 1)', '10'],
    [' 1\n+\t2 ', '3'],
    ['0 * -1', '0'],
    ['999999999999999 + 1', '1000000000000000'],
  ])('%s is %s', (text, value) => expect(valueOf(text)).toBe(value));

  test.each([
    ['if(zero = 0, 5, 1 / zero)', '5'],
    ['if(zero, missing(1), 5)', 'Unknown function "missing" at character 10.'],
    ['zero and 1 / zero', '0'],
    ['1 or 1 / zero', '1'],
    ['1 and 1 / zero', 'The formula divides by zero.'],
    ['1 / zero', 'The formula divides by zero.'],
    ['1 / (unit - 2.5)', 'The formula divides by zero.'],
    ['1000000000000000 + 1', 'A step of the formula is beyond ±1,000,000,000,000,000.'],
    ['-1000000000000000 - 1', 'A step of the formula is beyond ±1,000,000,000,000,000.'],
    ['1000000000000001', 'A number in the formula is beyond ±1,000,000,000,000,000.'],
    ['1 / .0000000000000001', 'A step of the formula is beyond ±1,000,000,000,000,000.'],
    ['round(1, 0.5)', 'The second value of "round" must be a whole number from -15 to 15.'],
    ['round(1, 16)', 'The second value of "round" must be a whole number from -15 to 15.'],
  ])('%s gives %s', (text, message) => expect(valueOf(text)).toBe(message));

  test.each<[string, FormulaVariables, string]>([
    ['without it', {}, 'The value of "base" is missing.'],
    ['inherited, not given', Object.create({ base: 1 }), 'The value of "base" is missing.'],
    ['not a number', { base: Number.NaN }, 'The value of "base" is not a number.'],
    ['infinite', { base: Infinity }, 'The value of "base" is not a number.'],
    ['empty', { base: '' }, 'The value of "base" is not a number.'],
    ['in words', { base: 'forty' }, 'The value of "base" is not a number.'],
    ['of a billion digits, by an exponent', { base: '1e999999999' }, 'The value of "base" is not a number.'],
    ['of a million digits', { base: '9'.repeat(1_000_000) }, 'The value of "base" is not a number.'],
    ['too large', { base: '1000000000000000.01' }, 'The value of "base" is beyond ±1,000,000,000,000,000.'],
    ['too small to matter', { base: 5e-324 }, '0'],
    ['with blanks around it', { base: ' -7.50 ' }, '-7.5'],
  ])('of a name whose value is %s', (_, variables, expected) => expect(valueOf('base', variables)).toBe(expected));
});

describe('a text that is no formula', () => {
  const names = new Set(['quantity', 'base', 'unit', 'Lot', 'LOT']);

  test.each([
    ['', 1, 'The formula is empty.'],
    [' \n ', 1, 'The formula is empty.'],
    ['1 +', 4, 'The formula ends at character 4, where a value is expected.'],
    ['(1 + 2', 7, 'The formula ends at character 7, where an operator or ")" is expected.'],
    ['1 + 2)', 6, 'Found ")" at character 6, where an operator is expected.'],
    ['1 2', 3, 'Found "2" at character 3, where an operator is expected.'],
    ['2 quantity', 3, 'Found "quantity" at character 3, where an operator is expected.'],
    ['* 2', 1, 'Found "*" at character 1, where a value is expected.'],
    ['1 + + 2', 5, 'Found "+" at character 5, where a value is expected.'],
    ['1 and', 6, 'The formula ends at character 6, where a value is expected.'],
    ['and 1', 1, 'Found "and" at character 1, where a value is expected.'],
    ['()', 2, 'Found ")" at character 2, where a value is expected.'],
    ['1, 2', 2, 'Found "," at character 2, where an operator is expected.'],
    ['min(1 2)', 7, 'Found "2" at character 7, where an operator or ")" is expected.'],
    ['min(1,)', 7, 'Found ")" at character 7, where a value is expected.'],
    ['1.2.3', 1, '"1.2.3" at character 1 is not a number.'],
    ['1e3', 1, '"1e3" at character 1 is not a number.'],
    ['0x10', 1, '"0x10" at character 1 is not a number.'],
    ['5.', 1, '"5." at character 1 is not a number.'],
    ['base; unit', 5, '";" at character 5 has no meaning in a formula.'],
    ['base ** 2', 7, 'Found "*" at character 7, where a value is expected.'],
    ['base 💥', 6, '"💥" at character 6 has no meaning in a formula.'],
    ['base["x"]', 5, '"[" at character 5 has no meaning in a formula.'],
    ['`x`', 1, '"`" at character 1 has no meaning in a formula.'],
    ['\u0000', 1, '"\\u0000" at character 1 has no meaning in a formula.'],
    ['quantty * 2', 1, 'Unknown name "quantty" at character 1. Did you mean "quantity"?'],
    ['1 + wholly_else', 5, 'Unknown name "wholly_else" at character 5.'],
    ['lot', 1, 'Unknown name "lot" at character 1. Did you mean "Lot"?'],
    ['base(2)', 1, '"base" at character 1 is not a function; multiply with "*".'],
    ['rund(2)', 1, 'Unknown function "rund" at character 1. Did you mean "round"?'],
    ['min', 1, '"min" at character 1 needs its arguments in parentheses.'],
    ['min()', 1, '"min" at character 1 takes 1 or more arguments, not 0.'],
    ['if(1, 2)', 1, '"if" at character 1 takes 3 arguments, not 2.'],
    ['round(1, 2, 3)', 1, '"round" at character 1 takes 1 or 2 arguments, not 3.'],
    ['1 < 2 < 3', 7, 'Comparisons do not chain: put "and" before the one at character 7.'],
    ['1 + not 2', 5, 'Put parentheses around the expression that begins with "not" at character 5.'],
    ['__proto__', 1, 'Unknown name "__proto__" at character 1.'],
    ['constructor', 1, 'Unknown name "constructor" at character 1.'],
    ['toString()', 1, 'Unknown function "toString" at character 1.'],
    ['constructor(1)', 1, 'Unknown function "constructor" at character 1.'],
    ['base.constructor', 5, '".constructor" at character 5 is not a number.'],
  ])('%j is refused at character %d', (text, at, message) => {
    expect(parseFormula(text, names)).toEqual({ ok: false, at, message });
  });

  test('is refused when nested deeper than 32 levels, by whatever means', () => {
    const nested = (open: string, close: string, levels: number) => open.repeat(levels) + '1' + close.repeat(levels);
    for (const [open, close] of [
      ['(', ')'],
      ['-', ''],
      ['not ', ''],
      ['min(', ')'],
      ['1-(', ')'],
    ] as const) {
      expect(parseFormula(nested(open, close, 32), names).ok).toBe(true);
      const refused = parseFormula(nested(open, close, 33), names);
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('nested deeper than 32 levels') });
    }
  });

  test('is refused beyond 500 characters, and read up to them', () => {
    expect(parseFormula(`${'1+'.repeat(249)}10`, names).ok).toBe(true);
    expect(parseFormula(`${'1+'.repeat(249)}100`, names)).toEqual({
      ok: false,
      at: 501,
      message: 'The formula has 501 characters; at most 500 are allowed.',
    });
  });
});
