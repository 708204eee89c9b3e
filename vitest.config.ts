import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    globalSetup: 'test/support/global-setup.ts',
    // A process a file: the handlers find their table through the environment.
    pool: 'forks',
    // As many as there are cores, and not one less: the machine of a run has nothing else to do.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
