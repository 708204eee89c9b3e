import { cost } from './cost.ts';
import { start } from './start.ts';
import { warm } from './warm.ts';

/** Each bench prints its table and says whether every figure is within its budget. */
const benches: Record<string, () => Promise<boolean>> = { cost, start, warm };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches[name]);
if (unknown.length) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.\n`);
  process.exit(2);
}
let held = true;
for (const [name, run] of Object.entries(benches)) {
  if (asked.length && !asked.includes(name)) continue;
  process.stdout.write(`\n${name}\n`);
  held = (await run()) && held;
}
process.exit(held ? 0 : 1);
