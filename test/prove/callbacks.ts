import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '../../infra/local/stack.ts';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { compareReceivers } from '../support/oracles/callback-load.ts';

/** Later than beside others that answer, at most. */
const MAX_DELAY = 1_000;

/**
 * 1,000 events, 40 a second, for a receiver that hangs for ever, one that answers 500 and one that is well, on a stack
 * of its own: the last one has all its calls within a second of a run in which the others answer. Both runs make as many
 * callbacks: where the processors are busy, fewer of them would be faster whatever the receivers do. The run without the
 * others is printed beside; test/workers/callback-load.test.ts compares with it on a clock that no processor holds up.
 */
export async function callbacks(options: readonly string[]): Promise<boolean> {
  const events = Number(options[0] ?? 1_000);
  const perSecond = Number(options[1] ?? 40);
  const folder = await mkdtemp(join(tmpdir(), 'callbacks-'));
  const stack = await startStack({ folder, port: 0, quiet: true });
  try {
    const { DynamoDBEndpoint, TableName } = stack.local;
    const table = openTable({ tableName: TableName, endpoint: DynamoDBEndpoint });
    const { alone, equal, beside, hanging, failing } = await compareReceivers(table, {
      events,
      batch: 10,
      tickMilliseconds: 10_000 / perSecond,
    });
    const describe = ({ calls, milliseconds }: typeof alone) => `${calls} calls after ${milliseconds} ms`;
    process.stdout.write(
      `callbacks: the good receiver had ${describe(beside)}; beside two that answer at once ${describe(equal)}; ` +
        `without others ${describe(alone)}.\n` +
        `Meanwhile the one that hangs had ${hanging} calls, and the one that answers 500 had ${failing}.\n`,
    );
    return beside.calls === equal.calls && beside.milliseconds - equal.milliseconds <= MAX_DELAY;
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
