import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { groups } from '../../functions/index.ts';
import { openApiDocument } from '../../lib/api/openapi/document.ts';
import { resources } from '../../lib/resources/index.ts';
import packageFile from '../../package.json' with { type: 'json' };

/**
 * `npm run openapi -- [--out <file>]`: writes the OpenAPI document of everything that exists, to the file or to
 * standard output.
 */
function main(): void {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const text = `${JSON.stringify(openApiDocument(groups, resources, { version: packageFile.version }), null, 2)}\n`;
  if (values.out) writeFileSync(values.out, text);
  else process.stdout.write(text);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
