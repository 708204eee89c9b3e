import { DAY } from '../shared/time/time.ts';

/** For how many days an account keeps what may be removed on schedule; anything absent is kept forever. */
export interface RetentionRules {
  readonly CallDays?: number | undefined;
  readonly NoteDays?: number | undefined;
  readonly FileDays?: number | undefined;
}

export const MAX_RETENTION_DAYS = 36_500;

/** The moment through which something is due: for 30 days at noon, everything through noon 30 days earlier. */
export const dueThrough = (days: number, now: Date): number => now.getTime() - days * DAY;
