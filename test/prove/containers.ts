import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { CALLBACK_KEY, PAYMENT_KEY } from '../../infra/local/data-folder.ts';
import { type DeployedHandlers, type Stack, startStack } from '../../infra/local/stack.ts';
import { queueNames, queues, visibilitySeconds } from '../../infra/queues.ts';
import { consumerNames, consumers, scheduleNames } from '../../infra/table.ts';
import { makeBundles } from '../../infra/bundle/bundle.ts';
import { synthesize } from '../infra/synthesized.ts';
import { startRemote } from '../support/stack/remote.ts';
import type { TestStack } from '../support/stack/stack.ts';
import { type CheckingProxy, startCheckingProxy } from './checking-proxy.ts';
import { type Deployment, readDeployment } from './deployment.ts';
import { FunctionPool } from './function-pool.ts';
import { type Results, runSuites, testFilesIn } from './suites.ts';

const ROUTE = /^ANY (\/\S+)$/;

const REPEATED = 'test/operations/one-instance-a-call.test.ts';

/** Suites that call handlers in the test's own process, or with module instances of their own. */
const notThroughContainers: Readonly<Record<string, string>> = {
  [REPEATED]: 'runs suites of this proof with its own module instances',
  'test/operations/two-containers.test.ts': 'is one of two containers itself; its other calls reach the containers',
  'test/workers/downloads.test.ts': 'makes downloads here, where it kills their making, with files of its own',
  'test/workers/events.test.ts': 'calls the worker here, where it disturbs it, with a table of its own',
  'test/workers/expiry.test.ts': 'calls the worker here at chosen times, with a table of its own',
  'test/workers/visits.test.ts': 'calls the worker here over a line that fails, with a table of its own',
};

/**
 * The bundles as they are deployed, a process a container, with the environment, memory, time and routes of the
 * synthesized template, each request checked against the statements of its function's role; then all operations and
 * workers tests. What differs from AWS: STAGE is `local`, because tests use addresses of this machine, and batches of
 * the stream do not wait for their window.
 */
export async function containers(options: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...options],
    options: { instances: { type: 'string', default: '2' } },
    allowPositionals: true,
  });
  const instances = Number(values.instances);
  process.stdout.write('containers: bundle and synthesize\n');
  const { outdir, plain } = await synthesize({ writeBundles: makeBundles });
  const folder = await mkdtemp(join(tmpdir(), 'containers-'));
  const environment = Promise.withResolvers<Readonly<Record<string, string>>>();
  const errors: string[] = [];
  const pools = new Map<string, FunctionPool>();
  const template = plain.toJSON();
  const names = {
    table: 'field-service',
    bucket: 'field-service-files',
    baseUrl: '',
    queues: 'http://127.0.0.1',
    secrets: { CallbackSigning: CALLBACK_KEY, PaymentKeys: PAYMENT_KEY },
  };
  const routesOnly = readDeployment(template, outdir, names);
  let deployment: Deployment = routesOnly;

  const call = async (name: string, event: object): Promise<never> => {
    const ours = await environment.promise;
    const deployed = deployment.functions.get(name);
    if (!deployed) throw new Error(`the template has no function ${name}`);
    const pool =
      pools.get(name) ??
      new FunctionPool(deployed, {
        environment: { ...ours, AWS_ACCESS_KEY_ID: accessKeyOf(name) },
        instances,
        log: (line) => errors.push(line),
      });
    pools.set(name, pool);
    return (await pool.call(event)) as never;
  };
  const stack = await startStack({ folder, port: 0, retryMilliseconds: 1, handlers: handlersOf(routesOnly, call) });
  deployment = readDeployment(template, outdir, { ...names, baseUrl: stack.baseUrl });
  const roleOf = (accessKey: string) =>
    [...deployment.functions.values()].find(({ name }) => accessKeyOf(name) === accessKey);
  const table = await startCheckingProxy(stack.local.DynamoDBEndpoint, roleOf);
  const files = await startCheckingProxy(stack.local.AwsEndpoint, roleOf);
  const secrets = await startCheckingProxy(process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '', roleOf);
  environment.resolve({
    STAGE: 'local',
    PATH: process.env['PATH'] ?? '',
    AWS_REGION: stack.local.Region,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ENDPOINT_URL_S3: files.endpoint,
    AWS_ENDPOINT_URL_SQS: files.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    STRIPE_API: stack.local.StripeApi,
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  });
  const remote = await startRemote(stack);
  try {
    const suites = positionals.length
      ? positionals
      : (await testFilesIn('operations', 'workers')).filter((name) => name !== REPEATED);
    const results = await runSuites(
      suites,
      // A container handles a call at a time, and here all of them share one machine.
      {
        environment: { ...process.env, TEST_STACK: testStackOf(stack, remote.address, instances) },
        options: ['--project=calls'],
      },
    );
    const mismatches = sourceMismatches(deployment);
    report({ deployment, pools, proxies: [table, files, secrets], errors, mismatches, results });
    const denied = table.denials.size + files.denials.size + secrets.denials.size;
    return results.total > 0 && results.failed.length + denied + mismatches.length === 0;
  } finally {
    await remote.stop();
    pools.forEach((pool) => pool.stop());
    await stack.stop();
    await table.stop();
    await files.stop();
    await secrets.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(resolve(outdir, '..'), { recursive: true, force: true });
  }
}

