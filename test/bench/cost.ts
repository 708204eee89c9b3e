import { randomUUID } from 'node:crypto';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import { documentClient, Meter } from '../../lib/store/dynamodb/client.ts';
import type { Key } from '../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { seedBook } from './book-rows.ts';
import { type Budget, type CostRow, costRows as allRows } from './cost-rows.ts';
import { seedMessages } from './message-rows.ts';
import { seedAgents, seedAppointments } from './seed-appointments.ts';
import { seedInvoices } from './seed-invoices.ts';
import { seedProvider, startProvider } from './seed-pages.ts';
import { seedPayments } from './seed-payments.ts';
import { seedProposals, seedTemplates } from './seed-proposals.ts';
import { seedSettings } from './seed-settings.ts';
import { seedTasks } from './seed-tasks.ts';
import { seedContacts } from './seed.ts';
import { median, printTable } from './table.ts';
import { startTakingBucket } from './upload-rows.ts';
import { accountStore } from '../../lib/store/store.ts';

/**
 * Contacts, and as many tasks, the account has when the operations are measured; BENCH_CONTACTS=1000,2000 for a quick
 * look.
 */
const SIZES = (process.env['BENCH_CONTACTS'] ?? '1000,100000').split(',').map(Number);
const RUNS = 5;
/** What grows with the account, and how. */
const seeds = [seedContacts, seedTasks, seedAppointments, seedInvoices, seedPayments, seedProposals];
/** BENCH_ROWS=locate measures the rows whose name has the text. */
const costRows = allRows.filter(({ name }) => name.includes(process.env['BENCH_ROWS'] ?? ''));

