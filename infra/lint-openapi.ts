import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { apiDocument } from './openapi.ts';

/** A linter's findings, one per line. */
type Problems = readonly string[];

async function spectral(document: object): Promise<Problems> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as unknown as RulesetDefinition, 'recommended']],
    // Redocly's no-invalid-media-type-examples finds the same in a fifth of the time.
    rules: { 'oas3-valid-media-example': 'off' },
  });
  const found = await linter.run(document as Record<string, unknown>);
  return found.map(({ code, message, path }) => `Spectral ${code}: ${message} (${path.join('/')})`);
}

interface RedoclyReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** A separate process, so that it runs in parallel with Spectral. */
async function redocly(file: string): Promise<Problems> {
  const options = ['--extends=recommended', '--format=json', '--max-problems=1000'];
  const program = spawn('node_modules/.bin/redocly', ['lint', file, ...options], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(program.stdout), text(program.stderr)]);
  if (!output.includes('"problems"')) throw new Error(`Redocly reports nothing: ${errors}`);
  const { problems } = JSON.parse(output) as RedoclyReport;
  return problems.map(
    ({ ruleId, message, location: [place] }) => `Redocly ${ruleId}: ${message} (${place?.pointer ?? ''})`,
  );
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Part of `npm run lint`: the document must not cause any warning of Redocly (recommended) and Spectral (oas). */
async function main(): Promise<void> {
  const document = apiDocument();
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const problems = (await Promise.all([redocly(file), spectral(document)])).flat();
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    if (problems.length) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
