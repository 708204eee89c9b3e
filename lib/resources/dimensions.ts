import { decimal, id, list, nullable, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** A measured attribute of parts (length, voltage): within Minimum and Maximum in steps of Step, or one of Options. */
export const Dimension = resource('Dimension', () => ({
  Id: id(),
  Name: text(200),
  UnitOfMeasure: text(50),
  Minimum: nullable(decimal()),
  Maximum: nullable(decimal()),
  Step: nullable(decimal()),
  Options: list(text(200)),
}));
export type Dimension = Output<typeof Dimension>;
