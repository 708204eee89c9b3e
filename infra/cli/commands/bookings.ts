import { type Command, InvalidArgumentError } from 'commander';
import { type BookingWave, countByNetwork, undoBookings } from '../../../lib/workflows/pages/stranger-bookings.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { UsageError, formatTable, print } from '../output.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';
import { pastMoment } from '../values.ts';

interface BookingOptions extends AccountOption {
  readonly since: Date;
  readonly network?: readonly string[];
  readonly json?: boolean;
}

/** A keyed hash as printed by `bookings list`. */
function networks(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[\da-f]{16}$/.test(text))
    throw new InvalidArgumentError('Copy it from fs bookings list: 16 digits of 0–9a–f.');
  return [...before, text];
}

async function openWave({ since, network = [], ...options }: BookingOptions) {
  const { store } = await openAccount(options);
  const wave: BookingWave = { since, networks: network, now: new Date() };
  return { store, wave };
}

async function list(options: BookingOptions): Promise<void> {
  const { store, wave } = await openWave(options);
  const Networks = await countByNetwork(store, wave);
  const text = Networks.length ? formatTable(Networks.map((row) => ({ ...row }))) : 'No stranger booked a visit.';
  print({ Networks }, { json: options.json, text });
}

async function undo({ all, ...options }: BookingOptions & { readonly all?: boolean }): Promise<void> {
  if (!options.network === !all) throw new UsageError('Name networks with --network, or undo --all of them.');
  const { store, wave } = await openWave(options);
  const counts = await undoBookings(store, wave);
  const { Canceled, Already, Kept } = counts;
  const text = `Visits: ${Canceled} canceled, ${Already} canceled before, ${Kept} kept because they began.`;
  print(counts, { json: options.json, text });
}

/** `bookings list`, `undo`. */
export function bookingCommands(program: Command): void {
  const bookings = program.command('bookings').description('List and undo visits that strangers book on a page');
  const add = (name: string, description: string) =>
    jsonOption(accountOption(bookings.command(name)))
      .description(description)
      .requiredOption(
        '--since <moment>',
        'booked since: 2026-11-22T10:00:00Z, a date, or 2h for two hours ago',
        pastMoment,
      )
      .option('--network <hash>', 'only of this network; may be repeated', networks);
  examples(
    add('list', 'Count the visits that strangers booked, by their networks').action(list),
    'npx fs bookings list --since 2h',
  );
  examples(
    add('undo', 'Cancel the visits that strangers booked, with their events; a second run goes on')
      .option('--all', 'of every network')
      .action(undo),
    'npx fs bookings undo --since 2h --network 5f0c2a9d4b7e1836',
  );
}
