import type { Stored } from '../entities/declaration/read.ts';
import { appointment } from './appointments.ts';
import { key, organization, part, service, serviceAgent, user } from './company.ts';
import { call, contact, task, upload } from './contacts.ts';
import { nounOf } from '../entities/nouns.ts';
import type { EntityKind, EventRelations, Fields } from './entity-kind.ts';
import { message } from './messages.ts';
import { invoice, payment, proposal } from './sales.ts';

/** Every kind of record whose changes are events, by the entity name in its items. */
export const entityKinds: ReadonlyMap<string, EntityKind> = new Map<string, EntityKind>([
  ['Contact', contact],
  ['Call', call],
  ['Task', task],
  ['Upload', upload],
  ['Appointment', appointment],
  ['Proposal', proposal],
  ['Invoice', invoice],
  ['Payment', payment],
  ['Message', message],
  ['Organization', organization],
  ['ServiceAgent', serviceAgent],
  ['User', user],
  ['Service', service],
  ['Part', part],
  ['Key', key],
]);

/** The resource of a stored record as in its events; empty for a kind without events. */
export function recordResource(name: string, stored: Stored, relations: EventRelations): Fields {
  const record = nounOf(name)?.read(stored);
  return (record && entityKinds.get(name)?.resource(record as never, relations)) ?? {};
}
