import { deepEqual } from 'node:assert/strict';
import { afterAll } from 'vitest';

/** Vitest's own, and the credentials that every test may set. */
const isFree = (name: string): boolean => /^(VITEST|AWS_(REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY)$)/.test(name);

const before = { ...process.env };

// The next file of this process must find its handlers' environment as this one found it. Values may be secret.
afterAll(() => {
  const names = Object.keys({ ...before, ...process.env }).filter((name) => !isFree(name));
  const changed = names.filter((name) => process.env[name] !== before[name]);
  deepEqual(changed, [], 'A test that sets the environment needs a process of its own: see vitest.config.ts.');
});
