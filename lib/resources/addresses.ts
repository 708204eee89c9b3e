import { text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** The lines of a postal address, as contacts and organizations have them. */
export const addressLines = () => ({
  Address1: text(200),
  Address2: text(200),
  City: text(100),
  State: text(100),
  Zip: text(20),
});

/** A postal address. */
export const Address = resource('Address', addressLines, { carriesResult: true });
export type Address = Output<typeof Address>;
