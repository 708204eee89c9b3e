import { vi } from 'vitest';

/** Modules that Node.js loads stay as they are: a test that relied on fresh ones would show nothing. */
vi.resetModules = () => {
  throw new Error('Name this file under `reloading` in vitest.config.ts: only there modules can be loaded again.');
};
