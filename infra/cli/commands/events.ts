import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { subscriberEvent } from '../../../lib/events/event-text.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import { countPresent, endOfPage, startOfTail } from '../../../lib/store/events/event-sequence.ts';
import { findQueue, listEvents } from '../../../lib/store/events/events.ts';
import { type TailOptions, eventLine, tailCommand } from '../definitions/events.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { either } from '../remote/choose.ts';
import { tailEvents } from '../remote/events.ts';
import { profileOption } from '../remote/profile.ts';
import { forwardCommands } from './forward.ts';
import { rebuildCommand } from './rebuild.ts';
import { redriveCommand } from './redrive.ts';
import { triggerCommand } from './trigger.ts';

const EVENTS_PER_READ = 100;

/** Reads the queue without a subscriber, so that no subscriber's position changes. */
async function tail({
  last: count,
  kinds,
  since,
  follow = false,
  json = false,
  ...options
}: TailOptions & AccountOption): Promise<void> {
  const { store } = await openAccount(options);
  // No subscriber is called "", so the queue starts at the oldest readable event.
  const queue = () => findQueue(store, '', new Date());
  let { last, next, absent } = await queue();
  if (since === undefined) next = startOfTail(absent, next, last, count);
  else next = since === 'now' ? last + 1 : Math.max(next, since + 1);
  for (;;) {
    const newest = endOfPage(absent, next, last, EVENTS_PER_READ);
    const { events, missing } = await listEvents(store, next, newest, absent);
    for (const event of events.map(subscriberEvent)) {
      if (kinds && !kinds.includes(event.Payload?.Kind ?? '')) continue;
      process.stdout.write(`${json ? JSON.stringify(event) : eventLine(event)}\n`);
    }
    next = (events.at(-1)?.id ?? next - 1) + 1;
    if (missing === undefined && countPresent(absent, next, last) === 0) next = last + 1;
    if (next <= last && missing === undefined) continue;
    if (!follow) return;
    await pause(SECOND);
    ({ last, absent } = await queue());
  }
}

/** `events tail`, `forward`, `trigger`, `redrive`, `rebuild`. */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('Show, forward, cause and redrive events');
  profileOption(accountOption(tailCommand(events))).action(either(tailEvents, tail));
  forwardCommands(events);
  triggerCommand(events);
  redriveCommand(events);
  rebuildCommand(events);
}
