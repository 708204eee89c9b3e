import { type CliCommand, whenCalled } from '../../command.ts';
import { connectTo } from '../../remote/connect.ts';
import type { RequireApi } from '../../remote/profile.ts';
import { wholeNumber } from '../../values.ts';
import { KINDS, type ReadEvent, type TailOptions, eventLine, position } from './event-options.ts';
import { begin, readEvents } from './read-events.ts';

/** The most that one fetch returns. */
const MAX_EVENTS = 1_000;

const eventsOf = (answer: object) => (answer as { Events: readonly ReadEvent[] }).Events;

async function tail(
  requireApi: RequireApi,
  { last, kinds, since, follow = false, json = false, ...options }: TailOptions,
) {
  const fs = await connectTo(requireApi(options));
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

export const commands: readonly CliCommand[] = [
  {
    words: 'events tail',
    summary: 'Show recent events',
    description:
      "Show recent events. On the table, no subscriber's position moves. Over HTTP the events are those that the " +
      "key's subscriber has not cleared, at most 1,000, and --follow and --since clear what they pass: use a key " +
      'with a subscriber of its own',
    examples: [
      'npx fs events tail --last 50',
      'npx fs events tail --follow --kinds invoice.paid,payment.recorded',
      'npx fs events tail --follow --json | jq .Payload.Kind',
    ],
    json: false,
    takes: (command) =>
      command
        .option('--last <n>', 'number of events', wholeNumber(1, 10_000), 10)
        .option(...KINDS)
        .option('--since <id>', 'events behind this id, or those from now on: now', position)
        .option('--follow', 'keep running and show new events')
        .option('--json', 'print one line of JSON for each event'),
    overHttp: tail,
    onTable: whenCalled(() => import('#on-table/events/tail-on-table'), 'tail'),
  },
];
