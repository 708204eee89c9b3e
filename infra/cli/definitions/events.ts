import { type Command, InvalidArgumentError } from 'commander';
import { eventKinds } from '../../../lib/resources/event-kinds.ts';
import { didYouMean } from '../../../lib/shared/text/suggestions.ts';
import { parseCallbackAddress } from '../../../lib/shared/web/web-addresses.ts';
import { examples } from '../examples.ts';
import type { RemoteOptions } from '../remote/profile.ts';
import { name, wholeNumber } from '../values.ts';

export interface TailOptions extends RemoteOptions {
  readonly last: number;
  readonly kinds?: readonly string[];
  readonly since?: 'now' | number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export interface ForwardOptions extends RemoteOptions {
  readonly to: string;
  readonly subscriber: string;
  readonly kinds?: readonly string[];
  readonly secret?: string;
  readonly since?: 'now' | number;
  readonly json?: boolean;
}

/** The tool runs where the receiver is developed, so an address on this machine is the common case. */
export const ANY_STACK = { allowLoopback: true };

/** An address as the URL standard writes it. */
function receiverAddress(text: string): string {
  const parsed = parseCallbackAddress(text, ANY_STACK);
  if (!parsed.ok) throw new InvalidArgumentError(`The address ${parsed.error}.`);
  return parsed.address;
}

/** `invoice.paid,payment.recorded`. */
function kindList(text: string): string[] {
  const known: readonly string[] = Object.values(eventKinds).flat();
  const kinds = text.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no kind ${JSON.stringify(unknown)}. ${didYouMean(unknown, known)}`.trim());
  return kinds;
}

function position(text: string): 'now' | number {
  if (text === 'now') return text;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be now, or the id of an event.');
  return Number(text);
}

/** An event as subscribers get it. */
export interface ReadEvent {
  readonly Id: number;
  readonly QueuedAt: string;
  readonly Payload: { readonly Kind: string; readonly Id: number; readonly Changed: readonly string[] } | null;
}

/** One line: id, time, kind, subject and changed fields. */
export function eventLine(event: ReadEvent): string {
  const { Kind, Id, Changed } = event.Payload ?? { Kind: '', Id: 0, Changed: [] };
  const columns = [String(event.Id).padStart(8), event.QueuedAt, Kind.padEnd(22), String(Id).padStart(8)];
  return [...columns, Changed.join(' ')].join('  ').trimEnd();
}

const KINDS = ['--kinds <kinds>', 'only these kinds: invoice.paid,payment.recorded', kindList] as const;

export const tailCommand = (events: Command): Command =>
  examples(
    events.command('tail'),
    'npx fs events tail --last 50',
    'npx fs events tail --follow --kinds invoice.paid,payment.recorded',
    'npx fs events tail --follow --json | jq .Payload.Kind',
  )
    .summary('Show recent events')
    .description(
      "Show recent events. On the table, no subscriber's position moves. Over HTTP the events are those that the " +
        "key's subscriber has not cleared, at most 1,000, and --follow and --since clear what they pass: use a key " +
        'with a subscriber of its own',
    )
    .option('--last <n>', 'number of events', wholeNumber(1, 10_000), 10)
    .option(...KINDS)
    .option('--since <id>', 'events behind this id, or those from now on: now', position)
    .option('--follow', 'keep running and show new events')
    .option('--json', 'print one line of JSON for each event');

export const forwardCommand = (events: Command): Command =>
  examples(
    events.command('forward'),
    'npx fs events forward --to http://localhost:3000/hook',
    'npx fs events forward --to http://localhost:3000/hook --since now --kinds appointment.booked',
  )
    .summary('Post every event to an address, signed, until it has it')
    .description(
      'Post every event to an address, in order, signed as callbacks are (Standard Webhooks). Keeps running, repeats ' +
        'an event until the answer is 2xx, and goes on where it stopped. Over HTTP it moves the position of the ' +
        "key's subscriber, and signs with --secret or a secret that it shows",
    )
    .requiredOption('--to <url>', 'address, also on this machine: http://localhost:3000/hook', receiverAddress)
    .option('--subscriber <name>', 'table: subscriber whose position it moves', name, 'forward')
    .option(...KINDS)
    .option('--secret <whsec>', 'over HTTP: secret that signs (default: FS_WEBHOOK_SECRET, or a new one each time)')
    .option(
      '--since <id>',
      'begin behind this id, or with those from now on: now; not with the oldest not posted yet',
      position,
    )
    .option('--json', 'print one line of JSON for each event');
