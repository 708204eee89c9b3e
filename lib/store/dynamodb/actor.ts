import { type Actor, type Key, type StoredActor, attributes, storeActor } from '../keys.ts';
import type { Change, Item } from './changes.ts';
import type { PatientTable, TableWriter } from './table.ts';

/** Adds the actor to the records among items: those with a kind, whose changes are events. */
const stampItem = <Of extends Item>(item: Of, actor: StoredActor): Of =>
  attributes.entity in item && !(attributes.actor in item) ? { ...item, [attributes.actor]: actor } : item;

/** An update that counts the version is one of a record too. */
function stampUpdate<Of extends Extract<Change, { update: unknown }>>(change: Of, actor: StoredActor): Of {
  const { add = {}, set = {} } = change;
  if (!(attributes.version in add) || attributes.actor in set) return change;
  return { ...change, set: { ...set, [attributes.actor]: actor } };
}

function stamp(change: Change, actor: StoredActor): Change {
  if ('put' in change) return { ...change, put: stampItem(change.put, actor) };
  return 'update' in change ? stampUpdate(change, actor) : change;
}

const isPatient = (table: TableWriter): table is PatientTable => 'until' in table;

/**
 * The table with `actor` in every record that is written through it, where no other is in it yet: the event of the
 * change names that actor.
 */
export function asActor<Table extends TableWriter>(table: Table, actor: Actor): Table {
  const stored = storeActor(actor);
  return {
    ...table,
    commit: (changes: readonly Change[], options?: { repeat?: boolean }) =>
      table.commit(
        changes.map((change) => stamp(change, stored)),
        options,
      ),
    update: (change: Extract<Change, { update: Key }>) => table.update(stampUpdate(change, stored)),
    putMany: (items: readonly Item[], removals?: readonly Key[]) =>
      table.putMany(
        items.map((item) => stampItem(item, stored)),
        removals,
      ),
    ...(isPatient(table) ? { until: (deadline: number) => asActor(table.until(deadline), actor) } : {}),
  };
}
