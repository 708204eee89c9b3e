import { isAbsolute, join, relative } from 'node:path';
import { whenNpmEnds } from './environment.ts';
import { Problem, errorMessage } from './problem.ts';
import type { Stack } from './stack.ts';

const STOP_MILLISECONDS = 1_800;

/** The port that PORT names, 4000 when it names none. */
function portFrom(text = ''): number {
  const port = text.trim() === '' ? 4000 : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Problem(`PORT must be a number from 0 to 65535, but it is ${JSON.stringify(text)}.`);
  return port;
}

const isOn = (text = ''): boolean => !['', '0', 'false', 'no'].includes(text.trim().toLowerCase());

function tell(problem: unknown): never {
  // A Problem is a sentence for the person at the terminal; anything else is a fault of ours, and the trace helps to
  // mend it.
  process.stderr.write(
    `${problem instanceof Problem ? problem.message : problem instanceof Error ? problem.stack : errorMessage(problem)}\n`,
  );
  process.exit(1);
}

/** The file of the folder, the way one would type it. */
const shown = (folder: string): string => join(isAbsolute(folder) ? folder : relative('', folder) || '.', 'local.json');

const hint = ({ local, baseUrl, isNew }: Stack, folder: string): string => `
${isNew ? 'A company and a key were made' : 'The company and the key of the last time'}: see ${shown(folder)}. Try

  curl ${baseUrl}/api/test/echo -H 'X-Api-Key: ${local.ApiKey}' -d '{}'

Ctrl-C stops everything; what was written is there again at the next start.
`;

let stack: Stack | undefined;
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) process.exit(0);
  stopping = true;
  // The engine ends with us in any case, so that being late loses nothing.
  setTimeout(() => process.exit(0), STOP_MILLISECONDS).unref();
  await stack?.stop();
  process.exit(0);
}

async function start(): Promise<void> {
  const folder = process.env['FS_DATA'] || '.local';
  const port = portFrom(process.env['PORT']);
  // Imported only now: everything the stack needs takes a moment to load, and a wrong PORT is known before.
  const { startStack } = await import('./stack.ts');
  stack = await startStack({ folder, port, demo: isOn(process.env['FS_DEMO'] ?? 'yes'), onLost: tell });
  if (stopping) return await stack.stop();
  process.stdout.write(`Ready: ${stack.baseUrl}\n${hint(stack, folder)}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
whenNpmEnds(() => void stop()).catch(tell);
start().catch(tell);
