import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { makeBundles } from '../../infra/bundle/bundle.ts';
import type { Handler } from '../../lib/api/respond.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { startTable } from '../support/stack/engine.ts';
import { apiEvent } from '../support/stack/invoke.ts';
import { seedContacts } from './seed.ts';
import { NOISE, makeBare } from './start.ts';
import { type Pair, median, pairedRatio, printTable } from './table.ts';
import { accountStore } from '../../lib/store/store.ts';

const CALLS = 400;
const ROUNDS = 15;
/** Two reads, of the contact and of the revision of the configuration (decision 15), where the bare handler makes one. */
const LIMIT = 2.4;

async function cpuPerCall(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/**
 * CPU of a warm contacts/locate by id, with its log line and metrics, against a bare handler's Get of the same item.
 * Fails over the limit.
 */
export async function warm(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  const write = process.stdout.write.bind(process.stdout);
  try {
    const table = openTable();
    const { account: accountId } = await writeAccount(table, { name: 'Bench', now: new Date() });
    const { key } = await createKey(accountStore(table, accountId), {
      role: 'Owner',
      name: 'bench',
      rate: 1_000_000,
      inFlight: 10_000,
      now: new Date(),
    });
    await seedContacts(table, accountId, { from: 1, through: 100 });
    await makeBundles(folder);
    const require = createRequire(import.meta.url);
    const { handler } = require(join(folder, 'contacts/index.js')) as { handler: Handler };
    const { handler: bare } = require(await makeBare(folder)) as { handler: (event: object) => Promise<unknown> };
    process.env['LOG_LEVEL'] = 'info';
    const itemKey = layout.contact.key({ account: accountId, id: 50 });
    const ours = async () => {
      const { statusCode, body } = await handler(apiEvent('contacts/locate', { IdSearch: 50 }, { key }), {} as Context);
      if (statusCode !== 200 || !body?.includes('"Id":50,')) throw new Error(`contacts/locate answered ${statusCode}`);
    };
    const theirs = async () => {
      if (!(await bare({ key: itemKey }))) throw new Error('the bare handler found nothing');
    };
    // Lines are written as in Lambda, but must not fill the screen.
    process.stdout.write = (() => true) as typeof process.stdout.write;
    await cpuPerCall(ours);
    await cpuPerCall(theirs);
    const pairs: Pair[] = [];
    for (let round = 0; round < ROUNDS; round++)
      pairs.push({ ours: await cpuPerCall(ours), theirs: await cpuPerCall(theirs) });
    process.stdout.write = write;
    const ratio = pairedRatio(pairs);
    printTable(
      ['warm call', 'CPU µs', `ratio (≤ ${LIMIT})`],
      [
        ['bare Get', median(pairs.map((pair) => pair.theirs)), 1],
        ['contacts/locate by id', median(pairs.map((pair) => pair.ours)), ratio],
      ],
    );
    return ratio <= LIMIT * NOISE;
  } finally {
    process.stdout.write = write;
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}
