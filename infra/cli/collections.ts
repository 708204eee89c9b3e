import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectionFiles } from '../collections/files.ts';
import { runScript } from './output.ts';

/**
 * `npm run collections -- [--out <folder>]`: writes the Postman and the Bruno collection of every operation to the
 * folder, by default `dist/collections`, which it empties first.
 */
function main(): void {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const folder = values.out ?? 'dist/collections';
  if (!values.out) rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of collectionFiles()) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${join(folder, 'postman.json')} and ${join(folder, 'bruno')} have every operation.`);
}

runScript(main);
