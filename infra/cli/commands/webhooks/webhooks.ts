import { type Command, InvalidArgumentError, Option } from 'commander';
import { adviceForKind } from '../../../../lib/domain/callbacks/webhook.ts';
import { type CliCommand, optionsOf } from '../../command.ts';
import type { AccountOption } from '../../options.ts';
import { connectTo } from '../../remote/connect.ts';
import type { RemoteOptions, RequireApi } from '../../remote/profile.ts';
import { duration, recordId } from '../../values.ts';
import { webhooksOverHttp } from './over-http.ts';
import { type Content, LISTED_EVENTS, type Webhooks } from './account-webhooks.ts';
import { printed } from './printed.ts';

interface Options extends RemoteOptions, AccountOption {
  readonly json?: boolean;
}

/** What Commander passes: arguments, options, and the command. */
type Words<Arguments extends unknown[], More = unknown> = [...Arguments, More & Options, Command];

/** A command that does the same in both places. */
const inBoth = <Arguments extends unknown[], More = unknown>(
  run: (webhooks: Webhooks, ...words: Words<Arguments, More>) => Promise<void>,
) => ({
  overHttp: async (requireApi: RequireApi, ...words: Words<Arguments, More>) =>
    run(webhooksOverHttp(await connectTo(requireApi(optionsOf<Options>(words)))), ...words),
  onTable: async (...words: Words<Arguments, More>) => {
    const { webhooksOnTable } = await import('#on-table/webhooks/on-table');
    await run(await webhooksOnTable(optionsOf<Options>(words)), ...words);
  },
});

/** `appointment.booked,proposal.*` or `*`. */
function parseKinds(text: string): string[] {
  const kinds = text.split(',').map((kind) => kind.trim());
  for (const kind of kinds) {
    const advice = adviceForKind(kind);
    if (advice) throw new InvalidArgumentError(`There is no kind ${JSON.stringify(kind)}. ${advice}`);
  }
  return kinds;
}

const withId = (command: Command): Command => command.argument('<id>', 'its Id', recordId);
const URL_OPTION = ['--url <url>', 'https address of the public internet'] as const;
const KINDS_OPTION = ['--kinds <kinds>', 'kinds of events: appointment.booked,proposal.* or *', parseKinds] as const;

export const commands: readonly CliCommand[] = [
  {
    words: 'webhook create',
    description: 'Have an address called with events, signed as Standard Webhooks says',
    examples: ["npx fs webhook create --url https://hooks.example.com/fs --kinds 'appointment.*,proposal.accepted'"],
    takes: (command) => command.requiredOption(...URL_OPTION).requiredOption(...KINDS_OPTION),
    ...inBoth<[], Content>(async (webhooks, { url, kinds, json }) => {
      const { webhook, secret } = await webhooks.create({ url, kinds });
      printed.created(webhook, secret, json);
    }),
  },
  {
    words: 'webhook list',
    description: 'List webhooks: which are disabled or paused, and whose calls fail',
    takes: (command) =>
      command.addHelpText('after', `\nFailing, GivenUp and Kept count calls of the newest ${LISTED_EVENTS} events.`),
    ...inBoth<[]>(async (own, { json }) => {
      const { webhooks, calls } = await own.list();
      printed.list(webhooks, calls, json);
    }),
  },
  {
    words: 'webhook update',
    description: 'Change the address or the kinds of a webhook',
    takes: (command) =>
      withId(command)
        .option(...URL_OPTION)
        .option(...KINDS_OPTION),
    ...inBoth<[number], Partial<Content>>(async (webhooks, id, { url, kinds, json }) =>
      printed.webhook(
        await webhooks.update(id, { ...(url === undefined ? {} : { url }), ...(kinds ? { kinds } : {}) }),
        json,
      ),
    ),
  },
  {
    words: 'webhook delete',
    description: 'Delete a webhook',
    takes: withId,
    ...inBoth<[number]>(async (webhooks, id, { json }) => {
      await webhooks.remove(id);
      printed.removed(id, json);
    }),
  },
  {
    words: 'webhook enable',
    description: 'Have a webhook called again that was disabled by 410',
    takes: withId,
    ...inBoth<[number]>(async (webhooks, id, { json }) =>
      printed.webhook(await webhooks.update(id, { enabled: true }), json),
    ),
  },
  {
    words: 'webhook pause',
    description: 'Keep the calls of a webhook, for 30 days, until it is resumed',
    takes: withId,
    ...inBoth<[number]>(async (webhooks, id, { json }) =>
      printed.webhook(await webhooks.update(id, { paused: true }), json),
    ),
  },
  {
    words: 'webhook resume',
    description: 'Have a paused webhook called again, with the calls that were kept',
    takes: withId,
    ...inBoth<[number]>(async (webhooks, id, { json }) => {
      const webhook = await webhooks.update(id, { paused: false });
      printed.resumed(webhook, await webhooks.makeKept(id), json);
    }),
  },
  {
    words: 'webhook rotate-secret',
    description: 'Show a new secret of a webhook; the one before stays valid for a time',
    takes: (command) =>
      command
        .argument('[id]', 'its Id; without it the secret of the account, for addresses of records', recordId)
        .addOption(
          new Option('--grace <duration>', 'how long callbacks are signed with both (24h, 7d)')
            .argParser(duration)
            .default(duration('24h'), '24h'),
        ),
    ...inBoth<[number | undefined], { readonly grace: number }>(async (webhooks, id, { grace, json }) => {
      const { secret, previousUntil } = await webhooks.rotate(id, grace);
      printed.rotated(secret, previousUntil, json);
    }),
  },
  {
    words: 'webhook test',
    description: 'Call a webhook once, now, with an event of the kind webhook.test',
    takes: withId,
    ...inBoth<[number]>(async (webhooks, id, { json }) => printed.tested(await webhooks.test(id), json)),
  },
];
