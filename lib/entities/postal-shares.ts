import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, id, listOf, number, text, textsByName } from './fields.ts';
import { postalClass } from './postal-classes.ts';

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
