import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Bill, type MonthlyUse, estimateBill } from '../../infra/watch/estimate.ts';
import { prices } from '../../infra/watch/prices.ts';
import { LOCATIONS, METRICS, companyUse } from '../bench/company.ts';
import { costRows } from '../bench/cost-rows.ts';

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

const nothing: MonthlyUse = {
  calls: [],
  callbacks: 0,
  canaryRuns: 0,
  scheduledRuns: 0,
  countedMonths: 0,
  queues: 0,
  tableGigabytes: 0,
  bucketGigabytes: 0,
  logMonths: 0,
  metrics: 0,
  alarmMetrics: 0,
  dashboards: 0,
  edges: 0,
};
const linesOf = (use: Partial<MonthlyUse>) =>
  Object.fromEntries(
    estimateBill({ ...nothing, ...use }).lines.flatMap(({ name, dollars }) =>
      dollars ? [[name, Math.round(dollars * 10_000) / 10_000]] : [],
    ),
  );

describe('the estimate of a bill', () => {
  test('of a million reads of 2 rounds and 4 units, kept in the logs for a year', () => {
    const calls = [{ calls: 1_000_000, rounds: 2, readUnits: 4, writeUnits: 0, events: 0 }];
    expect(linesOf({ calls, logMonths: 12 })).toEqual({
      'API Gateway': 1,
      Lambda: 0.2,
      // 36 ms each: 36,000 GB-seconds.
      'Lambda, time': 0.48,
      // 4 units and 0.5 for the rate.
      'DynamoDB, reads': 0.5625,
      // 1 unit for the rate.
      'DynamoDB, writes': 0.625,
      // 2 KB each.
      'Logs, written': 1,
      'Logs, kept': 0.72,
      Secrets: 0.8,
      // 6 KB each.
      Transfer: 0.54,
    });
  });

  test('of a million writes of 20 units with an event each', () => {
    const calls = [{ calls: 1_000_000, rounds: 3, readUnits: 6, writeUnits: 20, events: 1 }];
    expect(linesOf({ calls })).toMatchObject({
      Lambda: 0.4,
      // 44 ms and the worker's 40: 84,000 GB-seconds.
      'Lambda, time': 1.12,
      // 6 units, 0.5 for the rate, 2.5 for the event.
      'DynamoDB, reads': 1.125,
      // 20 units, 1 for the rate, 4 for the event.
      'DynamoDB, writes': 15.625,
      // 2 KB and 1.5 KB.
      'Logs, written': 1.75,
    });
  });

  test('of a million events of which one receiver is told', () => {
    expect(linesOf({ callbacks: 1_000_000 })).toEqual({
      // The worker of the stream, and that of the queue.
      Lambda: 0.4,
      // 300 ms each, most of it the receiver's.
      'Lambda, time': 4,
      'DynamoDB, reads': 0.5,
      'DynamoDB, writes': 3.75,
      // Sent, received and deleted.
      Queues: 1.2,
      // 1 KB each.
      'Logs, written': 0.5,
      Secrets: 0.8,
      // 3 KB each.
      Transfer: 0.27,
    });
  });

  test('of a stage without calls', () => {
    const use = { queues: 3, tableGigabytes: 1, bucketGigabytes: 1, metrics: 10, alarmMetrics: 28, dashboards: 1 };
    expect(linesOf(use)).toEqual({
      // 657,000 requests a queue, also if it is empty.
      Queues: 0.7884,
      'Table and recovery': 0.45,
      Bucket: 0.023,
      'Custom metrics': 3,
      Alarms: 2.8,
      Secrets: 0.8,
      Dashboard: 3,
    });
  });

  test('has at most $10 of custom metrics for the company with 20 locations', () => {
    expect(METRICS * prices.metric).toBeLessThanOrEqual(10);
  });

  test('is in docs/operations.md, by the budgets of the cost bench', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [documented] = /(?<=```text bill\n)[\s\S]*?(?=\n```)/.exec(page) ?? [];
    expect(documented).toBe(formatBill(estimateBill(companyUse(costRows))));
    const totals = [1, 10, 20, 200].map((count) => dollars(estimateBill(companyUse(costRows, count)).dollars));
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`1, 10, 20 and 200 locations are ${totals.join(', ')} a month`);
  });
});
