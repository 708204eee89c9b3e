import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    globalSetup: 'test/support/global-setup.ts',
    // A process a file: the handlers find their table through the environment.
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
