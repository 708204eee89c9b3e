import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFormulaName } from '../../../lib/domain/formula-names.ts';
import { type Formula, evaluateFormula, parseFormula } from '../../../lib/domain/formula.ts';
import { anyCharacter } from '../../support/random/characters.ts';

type Called = Extract<Formula, { kind: 'call' }>;
type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
type Operator = 'or' | 'and' | Comparison | '+' | '-' | '*' | '/';
const COMPARISONS: readonly Comparison[] = ['=', '<>', '<', '<=', '>', '>='];
const LEVELS: readonly (readonly Operator[])[] = [['or'], ['and'], [], COMPARISONS, ['+', '-'], ['*', '/']];
const levelOf = (operator: Operator): number => LEVELS.findIndex((level) => level.includes(operator));
const [NOT, MINUS, VALUE] = [2, 6, 7];

const VARIABLES = { quantity: '7', base: '40.25', unit: '-2.5', zero: '0' };
const names = new Set(Object.keys(VARIABLES));

/** Random formulas. */
const formulas = fc.letrec<{ formula: Formula; divisor: Formula }>((tie) => {
  const literal = (value: Big) => ({ kind: 'number' as const, value });
  const number = fc.integer({ min: 0, max: 99_999 }).map((cents) => literal(new Big(cents).div(100)));
  const small = fc.integer({ min: 0, max: 16 }).map((value) => literal(new Big(value)));
  const digits = fc.integer({ min: 0, max: 4 }).map((value) => literal(new Big(value)));
  const variable = fc.constantFrom(...names).map((name) => ({ kind: 'variable' as const, name }));
  const operator = fc.constantFrom<Exclude<Operator, '/'>[]>('or', 'and', ...COMPARISONS, '+', '-', '*');
  const formula = tie('formula');
  const operation = fc.constant('operation' as const);
  const call = <N extends Called['name']>(name: N, operands: fc.Arbitrary<Formula[]>) =>
    operands.map((list) => ({ kind: 'call' as const, name, operands: list }));
  return {
    divisor: fc.oneof(small, variable),
    formula: fc.oneof(
      { depthSize: 'medium', maxDepth: 6, withCrossShrink: true },
      number,
      variable,
      fc.record({ kind: fc.constantFrom('minus' as const, 'not' as const), operand: formula }),
      { weight: 3, arbitrary: fc.record({ kind: operation, operator, left: formula, right: formula }) },
      fc.record({ kind: operation, operator: fc.constant('/' as const), left: formula, right: tie('divisor') }),
      call('min', fc.array(formula, { minLength: 1, maxLength: 3 })),
      call('max', fc.array(formula, { minLength: 1, maxLength: 3 })),
      call('round', fc.tuple(formula, digits)),
      call('round', fc.tuple(formula)),
      call('ceil', fc.tuple(formula)),
      call('floor', fc.tuple(formula)),
      call('if', fc.tuple(formula, formula, formula)),
    ),
  };
}).formula;

/** A formula as text with no parenthesis that it could do without. */
function print(formula: Formula): string {
  const inner = (child: Formula, least: number): string =>
    bindingOf(child) < least ? `(${print(child)})` : print(child);
  switch (formula.kind) {
    case 'number':
      return formula.value.toFixed();
    case 'variable':
      return formula.name;
    case 'minus':
      return `-${inner(formula.operand, MINUS)}`;
    case 'not':
      return `not ${inner(formula.operand, NOT)}`;
    case 'call':
      return `${formula.name}(${formula.operands.map(print).join(', ')})`;
    case 'operation': {
      const level = levelOf(formula.operator);
      const chains = !COMPARISONS.some((comparison) => comparison === formula.operator);
      const left = inner(formula.left, chains ? level : level + 1);
      return `${left} ${formula.operator} ${inner(formula.right, level + 1)}`;
    }
  }
}

function bindingOf(formula: Formula): number {
  if (formula.kind === 'operation') return levelOf(formula.operator);
  if (formula.kind === 'not') return NOT;
  return formula.kind === 'minus' ? MINUS : VALUE;
}

/** A fraction in lowest terms, the divisor positive: the oracle's numbers, which lose nothing. */
type Fraction = readonly [bigint, bigint];

function fraction(top: bigint, bottom = 1n): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
  const sign = top < 0n === bottom < 0n ? 1n : -1n;
  const [n, d] = [a, b];
  while (b !== 0n) [a, b] = [b, a % b];
  return [(sign * n) / a, d / a];
}

const ofText = (text: string): Fraction => {
  const [whole = '', decimals = ''] = text.split('.');
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
};
const order = ([a, b]: Fraction, [c, d]: Fraction): bigint => a * d - c * b;
const floor = ([a, b]: Fraction): bigint => (a - (((a % b) + b) % b)) / b;
const truth = (holds: boolean): Fraction => [holds ? 1n : 0n, 1n];
const LIMIT: Fraction = [10n ** 15n, 1n];

/** What stops an evaluation, in the oracle. */
class Stop extends Error {}

/** The exact value of a formula, by another arithmetic than the one under test. */
function exact(formula: Formula): Fraction {
  const value = exactStep(formula);
  if (order(value, LIMIT) > 0n || order(value, [-LIMIT[0], 1n]) < 0n) throw new Stop('beyond');
  return value;
}

