import { readFileSync, writeFileSync } from 'node:fs';
import { type Bill, estimateBill } from '../../infra/watch/estimate.ts';
import { prices } from '../../infra/watch/prices.ts';
import { LOCATIONS, METRICS, companyUse } from './company.ts';
import { costRows } from './cost-rows.ts';

const PAGE = new URL('../../docs/operations.md', import.meta.url);
const METRICS_BUDGET = 10;

const dollars = (value: number) => `$${value.toFixed(2)}`;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

/** The bill as docs/operations.md has it. */
function formatBill(bill: Bill): string {
  const rows = bill.lines.map((line) => [line.name, `${whole(line.quantity)} ${line.unit}`, dollars(line.dollars)]);
  const location = dollars(bill.dollars / LOCATIONS);
  return [...rows, ['Total', `${location} a location`, dollars(bill.dollars)]]
    .map(([name = '', quantity = '', price = '']) => `${name.padEnd(20)}${quantity.padStart(24)}${price.padStart(10)}`)
    .join('\n');
}

export const companyBill = (): string => formatBill(estimateBill(companyUse(costRows)));

const BLOCK = /(?<=```text bill\n)[\s\S]*?(?=\n```)/;

/** The bill that docs/operations.md shows. */
export const documentedBill = (): string => BLOCK.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';

/**
 * A month of the company with 20 locations. Fails where the custom metrics exceed $10, or docs/operations.md shows
 * another bill; `WRITE=1 npm run bench -- bill` writes it there.
 */
export async function bill(): Promise<boolean> {
  const text = companyBill();
  process.stdout.write(`${text}\n`);
  if (process.env['WRITE'])
    writeFileSync(
      PAGE,
      readFileSync(PAGE, 'utf8').replace(BLOCK, () => text),
    );
  const metrics = METRICS * prices.metric;
  if (metrics > METRICS_BUDGET) process.stdout.write(`The metrics cost ${dollars(metrics)}.\n`);
  const isDocumented = documentedBill() === text;
  if (!isDocumented) process.stdout.write('docs/operations.md shows another bill: WRITE=1 npm run bench -- bill\n');
  return metrics <= METRICS_BUDGET && isDocumented;
}
