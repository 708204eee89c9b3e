import type { Job } from './calendar.ts';
import type { Interval } from './intervals.ts';

/** Working time without jobs, and the jobs around it, wherever in time they are. */
export interface Gap extends Interval {
  /** When the working time began that the gap is of. */
  readonly windowStart: number;
  /** Of the jobs that end by then the last; of several at once the one that began last, then the greater id. */
  readonly before: Job | null;
  /** Of the jobs that start from then on the first; of several at once the lesser id. */
  readonly after: Job | null;
}

const order = (one: Job, other: Job): number => one.start - other.start || one.appointmentId - other.appointmentId;
/** As a table gives them. */
const inOrder = (jobs: readonly Job[]): boolean => jobs.every((job, index) => index === 0 || order(jobs[index - 1] as Job, job) <= 0);

/** The jobs that take time of each agent, by start, then appointment id; without those of one appointment. */
export function jobsByAgent(jobs: readonly Job[], except: number | undefined): Map<number, Job[]> {
  const byAgent = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.end <= job.start || job.appointmentId === except) continue;
    const own = byAgent.get(job.agentId);
    if (own) own.push(job);
    else byAgent.set(job.agentId, [job]);
  }
  for (const own of byAgent.values()) if (!inOrder(own)) own.sort(order);
  return byAgent;
}

/**
 * The gaps of an agent that are no shorter than `least`, in one pass over its working time and its jobs, both by start: work 8–17 and jobs 9–10, 10–11,
 * 16–18 leave 8–9 and 11–16. Jobs may overlap one another and lie outside working time, as SkipConflictChecks allows.
 */
export function gapsOf(working: readonly Interval[], jobs: readonly Job[], least: number): Gap[] {
  const gaps: Gap[] = [];
  let before: Job | null = null;
  let next = 0;
  for (const { start: windowStart, end } of working) {
    let at: number = windowStart;
    for (;;) {
      if (before) at = Math.max(at, before.end);
      const job: Job | undefined = jobs[next];
      const until = job && job.start < end ? job.start : end;
      if (at < until && least <= until - at) gaps.push({ start: at, end: until, windowStart, before, after: job ?? null });
      if (!job || job.start >= end) break;
      if (!before || job.end >= before.end) before = job;
      next++;
    }
  }
  return gaps;
}
