import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { parseCallbackAddress } from '../../../../lib/shared/web/web-addresses.ts';
import { type CliCommand, whenCalled } from '../../command.ts';
import { connectTo } from '../../remote/connect.ts';
import type { RequireApi } from '../../remote/profile.ts';
import { name } from '../../values.ts';
import { ANY_STACK, type ForwardOptions, KINDS, type ReadEvent, position } from './event-options.ts';
import { begin, readEvents } from './read-events.ts';
import { deliveryLine, postEvent } from './post-event.ts';

/** An address as the URL standard writes it. */
function receiverAddress(text: string): string {
  const parsed = parseCallbackAddress(text, ANY_STACK);
  if (!parsed.ok) throw new InvalidArgumentError(`The address ${parsed.error}.`);
  return parsed.address;
}

/** An event is cleared once the receiver has it. */
async function forward(requireApi: RequireApi, { to, kinds, secret, since, json = false, ...options }: ForwardOptions) {
  const fs = await connectTo(requireApi(options));
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

export const commands: readonly CliCommand[] = [
  {
    words: 'events forward',
    summary: 'Post every event to an address, signed, until it has it',
    description:
      'Post every event to an address, in order, signed as callbacks are (Standard Webhooks). Keeps running, repeats ' +
      'an event until the answer is 2xx, and goes on where it stopped. Over HTTP it moves the position of the ' +
      "key's subscriber, and signs with --secret or a secret that it shows",
    examples: [
      'npx fs events forward --to http://localhost:3000/hook',
      'npx fs events forward --to http://localhost:3000/hook --since now --kinds appointment.booked',
    ],
    json: false,
    takes: (command) =>
      command
        .requiredOption('--to <url>', 'address, also on this machine: http://localhost:3000/hook', receiverAddress)
        .option('--subscriber <name>', 'table: subscriber whose position it moves', name, 'forward')
        .option(...KINDS)
        .option('--secret <whsec>', 'over HTTP: secret that signs (default: FS_WEBHOOK_SECRET, or a new one each time)')
        .option(
          '--since <id>',
          'begin behind this id, or with those from now on: now; not with the oldest not posted yet',
          position,
        )
        .option('--json', 'print one line of JSON for each event'),
    overHttp: forward,
    onTable: whenCalled(() => import('#on-table/events/forward-on-table'), 'forward'),
  },
];
