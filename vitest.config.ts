import { enableCompileCache } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { replaceMissingEngine } from './infra/local/dynamodb-local.ts';
import { LongestFirst } from './test/support/stack/longest-first.ts';

/** Tests of pure code, which need no stack. */
const rules = [
  'test/contract/**/*.test.ts',
  'test/domain/**/*.test.ts',
  'test/entities/**/*.test.ts',
  'test/events/**/*.test.ts',
  'test/files/**/*.test.ts',
  'test/messages/**/*.test.ts',
  'test/pages/**/*.test.ts',
  'test/shared/**/*.test.ts',
  'test/api/{aws-messages,answer-size,source-address,suggest-field}.test.ts',
  'test/client/webhooks.test.ts',
  'test/infra/cors.test.ts',
  'test/infra/cli/{own-files,values}.test.ts',
  'test/infra/cli/company-file/{hours,parse}.test.ts',
  'test/infra/cli/contacts-csv/{batches,csv}.test.ts',
  'test/infra/local/{api-gateway,engine,event-pattern,event-source,http-server,local-callers}.test.ts',
  'test/store/{event-days,held-times,indexes,keys}.test.ts',
  'test/workers/callback-load.test.ts',
];

/** Tests that only call the stack. With TEST_STACK they run on that of `npm run prove -- containers`, and no others. */
const calls = [
  'test/operations/**/*.test.ts',
  'test/api/key-restrictions.test.ts',
  'test/client/{calls,streams}.test.ts',
  'test/faults/bad-input.test.ts',
  'test/infra/cli/{audit,erase,trigger}.test.ts',
  'test/infra/cli/company-file/{command,docs}.test.ts',
  'test/infra/cli/contacts-csv/{import,round-trip}.test.ts',
  'test/infra/cli/demo/activity.test.ts',
  'test/infra/local/{stream-pump,time-to-live}.test.ts',
  'test/store/{email-entries,organization-search,quotes}.test.ts',
  'test/store/dynamodb/transactional-puts.test.ts',
  'test/workers/{checkouts,money}.test.ts',
];

/** Tests of operations that run handlers in their own process. */
const ownHandlers = [
  'test/operations/appointments/holds.test.ts',
  'test/operations/appointments/roads.test.ts',
  'test/operations/assistant-expiry.test.ts',
  'test/operations/one-instance-a-call.test.ts',
  'test/operations/public-paths.test.ts',
  'test/operations/schemas.test.ts',
  'test/operations/sign-in.test.ts',
  'test/operations/two-containers.test.ts',
];

/** Tests of what a process reads or makes once: the level of its log, and secrets that it holds. */
const alone = ['test/faults/log-lines.test.ts', 'test/workers/{canary,first-call,origin-check}.test.ts'];

/** Tests that load modules again, as a new container does, for which Vite's loader is needed. They use no stack. */
const reloading = [
  'test/api/rate-limit.test.ts',
  'test/store/dynamodb/table.test.ts',
  'test/store/dynamodb/ids.test.ts',
];

const isElsewhere = Boolean(process.env['TEST_STACK']);

/** They take a minute: `npm run prove -- docs`. */
const followedDocs = process.env['FOLLOWED_DOCS'] ? [] : ['test/docs/**'];

/** They compare processor times, which other work beside them changes: `npm run prove -- speed`. */
const speed = process.env['SPEED'] ? [] : ['test/**/*.speed.test.ts'];

const globalSetup = 'test/support/stack/global-setup.ts';
const nativeModules = 'test/support/stack/native-modules.ts';
/** Files share a process where they can: to start one and load what the handlers need takes a second of CPU. */
const restoredProcess = 'test/support/stack/restored-process.ts';

// Workers and the processes that tests start load hundreds of modules each: compiled once, that takes half the CPU.
enableCompileCache((process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'field-service-compile-cache')));

// As npm start: all processes of the run find it in the environment.
await replaceMissingEngine({ log: console.log });

export default defineConfig({
  test: {
    // More than the cores: a test also waits for the stack.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Node.js loads the sources itself, as for `npm start`, in half the time that Vite takes.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // For tests that hang. A busy machine is not a failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
    // Concurrent tests wait; they do not compute.
    maxConcurrency: 40,
    projects: [
      // Tests that call the run's stack, and tests that run handlers, workers and tools in their own process: calls
      // wait for the one process of the stack, and the others compute meanwhile.
      {
        extends: true,
        test: {
          name: 'stack',
          include: isElsewhere ? calls : ['test/**/*.test.ts'],
          exclude: [...(isElsewhere ? ownHandlers : []), ...rules, ...reloading, ...alone, ...followedDocs, ...speed],
          globalSetup,
          setupFiles: [nativeModules, restoredProcess],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone, globalSetup, setupFiles: nativeModules } },
      {
        extends: true,
        test: { name: 'reloading', include: reloading, experimental: { viteModuleRunner: true, nodeLoader: true } },
      },
      {
        extends: true,
        test: { name: 'rules', include: rules, exclude: speed, setupFiles: nativeModules, isolate: false },
      },
    ],
  },
});
