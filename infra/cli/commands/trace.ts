import { text as readStream } from 'node:stream/consumers';
import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { readInput } from '../input-file.ts';
import { CommandError } from '../output.ts';

interface TraceOptions {
  readonly bundle?: string;
}

/** Where `npm run bundle` puts them. */
const FOLDER = 'dist';

async function trace(file: string, { bundle }: TraceOptions): Promise<void> {
  // Loaded here only: it knows every function.
  const { traceSources } = await import('../../bundle/trace.ts');
  const input = file === '-' ? await readStream(process.stdin) : readInput(file);
  const { text, traced, unknown } = traceSources(input, { folder: FOLDER, ...(bundle ? { bundle } : {}) });
  process.stdout.write(text);
  if (unknown.length)
    throw new CommandError(
      `${FOLDER} has no bundle ${unknown.map((digest) => digest.slice(0, 12)).join(', ')}. Check out the deployed ` +
        'commit and run npm run bundle: the same sources give the same bundle.',
    );
  if (!traced)
    throw new CommandError('No stack frame of a bundle found. Name the bundle of a bare stack with --bundle.');
}

/** `trace`. */
export function traceCommand(program: Command): void {
  examples(program.command('trace'), 'npx fs trace errors.log', 'aws logs tail <group> | npx fs trace')
    .description('Turn stack frames of log lines into lines of the sources')
    .argument('[file]', 'a file with log lines or stack traces; - reads standard input', '-')
    .option('--bundle <name>', 'the function, for a stack trace without the Bundle of its log line')
    .action(trace);
}
