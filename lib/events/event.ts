import type { EventPayload } from '../resources/events.ts';
import type { Change } from './change.ts';
import { changedFields } from './changed.ts';
import { entityKinds, type EntityKind, type View } from './kinds.ts';
import { noTransaction, transactionFields, type TransactionFields } from './transaction.ts';

const DELETE = 3;

/**
 * The contact of whom the change's event tells, when it is a transaction's: it must be in the View that the event is
 * made with.
 */
export function contactToldOf({ entity: name, before, after }: Change): number | null {
  const entity = entityKinds.get(name);
  const latest = after ?? before;
  return entity && latest && (!after || entity.transaction) ? entity.contactId(latest) : null;
}

/** The fields of the transaction that a change is; a deletion is one of its own moment. */
function transactionOf(
  entity: EntityKind,
  { after, at }: Change,
  contactId: number | null,
  view: View,
): TransactionFields {
  const contact = contactId === null ? undefined : view.contacts.get(contactId);
  if (!after) return transactionFields({ date: at.getTime(), subtotal: null }, contact);
  return entity.transaction ? transactionFields(entity.transaction(after), contact) : noTransaction;
}

/**
 * The event of a change, or none: where the entity has no events, or no field of the resource changed. `Changed` is
 * empty for what is new or gone; `Data` is what the thing's own operation would answer after the change: `null` when it
 * is gone.
 */
export function eventOf(change: Change, view: View): EventPayload | undefined {
  const entity = entityKinds.get(change.entity);
  const latest = change.after ?? change.before;
  if (!entity || !latest) return undefined;
  const before = change.before && entity.resource(change.before, view);
  const after = change.after && entity.resource(change.after, view);
  const ContactId = entity.contactId(latest);
  const common = {
    OrganizationId: (latest['OrganizationId'] as number | null | undefined) || null,
    ContactId,
    At: change.at.toISOString(),
    Truncated: false,
  };
  const whole = () => ({
    Id: change.id,
    ...common,
    TransactionKind: after ? (entity.transactionKind ?? null) : DELETE,
    ...transactionOf(entity, change, ContactId, view),
  });
  if (!after) return { Kind: entity.kinds.deleted, ...whole(), Changed: [], Data: null };
  const shown = entity.shown ? entity.shown(after, latest) : after;
  const content = { Data: shown, Truncated: shown === null };
  if (!before) return { Kind: entity.created?.(latest) ?? entity.kinds.created, ...whole(), Changed: [], ...content };
  const Changed = changedFields(before, after);
  if (Changed.length === 0) return undefined;
  const part = entity.part?.(Changed, before, after);
  if (part) return { TransactionKind: null, ...noTransaction, ...common, ...part };
  return { Kind: entity.updated?.(change) ?? entity.kinds.updated, ...whole(), Changed, ...content };
}
