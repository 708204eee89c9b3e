import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runScript } from './output.ts';
import { apiDocument } from '../openapi.ts';

/**
 * `npm run openapi -- [--server <address>] [--full] [--out <file>]`: writes the OpenAPI document of everything that
 * exists, to the file or to standard output. Its server is the local stack, or the address of a deployment. The full
 * document also has every field that a request accepts and ignores, and the forms of uploads.
 */
function main(): void {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, server: { type: 'string' }, full: { type: 'boolean', default: false } },
  });
  const text = `${JSON.stringify(apiDocument({ baseUrl: values.server, isFull: values.full }), null, 2)}\n`;
  if (values.out) writeFileSync(values.out, text);
  else process.stdout.write(text);
}

runScript(main);
