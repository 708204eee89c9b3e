import { type RecordOf, entity } from './declaration/entity.ts';
import { listOf, number, object, text } from './declaration/fields.ts';

/** What the roads from an area to others are like (lib/domain/scheduling/roads.ts). */
export const roadFactorsEntity = entity('RoadFactors', {
  Area: text({ required: true }),
  Factors: listOf({ To: text({ required: true }), Factor: number({ required: true }) }),
});
export type RoadFactorsRecord = RecordOf<typeof roadFactorsEntity>;

/** Where an address is. */
export const addressPlaceEntity = entity('AddressPlace', {
  /** A hash of the address: the place of a former one does not count. */
  Address: text({ required: true }),
  /** `null` if no service knows the address. */
  Position: object({ latitude: number({ required: true }), longitude: number({ required: true }) }, { nullable: true }),
});
