import { conformance } from './conformance.ts';
import { runSuites } from './suites.ts';

const suites = ['test/operations/assistant-tasks.test.ts', 'test/operations/assistant.test.ts'];

/**
 * Has a client of the official SDK do more than 50 tasks of an assistant on a local stack, and counts that nothing is
 * changed but what was confirmed. Then the official conformance suite plays its scenarios.
 */
export async function assistant(options: readonly string[]): Promise<boolean> {
  const { total, passed, failed } = await runSuites(suites, { environment: process.env, options });
  for (const { name, message } of failed) process.stdout.write(`assistant: ${name}: ${message}\n`);
  process.stdout.write(`assistant: ${passed.length} of ${total} tasks and rules hold\n`);
  const conforms = await conformance();
  return conforms && total > 0 && failed.length === 0;
}
