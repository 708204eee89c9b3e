import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Where `npm test` only samples: each of these tests reads its number of runs from the environment. */
const runs = {
  MODEL_RUNS: '20',
  RACE_ROUNDS: '20',
  HOLD_ROUNDS: '200',
  RUSH_CALLERS: '200',
  BOOKING_CALLS: '90',
  BAD_INPUT_RUNS: '60',
  EVERY_OPERATION: '1',
  EVERY_COMMIT: '1',
  FINDABLE_EVERY: '1',
  MUTATIONS_OF_A_KIND: '8',
  KILLS: '4',
  READER_RUNS: '40',
  SEARCH_CONTACTS: '1000',
  SEARCH_RUNS: '400',
  PRICING_REQUESTS: '100000',
  BILLS: '5000',
  QUOTES: '3000',
  PROPOSALS: '3000',
  VISIT_PLANS: '4000',
  SERIES_RACES: '10000',
  WEEKDAY_RUNS: '10000',
  SERIES_ROUNDS: '20',
  BOOK_PLANS: '600',
  SEARCHES: '10000',
  WINDOW_SEARCHES: '1000',
  DATES: '1000',
  DEMO_STARTS: '100',
  NIGHTS: '2000',
  UPLOAD_RUNS: '400',
  LEAD_RUNS: '30000',
  ENTRY_RUNS: '20',
  DATE_RUNS: '20',
  SNAPSHOT_CHANGES: '1000',
  ERASURE_RUNS: '20',
  ERASURE_CALLS: '300',
  LIST_RUNS: '20',
  EVENT_RUNS: '30',
  FORGERIES: '3',
  IMPORT_ROWS: '5000',
  PAGE_CALLS: '10000',
  CREDIT_RUNS: '10000',
  MERGED_CREDIT_RUNS: '20',
  CREDIT_CALL_RUNS: '20',
  DAY_PLANS: '1000',
  DAY_RUNS: '1000',
};

const suites = [
  'test/operations/appointments/agents-model.test.ts',
  'test/operations/appointments/model.test.ts',
  'test/operations/appointments/slots-and-bookings.test.ts',
  'test/operations/appointments/buffers.test.ts',
  'test/operations/datasubscriber/event-data.test.ts',
  'test/infra/cli/import-runs/undo-demo.test.ts',
  'test/operations/collection-run.test.ts',
  'test/operations/harmless-examples.test.ts',
  'test/operations/stored-records/every-operation.test.ts',
  'test/operations/payment/billing-model.test.ts',
  'test/operations/payment/credit-calls.test.ts',
  'test/operations/invoice/model.test.ts',
  'test/operations/payment/model.test.ts',
  'test/operations/contacts/upload.test.ts',
  'test/operations/forged-links.test.ts',
  'test/operations/found-dates.test.ts',
  'test/operations/lists.test.ts',
  'test/operations/other-forms.test.ts',
  'test/operations/schemas.test.ts',
  'test/operations/shared.test.ts',
  'test/operations/datasubscriber/snapshot.test.ts',
  'test/workers/erasure.test.ts',
  'test/workers/erasure-in-flight.test.ts',
  'test/workers/erasure-persons.test.ts',
  'test/domain/contacts/person.test.ts',
  'test/domain/leads/read-lead.test.ts',
  'test/domain/credit-histories.test.ts',
  'test/faults/bad-input.test.ts',
  'test/faults/hostile-addresses.test.ts',
  'test/infra/cli/company-file/import.test.ts',
  'test/infra/cli/other-systems/import.test.ts',
  'test/faults/bookings.test.ts',
  'test/faults/holds.test.ts',
  'test/client/rush.test.ts',
  'test/faults/invoices.test.ts',
  'test/faults/kills.test.ts',
  'test/faults/payments.test.ts',
  'test/faults/replies.test.ts',
  'test/faults/result-codes.test.ts',
  'test/faults/search-entries.test.ts',
  'test/infra/cli/demo/create-demo.test.ts',
  'test/store/contact-search.test.ts',
  'test/store/dynamodb/readers.test.ts',
  'test/domain/invoices/given-amounts.test.ts',
  'test/domain/pricing/properties.test.ts',
  'test/domain/pricing/billed-lines.test.ts',
  'test/domain/proposals/properties.test.ts',
  'test/domain/proposals/quote.test.ts',
  'test/domain/subscriptions/visits-properties.test.ts',
  'test/domain/subscriptions/series.test.ts',
  'test/domain/weekday-rule.test.ts',
  'test/workers/merged-credit.test.ts',
  'test/workers/series.test.ts',
  'test/domain/pricebook/plan.test.ts',
  'test/domain/scheduling',
  'test/pages/hostile-texts.test.ts',
];

/**
 * The random tests with many more runs, and test files or options of vitest instead of all, if any are given. All of
 * them take some twenty minutes: one suite after another, with a line for each.
 */
export async function random(options: readonly string[]): Promise<boolean> {
  if (options.length) return run(options);
  const failed: string[] = [];
  for (const [index, suite] of suites.entries()) {
    const started = Date.now();
    const passed = await run([suite]);
    if (!passed) failed.push(suite);
    const seconds = Math.round((Date.now() - started) / 1_000);
    const place = `${index + 1} of ${suites.length}`;
    process.stdout.write(`random: ${place}, ${suite}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  }
  process.stdout.write(failed.length ? `random: failed are ${failed.join(', ')}\n` : 'random: all passed\n');
  return failed.length === 0;
}

async function run(options: readonly string[]): Promise<boolean> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const limits = ['--testTimeout=1800000', '--hookTimeout=300000'];
  const child = spawn(process.execPath, [vitest, 'run', ...limits, ...options], {
    cwd: root,
    env: { ...process.env, ...runs },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