function exactStep(formula: Formula): Fraction {
  switch (formula.kind) {
    case 'number':
      return ofText(formula.value.toFixed());
    case 'variable':
      return ofText(VARIABLES[formula.name as keyof typeof VARIABLES]);
    case 'minus': {
      const [a, b] = exact(formula.operand);
      return [-a, b];
    }
    case 'not':
      return truth(exact(formula.operand)[0] === 0n);
    case 'operation': {
      const left = exact(formula.left);
      if (formula.operator === 'and' && left[0] === 0n) return truth(false);
      if (formula.operator === 'or' && left[0] !== 0n) return truth(true);
      return exactOperation(formula.operator, left, exact(formula.right));
    }
    case 'call':
      return exactCall(formula);
  }
}

function exactOperation(operator: Operator, [a, b]: Fraction, [c, d]: Fraction): Fraction {
  const difference = a * d - c * b;
  switch (operator) {
    case '+':
      return fraction(a * d + c * b, b * d);
    case '-':
      return fraction(difference, b * d);
    case '*':
      return fraction(a * c, b * d);
    case '/':
      if (c === 0n) throw new Stop('zero');
      return fraction(a * d, b * c);
    case '=':
      return truth(difference === 0n);
    case '<>':
      return truth(difference !== 0n);
    case '<':
      return truth(difference < 0n);
    case '<=':
      return truth(difference <= 0n);
    case '>':
      return truth(difference > 0n);
    case '>=':
      return truth(difference >= 0n);
    default:
      return truth(c !== 0n);
  }
}

function exactCall({ name, operands }: Called): Fraction {
  const [first, second, third] = operands;
  if (first === undefined) throw new Error('a call has an operand');
  if (name === 'if') {
    const selected = exact(first)[0] !== 0n ? second : third;
    if (selected === undefined) throw new Error('if has three operands');
    return exact(selected);
  }
  const values = operands.map(exact);
  const [a, b] = values[0] ?? [0n, 1n];
  switch (name) {
    case 'min':
      return values.reduce((least, value) => (order(value, least) < 0n ? value : least));
    case 'max':
      return values.reduce((max, value) => (order(value, max) > 0n ? value : max));
    case 'floor':
      return [floor([a, b]), 1n];
    case 'ceil':
      return [-floor([-a, b]), 1n];
    default: {
      const scale = 10n ** (values[1]?.[0] ?? 0n);
      const half = floor(fraction((a < 0n ? -a : a) * scale * 2n + b, b * 2n));
      return fraction(a < 0n ? -half : half, scale);
    }
  }
}

/** A tree with its decimals as text, which compare by value. */
const comparable = (formula: Formula): unknown => JSON.parse(JSON.stringify(formula));

describe('a formula printed with as few parentheses as can be', () => {
  const short = formulas.filter((formula) => print(formula).length <= 500);

  test('is read back as the same tree', () => {
    fc.assert(
      fc.property(short, (formula) => {
        const parsed = parseFormula(print(formula), names);
        expect(parsed).toMatchObject({ ok: true });
        if (parsed.ok) expect(comparable(parsed.formula)).toEqual(comparable(formula));
      }),
      { numRuns: 1000 },
    );
  });

  test('has the value that exact fractions give, or stops for the same reason', () => {
    const seen = { value: 0, zero: 0, beyond: 0 };
    fc.assert(
      fc.property(short, (formula) => {
        const evaluated = evaluateFormula(formula, VARIABLES);
        try {
          const [a, b] = exact(formula);
          expect(evaluated).toMatchObject({ ok: true });
          if (evaluated.ok) {
            const { numerator, denominator } = evaluated.value;
            expect(numerator * b).toBe(a * denominator);
          }
          seen.value++;
        } catch (stop) {
          if (!(stop instanceof Stop)) throw stop;
          const reason = stop.message === 'zero' ? 'The formula divides by zero.' : 'A step of the formula is beyond';
          expect(evaluated).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
          seen[stop.message === 'zero' ? 'zero' : 'beyond']++;
        }
      }),
      { numRuns: 2000 },
    );
    expect(seen.value).toBeGreaterThan(500);
    expect(seen.zero).toBeGreaterThan(10);
  });
});

describe('any text whatever', () => {
  const words = ['quantity', 'base', 'min', 'if', 'and', 'or', 'not', 'x', '__proto__', '1', '.5', '1e9'];
  const signs = ['(', ')', ',', '+', '-', '*', '/', '<', '=', '≠', ' ', '💥', '\ud800'];
  const list = fc.array(fc.constantFrom(...words, ...signs), { maxLength: 40 });
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 600 }),
    list.map((pieces) => pieces.join(' ')),
    list.map((pieces) => pieces.join('')),
  );

  test('is read, and has a value or a sentence why not, or is refused by a sentence and a character in it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseFormula(text, names);
        if (parsed.ok) {
          const evaluated = evaluateFormula(parsed.formula, VARIABLES);
          if (!evaluated.ok) expect(evaluated.message).toMatch(/\.$/);
          return;
        }
        expect(parsed.message).toMatch(/[.?]$/);
        expect(parsed.at).toBeGreaterThanOrEqual(1);
        expect(parsed.at).toBeLessThanOrEqual(text.length + 1);
      }),
      { numRuns: 3000 },
    );
  });
});

test('isFormulaName accepts exactly the names that a formula can contain', () => {
  expect(['lot', '_a1', 'größe', 'min'].filter(isFormulaName)).toEqual(['lot', '_a1', 'größe', 'min']);
  expect(['', '1a', 'a b', 'a-b', 'and', 'OR', 'not', 'a.b', '💥'].filter(isFormulaName)).toEqual([]);
});
