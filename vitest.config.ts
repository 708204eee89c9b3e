import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/stack/longest-first.ts';

/** Tests of pure code, which need no stack. */
const rules = [
  'test/contract/**/*.test.ts',
  'test/domain/**/*.test.ts',
  'test/events/**/*.test.ts',
  'test/files/**/*.test.ts',
  'test/shared/**/*.test.ts',
];

// Workers and the processes that tests start load hundreds of modules each: compiled once, that takes half the CPU.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'field-service-compile-cache');

export default defineConfig({
  test: {
    // One more than the cores: a test also waits for the stack.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'calls',
          include: ['test/**/*.test.ts'],
          exclude: ['test/bench/**', ...rules],
          globalSetup: 'test/support/stack/global-setup.ts',
          // One process for each file: the handlers find their table through the environment.
          pool: 'forks',
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // Concurrent tests wait; they do not compute.
          maxConcurrency: 40,
        },
      },
      // Pure tests leave their process as it is and can share one.
      { test: { name: 'rules', include: rules, pool: 'forks', isolate: false, testTimeout: 20_000 } },
    ],
  },
});
