import { randomUUID } from 'node:crypto';
import { groups } from '../../functions/index.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { seedBook } from './book-rows.ts';
import { costRows } from './cost-rows.ts';
import { seedAgents, seedAppointments } from './seed-appointments.ts';
import { seedInvoices } from './seed-invoices.ts';
import { seedPayments } from './seed-payments.ts';
import { seedProposals, seedTemplates } from './seed-proposals.ts';
import { seedSettings } from './seed-settings.ts';
import { seedTasks } from './seed-tasks.ts';
import { seedContacts } from './seed.ts';
import { printTable } from './table.ts';
import { startTakingBucket } from './upload-rows.ts';

const CONTACTS = 1_000;
/** The least of several counts: some contacts are larger than others. */
const RUNS = 9;
/** A saved response of one kilobyte. */
const ADDED_UNITS = 2;
let writeUnits = 0;

function countWriteUnits(): void {
  documentClient().middlewareStack.add(
    (next, context) => async (request) => {
      const { output, ...result } = await next(request);
      const consumed = (output as { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] })
        .ConsumedCapacity;
      if (!/Get|Query/.test(context.commandName ?? ''))
        writeUnits += [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      return { output, ...result };
    },
    { step: 'initialize', name: 'countWriteUnits' },
  );
}

/** Write units that an Idempotency-Key adds to each changing operation of the cost bench. Fails above two. */
export async function idempotency(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  const stopBucket = await startTakingBucket();
  try {
    const table = transactionalPuts(openTable());
    const now = new Date();
    const { accountId } = await writeAccount(table, { name: 'Bench', now });
    const limits = { rate: 1_000_000, inFlight: 10_000 };
    const { key } = await createKey(table, { accountId, role: 'Owner', name: 'bench', ...limits, now });
    await seedSettings(table, accountId);
    await seedBook(table, accountId);
    await seedTemplates(table, accountId);
    await seedAgents(table, accountId);
    for (const seed of [seedContacts, seedTasks, seedAppointments, seedInvoices, seedPayments, seedProposals])
      await seed(table, accountId, { from: 1, through: CONTACTS });
    countWriteUnits();
    const operations = new Map(groups.flatMap((group) => group.operations.map((one) => [one.name, one] as const)));
    const rows: { cells: string[]; isOver: boolean }[] = [];
    for (const row of costRows.filter(({ replay, send }) => !replay && !send)) {
      if (operations.get(row.operation)?.access === 'read') {
        // Some make what later rows change.
        await row.body(0, (operation, input) => invoke(operation, input, { key }));
        continue;
      }
      const answers: string[] = [];
      const measure = async (run: number, headers: Record<string, string>) => {
        const body = await row.body(run, (operation, input) => invoke(operation, input, { key }));
        writeUnits = 0;
        const { status, body: answer } = await invoke(row.operation, body, { key, headers });
        if (status !== 200) throw new Error(`${row.operation} answered ${status}: ${JSON.stringify(answer)}`);
        answers.push(JSON.stringify(answer));
        return writeUnits;
      };
      const [plain, keyed]: [number[], number[]] = [[], []];
      for (let run = 0; run < RUNS; run++)
        if (run % 2) keyed.push(await measure(run, { 'idempotency-key': randomUUID() }));
        else plain.push(await measure(run, {}));
      // The first run of some changes nothing.
      plain.shift();
      // A saved response is a write: without one nothing was saved, or nothing counted.
      if (Math.min(...keyed) === 0) throw new Error(`${row.operation} wrote nothing with an Idempotency-Key`);
      const added = Math.min(...keyed) - Math.min(...plain);
      const bytes = Math.max(...answers.map((answer) => answer.length));
      rows.push({
        cells: [
          row.name,
          String(bytes),
          String(Math.min(...plain)),
          String(Math.min(...keyed)),
          String(added),
          added > ADDED_UNITS ? `over ${ADDED_UNITS}` : 'ok',
        ],
        isOver: added > ADDED_UNITS,
      });
    }
    printTable(
      ['operation', 'answer bytes', 'WRU', 'WRU with key', 'added', ''],
      rows.map(({ cells }) => cells),
    );
    return rows.length > 0 && !rows.some(({ isOver }) => isOver);
  } finally {
    await stopBucket();
    await engine.stop();
  }
}
