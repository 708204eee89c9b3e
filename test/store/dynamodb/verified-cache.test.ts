import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TableReader, openTable } from '../../../lib/store/dynamodb/table.ts';
import { Verification, VerifiedCache } from '../../../lib/store/dynamodb/verification.ts';

let stored: { list: string[]; revision: number };
let reads: string[];
/** What another container changes while the list is read beside its revision. */
let meanwhile: () => void;
let cache: VerifiedCache<string, readonly string[], TableReader>;

const change = (...list: string[]) => {
  stored = { list, revision: stored.revision + 1 };
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  stored = { list: ['a'], revision: 1 };
  reads = [];
  meanwhile = () => undefined;
  cache = new VerifiedCache({
    name: (key) => key,
    read: () => async () => {
      const { list } = stored;
      reads.push('list');
      return list;
    },
    revision: () => async () => {
      // Later than the list that is read beside it.
      await Promise.resolve();
      meanwhile();
      reads.push('revision');
      return stored.revision;
    },
  });
});
afterEach(() => void vi.useRealTimers());

/** A write that decides by the list, again where the container remembered another one; what it decided by and read. */
async function write() {
  reads = [];
  const verification = new Verification<TableReader>();
  verification.begin();
  const table = openTable({ verification });
  for (;;) {
    const list = await cache.read(table, 'rates', 'recent');
    if (await verification.isCurrent()) return { list, reads };
    await verification.beginAgain();
  }
}

test('from the third write on, an unchanged list is not read, only its revision', async () => {
  const all = [await write(), await write(), await write(), await write()];
  expect(all.map(({ reads: own }) => own.toSorted().join(' '))).toEqual([
    'list revision',
    'list revision',
    'revision',
    'revision',
  ]);
  expect(all.map(({ list }) => list)).toEqual([['a'], ['a'], ['a'], ['a']]);
});

test('a changed list is read, and decides at once', async () => {
  for (let count = 0; count < 3; count++) await write();
  change('a', 'b');
  expect((await write()).list).toEqual(['a', 'b']);
  expect(await write()).toEqual({ list: ['a', 'b'], reads: ['revision'] });
});

test('a change between the reads of a list and of its revision is seen by the next write', async () => {
  for (const writes of [0, 1, 2, 3]) {
    for (let count = 0; count < writes; count++) await write();
    meanwhile = () => {
      change('changed', String(writes));
      meanwhile = () => undefined;
    };
    await write();
    for (let count = 0; count < 4; count++) expect((await write()).list).toEqual(['changed', String(writes)]);
    vi.setSystemTime(Date.now() + 60_000);
  }
});

test('a list is read at least every 30 seconds, as a former version does not raise the revision', async () => {
  for (let count = 0; count < 3; count++) await write();
  stored = { ...stored, list: ['by a former version'] };
  vi.setSystemTime(Date.now() + 31_000);
  expect((await write()).list).toEqual(['by a former version']);
});
