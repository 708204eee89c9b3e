/**
 * Whether a text can be a name in a formula: letters, digits and `_`, not starting with a digit, and not `and`, `or` or
 * `not`.
 */
export const isFormulaName = (text: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && !/^(?:and|or|not)$/i.test(text);
