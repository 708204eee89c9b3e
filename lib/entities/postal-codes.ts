import type { Output } from '../resources/fields.ts';
import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { id, listOf, number, text, texts, textsByName } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** The class under which an organization books a postal code. */
export const postalClass = {
  Id: id({ resource: true, shownNullable: true }),
  AccountingClass: text({ max: 100, required: true, resource: true }),
  TerritoryID: text({ max: 100, resource: true }),
};
export type PostalClass = ObjectOf<typeof postalClass>;

/** An accounting class of an organization, with its normalized codes. */
export const accountingClassEntity = entity('AccountingClass', {
  ...postalClass,
  OrganizationId: id(),
  PostalCodes: texts({ max: 20, required: true, resource: true }),
  V: number(),
});
export type AccountingClassRecord = RecordOf<typeof accountingClassEntity>;

/** A postal code belongs to at most one accounting class of an organization (interface, section 4). */
export const AccountingClassPostalCodes = /* @__PURE__ */ resourceOf(accountingClassEntity, {
  title: 'AccountingClassPostalCodes',
});
export type AccountingClassPostalCodes = Output<typeof AccountingClassPostalCodes>;

/** An accounting class of an organization with its codes in the share, comma-separated. */
const shardClass = { ...postalClass, OrganizationId: id(), Codes: text({ required: true }) };
export type ShardClass = ObjectOf<typeof shardClass>;

/** A share of the postal codes of an account (lib/domain/postal-ownership.ts). */
export const postalShareEntity = entity('PostalShare', {
  /** Organization id → its codes, comma-separated. */
  Owners: textsByName({ required: true }),
  Classes: listOf(shardClass, { required: true }),
  V: number(),
});
export type PostalShare = RecordOf<typeof postalShareEntity>;
