import { text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A city near an organization, with a postal code of it. */
export const City = resource('City', () => ({ Name: text(200), PostalCode: text(20) }));
export type City = Output<typeof City>;
