import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Verification } from '../../../lib/store/dynamodb/verification.ts';

let read: string[];
let stored: Record<string, number>;
const cache = {};

/** Uses a value of a cache as a call does: what the container remembers, or with `undefined` what the table holds. */
const use = (verification: Verification<null>, name: string, remembered?: number) =>
  verification.use<number | undefined>(null, {
    cache,
    name,
    remembered: remembered === undefined ? undefined : Promise.resolve(remembered),
    load: async () => {
      read.push(name);
      return stored[name];
    },
    keep: () => undefined,
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  read = [];
  stored = { hours: 1, prices: 1 };
});
afterEach(() => void vi.useRealTimers());

test('another attempt within a second reads only what the one before it did not', async () => {
  const verification = new Verification<null>();
  verification.begin();
  await use(verification, 'hours');
  await use(verification, 'prices', 1);
  await verification.beginAgain();
  read = [];
  expect([await use(verification, 'hours'), await use(verification, 'prices', 1)]).toEqual([1, 1]);
  await use(verification, 'agents');
  expect([await verification.isCurrent(), read]).toEqual([true, ['agents']]);
});

test('an attempt decides by what the one before it read where the container remembered something else', async () => {
  const verification = new Verification<null>();
  verification.begin();
  expect(await use(verification, 'prices', 0)).toBe(0);
  expect(await verification.isCurrent()).toBe(false);
  await verification.beginAgain();
  expect([await use(verification, 'prices'), await verification.isCurrent()]).toEqual([1, true]);
  expect(read).toEqual(['prices']);
});

test('what was read a second ago is read again, however many attempts were between', async () => {
  const verification = new Verification<null>();
  verification.begin();
  for (let attempt = 0; attempt < 5; attempt++) {
    await use(verification, 'hours');
    vi.advanceTimersByTime(250);
    await verification.beginAgain();
  }
  expect(read).toEqual(['hours', 'hours']);
});
