import { entity } from './entity.ts';
import { id, json, number, text } from './fields.ts';

/** An entry of a small list of an account; in version 0 if it was stored before versions existed. */
export const settingEntity = entity('Setting', {
  Kind: text({ required: true }),
  Id: id(),
  V: number(),
  Value: json({ required: true }),
});
