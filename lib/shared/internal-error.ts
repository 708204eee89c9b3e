/**
 * A defect that this project's own code reports. Its message is logged, so it names fields, ids and limits, never a
 * text of a customer. Messages of other errors are not logged: `JSON.parse` quotes its input, AWS its parameters.
 */
export class InternalError extends Error {
  override readonly name: string = 'InternalError';
}
