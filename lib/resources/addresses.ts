import { type Output, id, resource, text, zip } from './fields.ts';

export const addressLines = () => ({
  Address1: text(200),
  Address2: text(200),
  City: text(100),
  State: text(100),
  Zip: zip(),
});

export const Address = resource('Address', addressLines, { carriesResult: true });
export type Address = Output<typeof Address>;

/** A city near an organization, with one of its postal codes. */
export const City = resource('City', () => ({ Name: text(200), PostalCode: text(20) }));

export const IdName = resource('IdName', () => ({ Id: id(), Name: text(200) }));
export type IdName = Output<typeof IdName>;
