import type { Api } from '../../remote/connect.ts';
import type { ReadEvent } from './event-options.ts';

const INTERVAL = 1_000;

/** Starts the subscriber after the newest event, or after this one. */
export async function begin(fs: Api, since: 'now' | number | undefined): Promise<void> {
  if (since === undefined) return;
  if (since !== 'now') return void (await fs.call('datasubscriber/clear', { ClearThroughId: since }));
  // Moves an existing position.
  const { Events, EventCount } = await fs.call('datasubscriber/fetch', { EventCount: 1 });
  const newest = ((Events as readonly ReadEvent[])[0]?.Id ?? 0) + Number(EventCount) - 1;
  if (newest > 0) await fs.call('datasubscriber/clear', { ClearThroughId: newest });
}

/** Past events, then new ones, as long as somebody reads. */
export async function* readEvents(fs: Api, kinds: readonly string[] | undefined): AsyncGenerator<ReadEvent> {
  for await (const event of fs.events({ interval: INTERVAL, ...(kinds ? { kinds } : {}) }))
    yield event as unknown as ReadEvent;
}
