import { type MessageRecord, type MessageState, messageEntity } from '../entities/messages.ts';
import type { EventKind } from '../resources/event-kinds.ts';
import type { EntityKind } from './entity-kind.ts';

const kindOfState: Readonly<Partial<Record<MessageState, EventKind>>> = {
  Sent: 'message.sent',
  Delivered: 'message.delivered',
  Bounced: 'message.bounced',
  Complained: 'message.complained',
  Failed: 'message.failed',
};

/** A message to a client or the office. Its event is what became of it; one that waits or is suppressed has none. */
export const message: EntityKind<MessageRecord> = {
  kinds: {},
  resource: (record) => messageEntity.toResource(record),
  contactId: ({ ContactId }) => ContactId,
  created: ({ State }) => kindOfState[State],
  updated: (before, after) => (before.State === after.State ? undefined : kindOfState[after.State]),
};
