/** The least CPU time of several runs of some work, in microseconds. */
async function leastCpu(work: () => unknown, runs = 5): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    figures.push(user + system);
  }
  return Math.min(...figures);
}

/** 2,000 objects: 140 KB. */
const ordinary = JSON.stringify({ a: Array.from({ length: 2_000 }, () => ({ Name: 'x'.repeat(50), Id: 12345 })) });

/** The CPU time of some work by that of reading an ordinary JSON text of 140 KB: the same on every machine. */
export const costOf = async (work: () => unknown, runs?: number): Promise<number> =>
  (await leastCpu(work, runs)) / (await leastCpu(() => JSON.parse(ordinary)));
