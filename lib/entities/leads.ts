import { type RecordOf, entity } from './declaration/entity.ts';
import { id, moment, number, text, texts } from './declaration/fields.ts';

/** An address at which forms of other sites leave leads. */
export const leadFormEntity = entity('LeadForm', {
  Id: id(),
  /** What the company calls it: `Website`. Its leads, their notes and tasks name it. */
  Name: text({ required: true }),
  OrganizationId: id(),
  /** Names of the channel and the campaign for new contacts; `''` for none. */
  Channel: text(),
  Campaign: text(),
  /** Origins of sites whose scripts may read the answer. */
  Sites: texts(),
  /** Where a browser goes after the form; `''` for an answer in JSON. */
  Thanks: text(),
  Created: moment({ required: true }),
  RevokedAt: moment({ optional: true }),
  /** How many leads came, how many came again, and how many forms were taken for spam. */
  Received: number(),
  Repeated: number(),
  Spam: number(),
  /** When the last lead came. */
  LastAt: moment({ optional: true }),
});
export type LeadForm = RecordOf<typeof leadFormEntity>;

/** A lead that came: until then the same one is not stored again. */
export const leadReceiptEntity = entity('LeadReceipt', { Until: moment({ required: true }) });
