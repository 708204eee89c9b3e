import { type Actor, type StoredActor, storeActor } from '../../shared/actor.ts';
import { attributes } from '../keys.ts';
import type { Change, Item } from './changes.ts';
import type { TableWriter } from './client.ts';

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

/**
 * The table with `actor` in every record that is written through it, where no other is in it yet: the event of the
 * change names that actor.
 */
export function asActor(table: TableWriter, actor: Actor): TableWriter {
  const stored = storeActor(actor);
  return {
    ...table,
    commit: (changes) => table.commit(changes.map((change) => stamp(change, stored))),
    update: (change) => table.update(stampUpdate(change, stored)),
    putMany: (items, removals) =>
      table.putMany(
        items.map((item) => stampItem(item, stored)),
        removals,
      ),
  };
}
