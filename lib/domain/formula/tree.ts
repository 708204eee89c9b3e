import type Big from 'big.js';

/** Operators between two values, each with how tightly it binds. All group from the left; comparisons do not chain. */
export const BINDING = {
  or: 1,
  and: 2,
  '=': 4,
  '<>': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
} as const;

/** `not` binds between `and` and the comparisons: `not a = b and c` is `(not (a = b)) and c`. */
export const NOT_BINDING = 3;

/** A minus sign before a value binds tighter than every operator between two. */
export const MINUS_BINDING = 7;

export type Operator = keyof typeof BINDING;

/** Functions and how many values each takes, at least and at most. */
export const FUNCTIONS = {
  min: [1, Infinity],
  max: [1, Infinity],
  round: [1, 2],
  ceil: [1, 1],
  floor: [1, 1],
  if: [3, 3],
} as const;

export type FunctionName = keyof typeof FUNCTIONS;

/** A parsed formula: a tree whose every number is a decimal; a condition is 1 when it holds and 0 when not. */
export type Formula =
  | { readonly kind: 'number'; readonly value: Big }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'minus' | 'not'; readonly operand: Formula }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly operands: readonly Formula[] };
