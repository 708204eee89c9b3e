import { entity } from './declaration/entity.ts';
import { bytes, json, moment, number, opaque, text } from './declaration/fields.ts';

/** The item of an account from which its event ids come, in the packed form of lib/store/events/event-sequence.ts. */
export const sequenceEntity = entity('Sequence', {
  Last: number(),
  /** A data folder of an earlier version has them in a map. */
  Days: opaque<Uint8Array | Readonly<Record<string, number>>>(),
  /** UTC days for which events stay readable. */
  RetentionDays: number({ absent: 30 }),
  Recent: bytes({ optional: true }),
  Through: number(),
  Absent: opaque<readonly (readonly [first: number, last: number])[]>(),
  /** The newest number that a worker took, and the newest that had its turn (event-turns.ts). */
  Turns: number(),
  Served: number(),
});

/** An event of the queue. */
export const eventEntity = entity('Event', {
  QueuedAt: moment({ optional: true }),
  /** Seconds since 1970. */
  TTL: number({ optional: true }),
  /** What its change is known by; older events have none. */
  Change: text({ optional: true }),
  /** The latest second of a commit up to and including its own. */
  Through: number(),
  /** Of the last event of a block: hashes of the changes of all. */
  Block: bytes({ optional: true }),
  /** JSON, compressed where it is long. */
  Payload: json({ required: true }),
});

/** A part of the changes of an account that wait for its event queue. */
export const backlogEntity = entity('EventBacklog', {
  Order: text({ required: true }),
  Parts: number({ required: true }),
  Bytes: bytes({ required: true }),
});

export const backlogAccountEntity = entity('BacklogAccount', {
  Account: text({ required: true }),
  /** When its backlog last grew. */
  ChangedAt: moment({ required: true }),
});
