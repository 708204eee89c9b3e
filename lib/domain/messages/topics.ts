/**
 * What a message about a record may be, as a part of a key: `Reminder-48` is the reminder 48 hours before a visit,
 * `InvoiceOverdue-2` the second about an overdue invoice.
 */

import type { MessageKind } from '../../entities/message-kinds.ts';

/** The changes of visits, which are announced together; their sum decides the kind of the message. */
export const VISIT_CHANGES = 'Visit';

type PlainKind = Exclude<
  MessageKind,
  'VisitBooked' | 'VisitConfirm' | 'VisitMoved' | 'VisitCanceled' | 'Reminder' | 'InvoiceOverdue' | 'NewLink'
>;

export type Topic = typeof VISIT_CHANGES | PlainKind | `Reminder-${number}` | `InvoiceOverdue-${number}`;

/** The kind and the number of a topic; 0 for one without. */
export function partsOfTopic(topic: Topic): { kind: MessageKind | typeof VISIT_CHANGES; number: number } {
  const [kind = '', number = '0'] = topic.split('-');
  return { kind: kind as MessageKind, number: Number(number) };
}
