import { type Command, InvalidArgumentError } from 'commander';
import { nearest } from '../../../lib/shared/text/suggestions.ts';
import { causeEvent, triggerableKinds } from '../event-recipes.ts';
import { examples } from '../examples.ts';
import { CommandError, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { openLocalApi } from '../local-stack.ts';

function parseKind(text: string): string {
  const kind = text.trim().toLowerCase();
  if (triggerableKinds.includes(kind)) return kind;
  const suggestion = nearest(kind, triggerableKinds);
  throw new InvalidArgumentError(
    `No operation causes it.${suggestion ? ` Did you mean ${suggestion}?` : ''} events trigger --help lists the kinds.`,
  );
}

async function trigger(kind: string, { json }: { json?: boolean }): Promise<void> {
  const { baseUrl, key } = openLocalApi();
  const operations: string[] = [];
  async function call<Answer>(operation: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/${operation}`, request).catch(() => {
      throw new CommandError(`No answer at ${baseUrl}. Start the local stack with npm start.`);
    });
    const answer = (await response.json()) as Answer & { readonly ResultCode: number; readonly Message: string };
    if (answer.ResultCode !== 0) throw new CommandError(`${operation}: ${answer.Message}`);
    operations.push(operation);
    return answer;
  }
  await causeEvent(kind, call, new Date());
  const text =
    `Caused ${kind} by ${operations.join(', ')}, in new records, which stay in the local stack. ` +
    'events tail shows it.';
  print({ Kind: kind, Operations: operations }, { json, text });
}

/** The event kinds, a line for each noun. */
const formatKinds = (): string =>
  [...Map.groupBy(triggerableKinds, (kind) => kind.split('.')[0])].map(([, own]) => `  ${own.join(', ')}`).join('\n');

/** `events trigger`. */
export function triggerCommand(events: Command): void {
  examples(jsonOption(events.command('trigger')), 'npx fs events trigger appointment.booked')
    .summary('Make records and a real change that causes an event of a kind, on the local stack')
    .description(
      'Make a real change through the API of the local stack that causes an event of a kind, in new records of its ' +
        'account; what the change needs is made before and has events too',
    )
    .argument('<kind>', 'kind of event, of those below', parseKind)
    .addHelpText('after', () => `\nKinds:\n${formatKinds()}`)
    .action(trigger);
}
