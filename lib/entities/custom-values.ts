import { type ObjectOf, id, json } from './fields.ts';

/** A value of a custom field. */
export const customValue = { Id: id(), Value: json() };
export type CustomValue = ObjectOf<typeof customValue>;
