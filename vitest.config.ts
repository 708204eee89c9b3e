import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** What is told by its arguments alone, and asks for no stack. */
const rules = [
  'test/contract/**/*.test.ts',
  'test/domain/**/*.test.ts',
  'test/events/**/*.test.ts',
  'test/files/**/*.test.ts',
  'test/shared/**/*.test.ts',
];

export default defineConfig({
  test: {
    // One more than there are cores: a test mostly waits for the stack, or for a line that fails.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'calls',
          include: ['test/**/*.test.ts'],
          exclude: ['test/bench/**', ...rules],
          globalSetup: 'test/support/global-setup.ts',
          // A process a file: the handlers find their table through the environment.
          pool: 'forks',
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      // They change nothing of their process, and may share one.
      { test: { name: 'rules', include: rules, pool: 'forks', isolate: false, testTimeout: 20_000 } },
    ],
  },
});
