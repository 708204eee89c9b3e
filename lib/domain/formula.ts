/**
 * The expression language of pricing bands: decimals, names, `+ − × ÷` (also `- * /`), parentheses, `min`, `max`,
 * `round(value, digits)`, `ceil`, `floor`, comparisons (`< <= > >= = == <> !=`), `and`, `or`, `not` and
 * `if(condition, then, otherwise)`. Text becomes a tree and the tree a decimal; nothing of it is ever run as code.
 */
export { evaluateFormula, type EvaluatedFormula, type FormulaVariables } from './formula/evaluate.ts';
export { isFormulaName } from './formula/lex.ts';
export { MAXIMUM_DEPTH, MAXIMUM_LENGTH, parseFormula, type ParsedFormula } from './formula/parse.ts';
export type { Formula } from './formula/tree.ts';
