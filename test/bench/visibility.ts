import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { running } from '../support/stack/process.ts';
import { type TestAccount, setTestStack, testAccount } from '../support/stack/stack.ts';
import { median, printTable } from './table.ts';

const CHANGES = 200;
/** Between two changes of those that come one after another. */
const GAP_MILLISECONDS = 50;
const BUDGET = 1_000;
const PATIENCE = 60_000;
const POLL_MILLISECONDS = 20;

type Call = TestAccount['call'];
interface Fetched {
  readonly Events: readonly { readonly Id: number; readonly Payload: { readonly Id: number } }[];
}

/** The answer, where the stack is busy after another attempt, as a client would. */
async function answered(call: Call, operation: string, input: object): Promise<Record<string, unknown>> {
  for (let attempts = 0; attempts < 20; attempts++) {
    const { status, body } = await call(operation, input);
    if (status === 200) return body;
    if (status !== 503) throw new Error(`${operation}: ${String(body['Message'])}`);
    await pause(100);
  }
  throw new Error(`${operation} was busy for too long`);
}

/** Polls datasubscriber/fetch until it has shown so many events; when each contact was first in an answer. */
async function watchEvents(call: Call, count: number): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  const deadline = performance.now() + PATIENCE;
  let ClearThroughId: number | undefined;
  while (seen.size < count && performance.now() < deadline) {
    const { Events } = (await answered(call, 'datasubscriber/fetch', { ClearThroughId })) as unknown as Fetched;
    const now = performance.now();
    for (const { Payload } of Events) seen.set(Payload.Id, now);
    ClearThroughId = Events.at(-1)?.Id;
    await pause(POLL_MILLISECONDS);
  }
  return seen;
}

/** Milliseconds from the answer of each change until a fetch showed its event; the changes begin so far apart. */
async function measureVisibility({ call }: TestAccount, gapMilliseconds: number): Promise<number[]> {
  const watching = watchEvents(call, CHANGES);
  const changes = await Promise.all(
    Array.from({ length: CHANGES }, async (_, index) => {
      await pause(index * gapMilliseconds);
      const contact = { Name: `Contact ${index}`, Email: `contact${index}@example.com` };
      const { Matches } = await answered(call, 'contacts/addupdate', contact);
      return { id: (Matches as readonly { Id: number }[])[0]?.Id ?? 0, at: performance.now() };
    }),
  );
  const seen = await watching;
  return changes.map(({ id, at }) => Math.max(0, (seen.get(id) ?? Infinity) - at)).sort((one, other) => one - other);
}

/**
 * How long after its answer a change through HTTP is visible to datasubscriber/fetch, on a stack in a process of its
 * own as npm start starts it. The worst of changes that come one after another is judged; many at once keep the
 * processors busy for seconds, of which their events take their share.
 */
export async function visibility(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'visibility-'));
  const stack = await running({ FS_DATA: folder });
  try {
    setTestStack({ ...stack.local, remote: '', freshBaseUrl: '' });
    const apart = await measureVisibility(await testAccount(), GAP_MILLISECONDS);
    const atOnce = await measureVisibility(await testAccount(), 0);
    const format = (milliseconds = NaN) => milliseconds.toFixed(0);
    const row = (name: string, all: readonly number[], budget: string) => [
      name,
      format(median(all)),
      format(all[Math.ceil(0.99 * all.length) - 1]),
      format(all.at(-1)),
      budget,
    ];
    printTable(
      ['from answer to event, ms', 'median', '99th percentile', 'worst', 'budget'],
      [
        row(`${CHANGES} changes, one each ${GAP_MILLISECONDS} ms`, apart, String(BUDGET)),
        row(`${CHANGES} changes at once`, atOnce, ''),
      ],
    );
    return (apart.at(-1) ?? Infinity) <= BUDGET;
  } finally {
    await stack.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}