/** Letters and digits only; the proxies know a function by it. */
const accessKeyOf = (name: string): string => `FUNCTION${Buffer.from(name).toString('hex')}`;

/** The handlers behind the routes of the template, and its workers. */
function handlersOf({ routes }: Deployment, call: (name: string, event: object) => Promise<never>): DeployedHandlers {
  const groups = [...routes].flatMap(([key, name]) => {
    const [, path] = ROUTE.exec(key) ?? [];
    return path ? [{ name, paths: [path], handler: (event: object) => call(name, event) }] : [];
  });
  const byName = <Name extends string>(known: readonly Name[]) =>
    Object.fromEntries(known.map((name) => [name, (event: object) => call(name, event)])) as Record<
      Name,
      (event: object) => Promise<never>
    >;
  return {
    groups,
    fallback: (event) => call(routes.get('$default') ?? '', event),
    workers: byName(consumerNames),
    queues: byName(queueNames),
    scheduled: byName(scheduleNames),
  };
}

/** The stack feeds the workers by infra/table.ts; the template must say the same. */
function sourceMismatches({ sources, queueSources }: Deployment): string[] {
  const ofQueues = queueNames.flatMap((name) => {
    const { batchSize, maximumConcurrency, maxReceiveCount, timeoutSeconds } = queues[name];
    const ours = {
      batchSize,
      maximumConcurrency,
      maxReceiveCount,
      visibilitySeconds: visibilitySeconds({ timeoutSeconds }),
    };
    const theirs = queueSources.get(name);
    return isDeepStrictEqual(ours, theirs) ? [] : [`${name}: ${JSON.stringify(theirs)} in the template`];
  });
  const ofStream = consumerNames.flatMap((name) => {
    const { batchSize, bisectBatchOnError, retryAttempts, maximumRecordAgeHours, filters } = consumers[name];
    const ours = { batchSize, bisectBatchOnError, retryAttempts, maximumRecordAgeHours, filters };
    const theirs = sources.get(name);
    return isDeepStrictEqual(ours, theirs) ? [] : [`${name}: ${JSON.stringify(theirs)} in the template`];
  });
  return [...ofStream, ...ofQueues];
}

/** The stack for the tests, which reach the API through the containers. */
function testStackOf({ local }: Stack, remote: string, instances: number): string {
  const { ApiKey: _, AccountId: __, OrganizationId: ___, ...places } = local;
  const testStack: TestStack = { ...places, remote, freshBaseUrl: places.BaseUrl, containers: instances };
  return JSON.stringify(testStack);
}

function report(found: {
  readonly deployment: Deployment;
  readonly pools: ReadonlyMap<string, FunctionPool>;
  readonly proxies: readonly CheckingProxy[];
  readonly errors: readonly string[];
  readonly mismatches: readonly string[];
  readonly results: Results;
}): void {
  const { deployment, pools, proxies, errors, mismatches, results } = found;
  const started = [...pools.values()].reduce((sum, pool) => sum + pool.started, 0);
  const checked = proxies.reduce((sum, proxy) => sum + proxy.checked(), 0);
  const denials = proxies.flatMap((proxy) => [...proxy.denials]);
  const lines = [
    `${results.passed.size} of ${results.total} tests passed.`,
    `${deployment.functions.size} functions, ${started} containers, ${checked} requests checked by their roles.`,
    ...results.failed.map(({ name, message }) => `  failed: ${name}\n      ${message}`),
    `${denials.length} denials.`,
    ...denials.map(([line, count]) => `  denied: ${line} (${count} times)`),
    ...mismatches.map((line) => `  event source differs: ${line}`),
    ...errors.slice(0, 20).map((line) => `  logged: ${line.slice(0, 600)}`),
    'Not through containers:',
    ...Object.entries(notThroughContainers).map(([name, reason]) => `  ${name} ${reason}`),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
