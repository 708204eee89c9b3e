/**
 * Why a formula was not read or has no value: thrown in the depth of the recursion, caught by the two functions that
 * begin it and answered by them as a value. It never leaves this folder.
 */
export class Refusal extends Error {
  readonly at: number;

  constructor(message: string, at = 0) {
    super(message);
    this.at = at;
  }
}
