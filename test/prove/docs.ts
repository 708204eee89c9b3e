import { runSuites } from './suites.ts';

/** Follows README, quickstart and guides on a local stack with the demo company: every command and every program. */
export async function docs(options: readonly string[]): Promise<boolean> {
  const environment = { ...process.env, FOLLOWED_DOCS: '1' };
  const { total, failed } = await runSuites(['test/docs'], { environment, options });
  return total > 0 && failed.length === 0;
}
