import type { StoredCall } from '../../../lib/entities/calls.ts';
import type { Command } from 'commander';
import { callToResource } from '../../../lib/domain/calls.ts';
import { findCalls, listRecentCalls } from '../../../lib/store/contacts/calls.ts';
import { CommandError, formatList, formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { recordId, wholeNumber } from '../values.ts';

interface ListOptions extends AccountOption {
  readonly last: number;
  readonly unattached?: boolean;
  readonly json?: boolean;
}

const MAX_TEXT = 60;

/** Makes a text a single table line: control characters in a record could affect the terminal. */
const toLine = (text: string): string => text.replaceAll(/\s+|\p{Cc}/gu, ' ').slice(0, MAX_TEXT);

const toRow = (call: StoredCall) => ({
  Call: call.Id,
  Time: callToResource(call).CreatedAt,
  Contact: call.ContactId,
  Phone: toLine(call.Phone),
  Direction: toLine(call.Direction),
  Text: toLine(call.Note || call.Text),
});

async function list({ last: count, unattached: isUnattached = false, json, ...options }: ListOptions): Promise<void> {
  const { store } = await openAccount(options);
  const calls = await listRecentCalls(store, { count, isUnattached });
  print(calls.map(callToResource), { json, text: calls.length ? formatTable(calls.map(toRow)) : 'No calls.' });
}

async function show(id: number, { json, ...options }: AccountOption & { json?: boolean }): Promise<void> {
  const { store } = await openAccount(options);
  const [call] = await findCalls(store, [id]);
  if (!call) throw new CommandError(`Call ${id} not found.`);
  const resource = callToResource(call);
  const { Text, ...fields } = resource;
  print(resource, { json, text: `${formatList(fields)}\n\n${Text}` });
}

/** `phone-calls list`, `show`. */
export function phoneCallCommands(program: Command): void {
  const calls = program.command('phone-calls').description('List and show logged calls, also without a contact');
  jsonOption(accountOption(calls.command('list')))
    .description('List the newest calls')
    .option('--last <n>', 'number of calls', wholeNumber(1, 1_000), 20)
    .option('--unattached', 'only calls without a contact')
    .action(list);
  jsonOption(accountOption(calls.command('show')))
    .description('Show a call with its whole record')
    .argument('<id>', 'call id', recordId)
    .action(show);
}
