/** What a call has used of the table: rounds one after another, requests, and capacity units. */
export interface Usage {
  rounds: number;
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/**
 * Counts sequential rounds: a request that begins after another has ended is one round deeper; concurrent requests are
 * one round. Worked: A and B together, then C when A is back (B still running) → A 1, B 1, C 2: two rounds.
 */
export class Meter {
  readonly usage: Usage = { rounds: 0, requests: 0, readUnits: 0, writeUnits: 0 };
  #deepestDone = 0;

  async measure<Answer>(
    kind: 'read' | 'write',
    request: () => Promise<Answer>,
    unitsOf: (answer: Answer) => number,
  ): Promise<Answer> {
    const depth = this.#deepestDone + 1;
    this.usage.rounds = Math.max(this.usage.rounds, depth);
    this.usage.requests++;
    try {
      const answer = await request();
      this.usage[kind === 'read' ? 'readUnits' : 'writeUnits'] += unitsOf(answer);
      return answer;
    } finally {
      this.#deepestDone = Math.max(this.#deepestDone, depth);
    }
  }
}
