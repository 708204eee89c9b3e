import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import { queueWorkers } from '../../functions/workers/index.ts';
import { visibilitySeconds, workedQueues } from '../../infra/queues.ts';
import { streamWorkerNames, streamWorkers } from '../../functions/workers/index.ts';
import { makeBundles } from '../../infra/bundle/bundle.ts';
import { synthesizeStages } from '../infra/synthesized.ts';
import { startRemote } from '../support/stack/remote.ts';
import type { TestStack } from '../support/stack/stack.ts';
import { type CheckingProxy, startCheckingProxy } from './checking-proxy.ts';
import { Containers, environmentOn, handlersOf, namesOn, secretsEndpoint } from './deployed-stack.ts';
import { type Deployment, readDeployment } from './deployment.ts';
import { type Results, runSuites, testFilesIn } from './suites.ts';

const REPEATED = 'test/operations/one-instance-a-call.test.ts';

/** A stage that may go, and has the workers of messages. */
const STAGE = {
  disposable: true,
  tracing: true,
  messages: { domain: 'mail.example.com', texts: { originationIdentity: 'phone-1' } },
};

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
  const { outdir, templateOf } = await synthesizeStages({ proof: STAGE }, { writeBundles: makeBundles });
  const folder = await mkdtemp(join(tmpdir(), 'containers-'));
  const errors: string[] = [];
  const template = templateOf('field-service-proof').toJSON();
  const routesOnly = readDeployment(template, outdir, namesOn(''));
  let deployment: Deployment = routesOnly;
  const running = Promise.withResolvers<Containers>();
  const call = async (name: string, event: object): Promise<never> => {
    const ours = await running.promise;
    const deployed = deployment.functions.get(name);
    if (!deployed) throw new Error(`the template has no function ${name}`);
    return ours.call(deployed, event);
  };
  const stack = await startStack({ folder, port: 0, retryMilliseconds: 1, handlers: handlersOf(routesOnly, call) });
  deployment = readDeployment(template, outdir, namesOn(stack.baseUrl));
  const roleOf = (accessKey: string) =>
    [...deployment.functions.values()].find(({ name }) => accessKeyOf(name) === accessKey);
  const table = await startCheckingProxy(stack.local.DynamoDBEndpoint, roleOf);
  const files = await startCheckingProxy(stack.local.AwsEndpoint, roleOf);
  const secrets = await startCheckingProxy(secretsEndpoint(), roleOf);
  const messages = await startCheckingProxy(stack.local.MessagesEndpoint, roleOf);
  const proxies = { table, files, secrets, messages };
  const endpoints = {
    table: table.endpoint,
    files: files.endpoint,
    secrets: secrets.endpoint,
    messages: messages.endpoint,
  };
  const environment = environmentOn(stack, endpoints, folder);
  const ours = new Containers({
    environmentOf: ({ name }) => ({ ...environment, AWS_ACCESS_KEY_ID: accessKeyOf(name) }),
    instances,
    log: (line) => errors.push(line),
  });
  running.resolve(ours);
  const remote = await startRemote(stack);
  try {
    const suites = positionals.length
      ? positionals
      : (await testFilesIn('operations', 'workers')).filter((name) => name !== REPEATED);
    const results = await runSuites(
      suites,
      // A container handles a call at a time, and here all of them share one machine.
      {
        environment: {
          ...process.env,
          EVERY_OPERATION: '1',
          TEST_STACK: testStackOf(stack, remote.address, instances),
        },
        options: ['--project=stack'],
      },
    );
    const mismatches = sourceMismatches(deployment);
    const all = Object.values(proxies);
    report({ deployment, started: ours.started, proxies: all, errors, mismatches, results });
    const denied = all.reduce((sum, { denials }) => sum + denials.size, 0);
    return results.total > 0 && results.failed.length + denied + mismatches.length === 0;
  } finally {
    await remote.stop();
    ours.stop();
    await stack.stop();
    for (const proxy of Object.values(proxies)) await proxy.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(resolve(outdir, '..'), { recursive: true, force: true });
  }
}

/** Letters and digits only; the proxies know a function by it. */
const accessKeyOf = (name: string): string => `FUNCTION${Buffer.from(name).toString('hex')}`;

/** The stack feeds the workers by infra/table.ts; the template must say the same. */
function sourceMismatches({ sources, queueSources }: Deployment): string[] {
  const ofQueues = workedQueues(STAGE).flatMap((name) => {
    const { batchSize, maximumConcurrency, maxReceiveCount, timeoutSeconds } = queueWorkers[name].queue;
    const ours = {
      batchSize,
      maximumConcurrency,
      maxReceiveCount,
      visibilitySeconds: visibilitySeconds({ timeoutSeconds }),
    };
    const theirs = queueSources.get(name);
    return isDeepStrictEqual(ours, theirs) ? [] : [`${name}: ${JSON.stringify(theirs)} in the template`];
  });
  const ofStream = streamWorkerNames.flatMap((name) => {
    const { batchSize, bisectBatchOnError, retryAttempts, maximumRecordAgeHours, filters } = streamWorkers[name].stream;
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
  readonly started: number;
  readonly proxies: readonly CheckingProxy[];
  readonly errors: readonly string[];
  readonly mismatches: readonly string[];
  readonly results: Results;
}): void {
  const { deployment, started, proxies, errors, mismatches, results } = found;
  const checked = proxies.reduce((sum, proxy) => sum + proxy.checked(), 0);
  const denials = proxies.flatMap((proxy) => [...proxy.denials]);
  const lines = [
    `${results.passed.length} of ${results.total} tests passed.`,
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
