import { spawnSync } from 'node:child_process';
import { client } from './client.ts';
import { cost } from './cost.ts';
import { exported } from './export.ts';
import { entered } from './entered.ts';
import { events } from './events.ts';
import { load } from './load.ts';
import { office } from './office.ts';
import { pricing } from './price.ts';
import { slots } from './slots.ts';
import { start } from './start.ts';
import { warm } from './warm.ts';

/** Each bench prints its table and says whether every figure is within its budget. */
const benches: Record<string, () => Promise<boolean>> = {
  client,
  cost,
  entered,
  events,
  export: exported,
  load,
  office,
  price: pricing,
  slots,
  start,
  warm,
};

const request = process.argv.slice(2);
const unknown = request.filter((name) => !benches[name]);
if (unknown.length) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.\n`);
  process.exit(2);
}

const [only, ...others] = request.length ? request : Object.keys(benches);
const run = only && benches[only];
if (run && others.length === 0) {
  process.stdout.write(`\n${only}\n`);
  process.exit((await run()) ? 0 : 1);
}
// A process each: a bench must not find the clients and caches of the one before.
const failed = [only ?? '', ...others].filter(
  (name) => spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' }).status !== 0,
);
process.exit(failed.length ? 1 : 0);
