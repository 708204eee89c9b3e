import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectionFiles } from '../collections.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'collections');

/** `npm run collections`: writes the Postman and the Bruno collection of every operation to docs/collections. */
rmSync(FOLDER, { recursive: true, force: true });
for (const [path, text] of collectionFiles()) {
  const file = join(FOLDER, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
