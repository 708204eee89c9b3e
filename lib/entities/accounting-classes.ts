import { type RecordOf, entity } from './entity.ts';
import { id, number, texts } from './fields.ts';
import { postalClass } from './postal-classes.ts';

/** An accounting class of an organization, with its normalised codes. */
export const accountingClassEntity = entity('AccountingClass', {
  ...postalClass,
  OrganizationId: id(),
  PostalCodes: texts({ required: true }),
  V: number(),
});
export type AccountingClassRecord = RecordOf<typeof accountingClassEntity>;
