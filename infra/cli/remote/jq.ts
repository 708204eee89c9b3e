import { UsageError } from '../output.ts';

/** Texts without quotes can be variables of the shell. Each value is one line. A filter may begin with a minus. */
const FLAGS = ['-r', '-c', '--'];
/** With this code jq ends where it does not understand the filter. */
const COMPILE_ERROR = 3;

/** What jq says, without the names of its program and of its input. */
const sentence = (stderr: string): string =>
  stderr
    .replaceAll(/^jq: (error( \(at [^)]*\))?: )?/gm, '')
    .trim()
    .split('\n', 1)[0] ?? '';

/**
 * What jq prints for a value by the filter. Loads jq, a megabyte, only here. A filter that jq does not understand is
 * refused at once: before the call, which may change something.
 */
export async function jqFilter(filter: string): Promise<(value: unknown) => string> {
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  const run = (value: unknown): string => {
    const { stdout, stderr, exitCode } = jq.raw(JSON.stringify(value), filter, FLAGS);
    if (exitCode) throw new UsageError(`--jq ${JSON.stringify(filter)}: ${sentence(stderr)}`);
    return stdout && !stdout.endsWith('\n') ? `${stdout}\n` : stdout;
  };
  const { stderr, exitCode } = jq.raw('null', filter, FLAGS);
  if (exitCode === COMPILE_ERROR) throw new UsageError(`--jq ${JSON.stringify(filter)}: ${sentence(stderr)}`);
  return run;
}
