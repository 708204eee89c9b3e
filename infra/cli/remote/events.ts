import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReceiverAnswer, callReceiver } from '../../../lib/shared/web/call-receiver.ts';
import { webhookHeaders } from '../../../lib/shared/web/standard-webhooks.ts';
import { ANY_STACK, FORWARD_WAITS, type ForwardOptions, type TailOptions, eventLine } from '../definitions/events.ts';
import { type Api, connect } from './connect.ts';

interface Event {
  readonly Id: number;
  readonly QueuedAt: string;
  readonly Payload: { readonly Kind: string; readonly Id: number; readonly Changed: readonly string[] };
}

/** As many as a fetch returns. */
const MAX_EVENTS = 1_000;
const INTERVAL = 1_000;

const eventsOf = (answer: object) => (answer as { Events: readonly Event[] }).Events;

/** Has the subscriber begin behind the newest event, or behind this one. */
async function begin(fs: Api, since: 'now' | number | undefined): Promise<void> {
  if (since === undefined) return;
  if (since !== 'now') return void (await fs.call('datasubscriber/clear', { ClearThroughId: since }));
  // A position that it has already is moved.
  const { Events, EventCount } = await fs.call('datasubscriber/fetch', { EventCount: 1 });
  const newest = ((Events as readonly Event[])[0]?.Id ?? 0) + Number(EventCount) - 1;
  if (newest > 0) await fs.call('datasubscriber/clear', { ClearThroughId: newest });
}

/** What has happened and what happens, as long as somebody reads. */
async function* readEvents(fs: Api, kinds: readonly string[] | undefined): AsyncGenerator<Event> {
  for await (const event of fs.events({ interval: INTERVAL, ...(kinds ? { kinds } : {}) }))
    yield event as unknown as Event;
}

/** `events tail` over HTTP. */
export async function tailEvents({ last, kinds, since, follow = false, json = false, ...options }: TailOptions) {
  const fs = await connect(options);
  const write = (event: Event) => process.stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`);
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
export async function forwardEvents({
  to,
  kinds,
  secret,
  new: isNew,
  since,
  json = false,
  ...options
}: ForwardOptions) {
  const fs = await connect(options);
  const given = secret ?? process.env['FS_WEBHOOK_SECRET'];
  const signing = given ?? `whsec_${randomBytes(24).toString('base64')}`;
  if (!given) process.stderr.write(`Signed with a secret for this run: ${signing}\n`);
  await begin(fs, isNew ? 'now' : since);
  for await (const event of readEvents(fs, kinds)) {
    const answer = await deliver(to, event, signing);
    const { Kind, Id } = event.Payload;
    const { status: Status, milliseconds: Milliseconds } = answer;
    const columns = [String(event.Id).padStart(8), Kind.padEnd(22), String(Id).padStart(8), Status];
    const line = `${columns.join('  ')}  ${String(Milliseconds).padStart(5)} ms`;
    process.stdout.write(`${json ? JSON.stringify({ EventId: event.Id, Kind, Id, Status, Milliseconds }) : line}\n`);
  }
}

async function deliver(to: string, event: Event, secret: string): Promise<ReceiverAnswer> {
  const body = JSON.stringify(event);
  let warned = '';
  for (let attempt = 0; ; attempt++) {
    const message = { id: `${event.Id}_forward`, timestamp: Math.floor(Date.now() / 1_000), body };
    const answer = await callReceiver(to, body, { headers: webhookHeaders(message, [secret]), ...ANY_STACK });
    if (answer.status !== null && answer.status >= 200 && answer.status < 300) return answer;
    const reason = answer.status === null ? answer.error : `HTTP ${answer.status}.`;
    if (reason !== warned) process.stderr.write(`Event ${event.Id} is repeated until ${to} has it: ${reason}\n`);
    warned = reason;
    await pause(FORWARD_WAITS[Math.min(attempt, FORWARD_WAITS.length - 1)]);
  }
}
