import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchors, pages, relativeLinks } from '../support/documents/pages.ts';

const root = join(import.meta.dirname, '../..');

test('every relative link of README and docs leads to a file, and to a heading where it names one', () => {
  const broken = pages(root).flatMap((page) =>
    relativeLinks(readFileSync(join(root, page), 'utf8'))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path ? join(root, dirname(page), path) : join(root, page);
        if (!existsSync(file)) return true;
        return anchor !== undefined && !(statSync(file).isFile() && anchors(readFileSync(file, 'utf8')).has(anchor));
      })
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});
