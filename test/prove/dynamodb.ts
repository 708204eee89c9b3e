import { chunks } from '../../lib/store/dynamodb/table.ts';
import { missingPrograms, startDynamoDBLocal } from '../../infra/local/dynamodb-local.ts';
import { type Results, runSuites, testFilesIn } from './suites.ts';

const CHARGES_TWICE = 'A kilobyte written in a transaction costs 2 units in DynamoDB, 4 in DynamoDB Local.';

/**
 * Tests that fail on DynamoDB Local because it differs from DynamoDB, or that are about the embedded engine, each with
 * its reason. One that passes must leave the list.
 */
const knownDifferences: Readonly<Record<string, string>> = {
  'test/operations/list-limits.test.ts: a list that calls read as a whole takes no more than its limit tags with new names stop at the limit, in addtags and addupdate; existing ones are added as before':
    'A page of DynamoDB ends behind the item that exceeds 1 MB; that of DynamoDB Local before it: 3 items of 370 KB are two.',
  'test/workers/expiry.test.ts: a proposal beyond its time expires late after missed runs, and each run reads a bounded list':
    'DynamoDB charges half a unit for a query that finds nothing, DynamoDB Local none.',
  'test/store/idempotency.test.ts: a saved response of 5,000 postal codes is repeated byte for byte and costs what its bytes cost':
    CHARGES_TWICE,
  'test/store/list-records.test.ts: items that are loaded into the file of the engine are stored as the engine stores them':
    'It compares files of the embedded engine, which DynamoDB Local does not have.',
  'test/workers/messages.test.ts: a message costs at most what docs/messages-operations.md says 7 write units and 7 reads for a reminder, to decide and to send it':
    CHARGES_TWICE,
};

/** All tests of operations, store and workers, or the files that are named, on DynamoDB Local. */
export async function dynamodb(options: readonly string[]): Promise<boolean> {
  const missing = await missingPrograms();
  if (missing.length) {
    process.stdout.write(`dynamodb: ${missing.join(' ')}\n`);
    return false;
  }
  const files = options.length ? options : await testFilesIn('operations', 'store', 'workers');
  const results: Results[] = [];
  for (const group of groupsOf(files)) results.push(await runOnOwn(group));
  const [passed, failed] = [results.flatMap((each) => each.passed), results.flatMap((each) => each.failed)];
  const total = results.reduce((sum, each) => sum + each.total, 0);
  const unknown = failed.filter(({ name }) => !(name in knownDifferences));
  const outdated = Object.keys(knownDifferences).filter((name) => passed.includes(name));
  const differing = failed.filter(({ name }) => name in knownDifferences);
  const lines = [
    `${total - failed.length} of ${total} tests passed on DynamoDB Local, ${unknown.length} failed.`,
    ...unknown.map(({ name, message }) => `  failed: ${name}\n    ${message}`),
    ...outdated.map((name) => `  passed, and is to leave the known differences: ${name}`),
    `${differing.length} known differences:`,
    ...differing.map(({ name }) => `  ${name}\n    ${knownDifferences[name]}`),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return passed.length > 0 && unknown.length + outdated.length === 0;
}

/** Files with tables of their own that run on one DynamoDB Local. */
const GROUP = 4;

/**
 * The files of operations share one table. The others are parted: with every change that any table of a DynamoDB Local
 * has had, a write to a table with a stream takes longer, after 10,000 changes seven times as long.
 */
function groupsOf(files: readonly string[]): string[][] {
  const [operations = [], others = []] = [true, false].map((isOperation) =>
    files.filter((file) => file.startsWith('test/operations/') === isOperation).toSorted(),
  );
  return [...(operations.length ? [operations] : []), ...chunks(others, GROUP)];
}

async function runOnOwn(files: readonly string[]): Promise<Results> {
  const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, AWS_SESSION_TOKEN: ___, ...environment } = process.env;
  const local = await startDynamoDBLocal();
  try {
    return await runSuites(files, {
      environment: { ...environment, DYNAMODB_ENDPOINT: local.endpoint },
      // It does one thing at a time: more tests at once only wait for each other.
      options: ['--maxWorkers=2'],
    });
  } finally {
    await local.stop();
  }
}
