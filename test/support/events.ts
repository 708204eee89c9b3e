import { parseChange } from '../../lib/events/change.ts';
import { toEvent } from '../../lib/events/event.ts';
import { type EventRelations, noRelations } from '../../lib/events/entity-kind.ts';
import type { EventPayload } from '../../lib/resources/events.ts';
import { written } from './images.ts';

/** When the changes of `changed` happen, in seconds since 1970. */
const SECOND = Date.UTC(2026, 10, 21, 12, 0, 5) / 1000;

/** Those of an account without lists and contacts. */
export const eventRelations = (input: Partial<EventRelations> = {}): EventRelations => ({ ...noRelations, ...input });

type TestRecord = { readonly Id: number; readonly V: number };

/** The event of a change; a change with the same V gets the next one. */
export function changed<Of extends TestRecord>(
  entity: string,
  before: Of | undefined,
  after: Of | undefined,
  relations: EventRelations = eventRelations(),
): EventPayload | undefined {
  const next = before && after ? { ...after, V: before.V + 1 } : after;
  const dynamodb = {
    ApproximateCreationDateTime: SECOND,
    Keys: { PK: { S: 'A#acme#X' } },
    ...(before ? { OldImage: written({ E: entity, ...before }) } : {}),
    ...(next ? { NewImage: written({ E: entity, ...next }) } : {}),
  };
  return toEvent(parseChange({ dynamodb }, entity), relations);
}
