import { type RecordOf, entity } from './declaration/entity.ts';
import { id, moment, number, text } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** A logged call. No operation returns calls: the resource is for events. */
export const callEntity = entity('Call', {
  Id: id({ resource: true }),
  OrganizationId: id({ resource: true }),
  ContactId: id({ nullable: true, resource: true }),
  /** The note that describes the call in its contact; `null` without a contact, and for calls of earlier versions. */
  NoteId: id({ nullable: true, resource: true, description: 'The note of the contact that describes the call.' }),
  Text: text({ resource: true, personal: 'written', description: 'The whole record as sent.' }),
  Phone: text({ resource: true, personal: 'written' }),
  Direction: text({ resource: true }),
  DurationSeconds: number({ min: 0, nullable: true, resource: true }),
  Note: text({ resource: true, personal: 'written' }),
  RecordingUrl: text({ resource: true, personal: 'written' }),
  /** Normalized number for comparisons; `""` if it has none or was logged by an earlier version. */
  PhoneKey: text(),
  Created: moment({ required: true, resource: 'CreatedAt' }),
  V: number(),
});
export type StoredCall = RecordOf<typeof callEntity>;

export const CallEventData = /* @__PURE__ */ resourceOf(callEntity, { title: 'CallEventData' });
