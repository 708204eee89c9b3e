import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorSentence } from './output.ts';
import { apiDocument } from '../openapi.ts';

/**
 * `npm run openapi -- [--server <address>] [--out <file>]`: writes the OpenAPI document of everything that exists, to
 * the file or to standard output. Its server is the local stack, or the address of a deployment.
 */
function main(): void {
  const { values } = parseArgs({ options: { out: { type: 'string' }, server: { type: 'string' } } });
  const text = `${JSON.stringify(apiDocument(values.server), null, 2)}\n`;
  if (values.out) writeFileSync(values.out, text);
  else process.stdout.write(text);
}

try {
  main();
} catch (error) {
  console.error(errorSentence(error));
  process.exitCode = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}
