import type { Event, EventKind } from './api.ts';
import type { CallOptions, Fields } from './caller.ts';
import { ConflictError } from './errors.ts';
import { pause } from './waiting.ts';

/** Which events to read, and for how long. */
export interface EventOptions<Kind extends EventKind = EventKind> {
  /** All kinds by default. */
  readonly kinds?: readonly Kind[];
  /** `now`: a subscriber that has cleared nothing yet starts after the newest event. */
  readonly from?: 'now';
  /** Ends when no event is left; by default it waits for more. */
  readonly once?: boolean;
  /** Milliseconds between two checks of an empty queue; 2,000 by default. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
}

const INTERVAL = 2_000;
/** Milliseconds after which handled events are cleared, even within a page. */
const CLEAR_AFTER = 5_000;

type Call = (operation: string, request: object, options?: CallOptions) => Promise<Fields>;

/**
 * The events of the key's subscriber, in order. An event is cleared when the loop asks for the next one: unhandled
 * events come again, after a break, an error or the end of the process. Lost connections are retried for as long as it
 * waits for events.
 */
export async function* readEvents<Kind extends EventKind>(
  call: Call,
  { kinds, from, once = false, interval = INTERVAL, signal }: EventOptions<Kind>,
): AsyncGenerator<Event<Kind>, void, undefined> {
  const options = { ...(signal ? { signal } : {}), ...(once ? {} : { retryFor: Infinity }) };
  let handled = 0;
  let cleared = 0;
  let start: object = from ? { From: from } : {};
  try {
    for (;;) {
      const request = { ...start, ...(kinds ? { Kinds: kinds } : {}), ...(handled ? { ClearThroughId: handled } : {}) };
      const page = await call('datasubscriber/fetch', request, options).catch((error: unknown) => {
        // It has a position already: a restarted process continues there.
        if ('From' in request && error instanceof ConflictError) return undefined;
        throw error;
      });
      start = {};
      if (!page) continue;
      cleared = handled;
      let since = performance.now();
      for (const event of page['Events'] as readonly Event<Kind>[]) {
        yield event;
        handled = event.Id;
        if (performance.now() - since < CLEAR_AFTER) continue;
        await call('datasubscriber/clear', { ClearThroughId: handled }, options);
        cleared = handled;
        since = performance.now();
      }
      // Events of other kinds may be left: the next fetch looks after them.
      if (handled > cleared || Number(page['EventCount']) > 0) continue;
      if (once) return;
      await pause(interval, signal);
    }
  } finally {
    if (handled > cleared) await call('datasubscriber/clear', { ClearThroughId: handled });
  }
}
