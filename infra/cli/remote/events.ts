import { randomBytes } from 'node:crypto';
import { type ForwardOptions, type ReadEvent, type TailOptions, eventLine } from '../definitions/events.ts';
import { deliveryLine, postEvent } from '../post-event.ts';
import { type Api, connect } from './connect.ts';

/** The most that one fetch returns. */
const MAX_EVENTS = 1_000;
const INTERVAL = 1_000;

const eventsOf = (answer: object) => (answer as { Events: readonly ReadEvent[] }).Events;

/** Starts the subscriber after the newest event, or after this one. */
async function begin(fs: Api, since: 'now' | number | undefined): Promise<void> {
  if (since === undefined) return;
  if (since !== 'now') return void (await fs.call('datasubscriber/clear', { ClearThroughId: since }));
  // Moves an existing position.
  const { Events, EventCount } = await fs.call('datasubscriber/fetch', { EventCount: 1 });
  const newest = ((Events as readonly ReadEvent[])[0]?.Id ?? 0) + Number(EventCount) - 1;
  if (newest > 0) await fs.call('datasubscriber/clear', { ClearThroughId: newest });
}

/** Past events, then new ones, as long as somebody reads. */
async function* readEvents(fs: Api, kinds: readonly string[] | undefined): AsyncGenerator<ReadEvent> {
  for await (const event of fs.events({ interval: INTERVAL, ...(kinds ? { kinds } : {}) }))
    yield event as unknown as ReadEvent;
}

/** `events tail` over HTTP. */
export async function tailEvents({ last, kinds, since, follow = false, json = false, ...options }: TailOptions) {
  const fs = await connect(options);
  const write = (event: ReadEvent) => process.stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`);
  await begin(fs, since);
  const filter = kinds ? { Kinds: kinds } : {};
  if (!follow) {
    const events = eventsOf(await fs.call('datasubscriber/fetch', { EventCount: MAX_EVENTS, ...filter }));
    for (const event of events.slice(-last)) write(event);
    return;
  }
  for await (const event of readEvents(fs, kinds)) write(event);
}

/** `events forward` over HTTP. An event is cleared once the receiver has it. */
export async function forwardEvents({ to, kinds, secret, since, json = false, ...options }: ForwardOptions) {
  const fs = await connect(options);
  const given = secret ?? process.env['FS_WEBHOOK_SECRET'];
  const signing = given ?? `whsec_${randomBytes(24).toString('base64')}`;
  if (!given) process.stderr.write(`Signed with a secret for this run: ${signing}\n`);
  await begin(fs, since);
  const receiver = { to, messageId: ({ Id }: ReadEvent) => `${Id}_forward`, secrets: () => [signing] };
  for await (const event of readEvents(fs, kinds)) {
    const answer = await postEvent(event, receiver);
    process.stdout.write(`${deliveryLine(event, answer, json)}\n`);
  }
}
