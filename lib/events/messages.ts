import { type MessageRecord, messageEntity } from '../entities/messages.ts';
import type { EntityKind } from './entity-kind.ts';

/** A message to a client or the office. One that waits or is suppressed has no event. */
export const message: EntityKind<MessageRecord> = {
  noun: 'message',
  resource: (record) => messageEntity.toResource(record),
  contactId: ({ ContactId }) => ContactId,
};
