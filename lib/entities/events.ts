import { entity } from './declaration/entity.ts';
import { bytes, json, moment, number, opaque, text } from './declaration/fields.ts';

/** The item from which an account's event ids come, packed as in lib/store/events/event-sequence.ts. */
export const sequenceEntity = entity('Sequence', {
  Last: number(),
  /** Data folders of earlier versions have a map here. */
  Days: opaque<Uint8Array | Readonly<Record<string, number>>>(),
  /** UTC days for which events stay readable. */
  RetentionDays: number({ absent: 30 }),
  Recent: bytes({ optional: true }),
  Through: number(),
  Absent: opaque<readonly (readonly [first: number, last: number])[]>(),
  /** The newest number that a worker took, and the newest one that was served (append-turns.ts). */
  Turns: number(),
  Served: number(),
});

/** An event of the queue. */
export const eventEntity = entity('Event', {
  QueuedAt: moment({ optional: true }),
  /** Seconds since 1970. */
  TTL: number({ optional: true }),
  /** Identifies its change; older events have none. */
  Change: text({ optional: true }),
  /** The latest commit second of all events up to and including this one. */
  Through: number(),
  /** In the last event of a block: hashes of the changes of all its events. */
  Block: bytes({ optional: true }),
  /** JSON, compressed if it is long. */
  Payload: json({ required: true }),
});

/** A part of an account's changes that wait for its event queue. */
export const backlogEntity = entity('EventBacklog', {
  Order: text({ required: true }),
  Parts: number({ required: true }),
  Bytes: bytes({ required: true }),
});

export const backlogAccountEntity = entity('BacklogAccount', {
  Account: text({ required: true }),
  /** When the backlog last grew. */
  ChangedAt: moment({ required: true }),
});