interface Figures {
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What an operation costs, and apart from it what the rate limit of its key does: decision 13. */
let meter = new Meter();
const rateMeter = new Meter();

const isOfRate = (input: object): boolean => 'Key' in input && String((input.Key as Key).PK).startsWith('RATE#');

/** Counts every request in the SDK's own stack, whoever made it, with the capacity that the engine says it consumed. */
function countRequests(): void {
  documentClient().middlewareStack.add(
    (next, context) => (request) => {
      const kind = /Get|Query/.test(context.commandName ?? '') ? 'read' : 'write';
      return (isOfRate(request.input) ? rateMeter : meter).measure(
        kind,
        () => next(request),
        ({ output }) => {
          const consumed = (output as { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] })
            .ConsumedCapacity;
          return [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
        },
      );
    },
    { step: 'initialize', name: 'countRequests' },
  );
}

/** The key of an account, and one of an organization without records. */
interface Keys {
  readonly full: string;
  readonly empty: string;
}

async function measure(row: CostRow, keys: Keys): Promise<Figures> {
  const key = row.isEmpty ? keys.empty : keys.full;
  const runs: Figures[] = [];
  for (let run = 0; run < RUNS; run++) {
    const body = await row.body(run, (operation, input) => invoke(operation, input, { key: keys.full }));
    // Key, rate and lists are in memory, as in any container after its first call.
    await invoke('test/echo', {}, { key });
    meter = new Meter();
    const { status, body: answer } = row.send
      ? await row.send(body, { key })
      : await invoke(row.operation, body, {
          key,
          ...(row.replay ? { headers: { 'idempotency-key': 'replayed' } } : {}),
        });
    if (status !== (row.status ?? 200))
      throw new Error(`${row.operation} answered ${status}: ${JSON.stringify(answer).slice(0, 300)}`);
    row.check?.(answer);
    runs.push({ ...meter.usage });
  }
  return {
    rounds: median(runs.map(({ rounds }) => rounds)),
    readUnits: median(runs.map(({ readUnits }) => readUnits)),
    writeUnits: median(runs.map(({ writeUnits }) => writeUnits)),
  };
}

/** What a row has over its budget; one that is allowed rounds and has none was answered without being measured. */
function over(row: CostRow, figures: Figures, contacts: number): string[] {
  const { rounds, readUnits, writeUnits } = budgetAt(row, contacts);
  return [
    ...(rounds > 0 && figures.rounds === 0 ? ['no round'] : []),
    ...(figures.rounds > 0 && figures.readUnits + figures.writeUnits === 0 ? ['no unit'] : []),
    ...(figures.rounds > rounds ? [`rounds over ${rounds}`] : []),
    ...(figures.readUnits > readUnits ? [`RRU over ${readUnits}`] : []),
    ...(figures.writeUnits > writeUnits ? [`WRU over ${writeUnits}`] : []),
  ];
}

/** What a row may cost in an account with so many contacts. */
function budgetAt({ budget, perThousand }: CostRow, contacts: number): Required<Budget> {
  const { rounds, readUnits = Infinity, writeUnits = Infinity } = budget;
  const more = (of: keyof Budget) => Math.ceil(((perThousand?.[of] ?? 0) * contacts) / 1_000);
  return {
    rounds: rounds + more('rounds'),
    readUnits: readUnits + more('readUnits'),
    writeUnits: writeUnits + more('writeUnits'),
  };
}

/**
 * Rounds one after another and capacity units of every operation, at 1,000 and at 100,000 contacts. Fails where a
 * figure is over its budget or grows with the account. The large account, 2.5 million items, is written into the
 * engine's file.
 */
export async function cost(): Promise<boolean> {
  if (!costRows.length) throw new Error('No row has the text of BENCH_ROWS.');
  const engine = await startTable({ stream: false });
  const stopBucket = await startTakingBucket();
  const stopProvider = await startProvider();
  try {
    const table = transactionalPuts(openTable());
    const { account: accountId } = await writeAccount(table, { name: `Bench ${randomUUID()}`, now: new Date() });
    const options = { account: accountId, name: 'bench', rate: 1_000_000, inFlight: 10_000, now: new Date() };
    const { key: full } = await createKey(accountStore(table, options.account), {
      ...options,
      role: 'Owner',
      assistant: 'write',
    });
    // The account counts one organization, so that its key works in that one.
    await table.commit(newOrganizationChanges({ account: accountId }, { Id: 2, PublicName: 'Empty' }));
    const { key: empty } = await createKey(accountStore(table, options.account), {
      ...options,
      role: 'ReadOnly',
      organizationId: 2,
    });
    await seedSettings(table, accountId);
    await seedBook(table, accountId);
    await seedTemplates(table, accountId);
    await seedAgents(table, accountId);
    await seedProvider(table, accountId);
    await seedMessages(table, accountId);
    countRequests();
    const figures = new Map<CostRow, Figures[]>(costRows.map((row) => [row, []]));
    let seeded = 0;
    for (const size of SIZES) {
      const range = { from: seeded + 1, through: size };
      await engine.load(async (loader) => {
        const direct: TableWriter = { ...table, putMany: async (items, removals) => loader.put(items, removals) };
        for (const seed of seeds) await seed(direct, accountId, range);
      });
      seeded = size + 10_000;
      for (const row of costRows) figures.get(row)?.push(await measure(row, { full, empty }));
    }
    const rows = costRows.map((row) => {
      const [small, large] = figures.get(row) as [Figures, Figures];
      // Ranges that end early make a unit of difference, an item that just passes a kilobyte in a transaction two;
      // growth with the account would make many times as much.
      const more = (of: keyof Figures, step: number) => large[of] > small[of] * 1.15 + step;
      const grows = !row.perThousand && (large.rounds > small.rounds || more('readUnits', 1) || more('writeUnits', 2));
      const [smallSize = 0, largeSize = 0] = SIZES;
      const overs = [...over(row, small, smallSize), ...over(row, large, largeSize)];
      const errors = [...new Set([...overs, ...(grows ? ['grows'] : [])])];
      const visible = (of: keyof Figures) => `${small[of]} / ${large[of]}`;
      return {
        cells: [row.name, visible('rounds'), visible('readUnits'), visible('writeUnits'), errors.join(', ') || 'ok'],
        errors,
      };
    });
    printTable(
      [`operation (at ${SIZES.join(' / ')} contacts)`, 'rounds', 'RRU', 'WRU', ''],
      rows.map(({ cells }) => cells),
    );
    const { requests, readUnits, writeUnits } = rateMeter.usage;
    process.stdout.write(`The rate limit, apart: ${requests} requests, ${readUnits} RRU, ${writeUnits} WRU in all.\n`);
    return rows.every(({ errors }) => errors.length === 0);
  } finally {
    await stopBucket();
    await stopProvider();
    await engine.stop();
  }
}
