import { type RecordOf, entity } from './declaration/entity.ts';
import { id, moment, number, text } from './declaration/fields.ts';

/** A logged call as it is stored. */
export const callEntity = entity('Call', {
  Id: id({ resource: true }),
  OrganizationId: id({ resource: true }),
  ContactId: id({ nullable: true, resource: true }),
  /** The note that describes it in its contact; `null` without a contact, and for calls of earlier versions. */
  NoteId: id({ nullable: true, resource: true }),
  /** The whole record as sent. */
  Text: text({ resource: true, personal: 'written' }),
  Phone: text({ resource: true, personal: 'written' }),
  Direction: text({ resource: true }),
  DurationSeconds: number({ nullable: true, resource: true }),
  Note: text({ resource: true, personal: 'written' }),
  RecordingUrl: text({ resource: true, personal: 'written' }),
  /** Its number for comparing, `""` if it has none or was logged by an earlier version. */
  PhoneKey: text(),
  Created: moment({ required: true, resource: 'CreatedAt' }),
  V: number(),
});
export type StoredCall = RecordOf<typeof callEntity>;
