/**
 * Something that happens over days. It yields the moment of its next deed, epoch milliseconds, goes on when that is
 * the next of all tales, and gets the moment at which it then acts.
 */
export type Tale<Result = void> = AsyncGenerator<number, Result, number>;

/** Tells all tales at once in the order of time, as the days bring it, so that nothing is done before its time. */
export async function tell(tales: readonly Tale[], now: Date): Promise<void> {
  const began = await Promise.all(tales.map(async (tale) => ({ tale, step: await tale.next(0) })));
  const waiting = began.flatMap(({ tale, step }) => (step.done ? [] : [{ tale, at: step.value }]));
  for (;;) {
    const [next] = waiting.sort((one, other) => one.at - other.at);
    if (!next) return;
    // What was to be later today is done now: no deed has a time that is yet to come.
    const step = await next.tale.next(Math.min(next.at, now.getTime()));
    if (step.done) waiting.shift();
    else next.at = Math.max(next.at, step.value);
  }
}
