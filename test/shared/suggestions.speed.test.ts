import { expect, test } from 'vitest';
import { nearest, nearestName } from '../../lib/shared/text/suggestions.ts';

test('the search for a suggestion takes 20 ms of CPU at most for long names and long lists', () => {
  const lists = [
    Array.from({ length: 100_000 }, (_, index) => `${'a'.repeat(55)}${index}`),
    Array.from({ length: 50_000 }, () => 'ab'.repeat(5_000)),
  ];
  // The least of three rounds: the collection of garbage counts in one or the other.
  const rounds = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    for (const list of lists) {
      nearest('b'.repeat(60), list);
      nearestName('b'.repeat(64), list);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / 4;
  });
  expect(Math.min(...rounds)).toBeLessThan(20);
});
