import type { Usage } from '../../store/dynamodb/meter.ts';

/** What one token of the rate limit includes. */
const READ_UNITS = 150;
const WRITE_UNITS = 50;
const CPU_MILLISECONDS = 100;

/**
 * Tokens that a call costs: one, and more where its parts add up to more. Worked: booking a slot with 13 read units, 10
 * write units and 12 ms is 13/150 + 10/50 + 12/100 = 0.41, one token; accepting a proposal with 40 visits, 364 write
 * units, 2 read units and 35 ms, is 7.64, eight tokens.
 */
export const tokensOf = ({ readUnits, writeUnits }: Usage, cpuMilliseconds: number): number =>
  Math.max(1, Math.ceil(readUnits / READ_UNITS + writeUnits / WRITE_UNITS + cpuMilliseconds / CPU_MILLISECONDS));

/** Processor time of one call. */
export interface CpuTimer {
  /** Milliseconds until now, or until the first `end`. */
  end(): number;
}

const running = new Set<{ microseconds: number }>();
let counted = 0;
let readAt = -Infinity;

/** The clock takes 30 µs to read. What a call is charged may be wrong by so much, a fifth of a token. */
const READ_MILLISECONDS = 20;

/** Divides the time of the process since the last reading between the calls that run: in Lambda it is one. */
function divideTime(): void {
  const now = performance.now();
  if (now - readAt < READ_MILLISECONDS) return;
  readAt = now;
  const { user, system } = process.cpuUsage();
  const share = (user + system - counted) / running.size;
  counted = user + system;
  for (const call of running) call.microseconds += share;
}

export function startCpuTimer(): CpuTimer {
  divideTime();
  const call = { microseconds: 0 };
  running.add(call);
  return {
    end() {
      if (running.has(call)) divideTime();
      running.delete(call);
      return call.microseconds / 1_000;
    },
  };
}
