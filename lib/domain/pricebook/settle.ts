import type { Fault } from '../faults.ts';
import { alike } from '../alike.ts';
import type { Identified } from './identify.ts';

/** A thing told of: as it was, as it will be, and where it was told of first. */
export interface Settled<Thing> {
  readonly field: string;
  readonly before: Thing | undefined;
  readonly after: Thing;
}

/**
 * What the things told of become, by id. A thing may be told of twice, as a part that several services bring is, but
 * then both must say the same.
 */
export function settle<Entry, Thing extends object>(
  told: readonly Identified<Entry, Thing>[],
  say: (one: Identified<Entry, Thing>) => { thing: Thing; faults: readonly Fault[] },
): { settled: Map<number, Settled<Thing>>; faults: Fault[] } {
  const settled = new Map<number, Settled<Thing>>();
  const faults: Fault[] = [];
  for (const one of told) {
    const first = settled.get(one.id);
    const { thing: after, faults: found } = say(first ? { ...one, before: first.after } : one);
    faults.push(...found);
    if (!first) settled.set(one.id, { field: one.field, before: one.before, after });
    else if (!alike(first.after, after)) faults.push({ field: one.field, message: `contradicts ${first.field}, which speaks of the same thing` });
  }
  return { settled, faults };
}
