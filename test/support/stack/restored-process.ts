import { afterAll, vi } from 'vitest';

const before = { ...process.env };

// The next file of this process finds environment, clock and functions as this one has found them.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
