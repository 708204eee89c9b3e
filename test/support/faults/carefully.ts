import { randomUUID } from 'node:crypto';

const MAX_REPEATS = 20;

/**
 * Makes a call as a careful caller does: repeats a 503 with the same Idempotency-Key. Fifty calls at once on a busy
 * machine may wait for the table longer than a call does.
 */
export async function carefully<Answer extends { readonly status: number }>(
  call: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let repeats = MAX_REPEATS; ; repeats--) {
    const answer = await call(headers);
    if (answer.status !== 503 || repeats === 0) return answer;
  }
}
