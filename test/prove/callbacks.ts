import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { median } from '../bench/table.ts';
import { type Load, type Run, runReceivers } from '../support/oracles/callback-load.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { running } from '../support/stack/process.ts';

/** Later than in a run without the others, at most. */
const MAX_DELAY = 1_000;
const ROUNDS = 3;

/** A run on a stack of its own, in a process of its own as npm start starts it: nothing of a run before disturbs it. */
async function runOnce(load: Load, withOthers: boolean): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'callbacks-'));
  const stack = await running({ FS_DATA: folder });
  try {
    const { DynamoDBEndpoint, TableName, Region } = stack.local;
    useTestCredentials(Region);
    return await runReceivers(openTable({ tableName: TableName, endpoint: DynamoDBEndpoint }), load, { withOthers });
  } finally {
    await stack.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * 1,000 events, 40 a second, for a receiver that hangs for ever, one that answers 500 and one that is well: the last
 * one has all its calls within a second of a run without the others. Both are run in turn, because a machine with other
 * work is not equally fast at all times; the medians are compared.
 */
export async function callbacks(options: readonly string[]): Promise<boolean> {
  const events = Number(options[0] ?? 1_000);
  const perSecond = Number(options[1] ?? 40);
  const load = { events, batch: 10, tickMilliseconds: 10_000 / perSecond };
  const runs: { alone: Run; beside: Run }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const [alone, beside] = [await runOnce(load, false), await runOnce(load, true)];
    runs.push({ alone, beside });
    const [hanging, failing] = beside.others;
    process.stdout.write(
      `callbacks, round ${round}: all ${alone.calls} calls of the good receiver after ${alone.milliseconds} ms without ` +
        `others (half of them within ${alone.median} ms), after ${beside.milliseconds} ms (${beside.median} ms) beside ` +
        `one that hangs (${hanging} calls) and one that answers 500 (${failing} calls)\n`,
    );
  }
  const middle = (name: 'alone' | 'beside') => median(runs.map((run) => run[name].milliseconds));
  const delay = middle('beside') - middle('alone');
  process.stdout.write(`callbacks: ${delay} ms later beside the others, in the median of ${ROUNDS} rounds\n`);
  return runs.every(({ alone, beside }) => alone.calls === beside.calls) && delay <= MAX_DELAY;
}
