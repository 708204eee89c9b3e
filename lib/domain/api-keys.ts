import type { ApiKeyRecord } from '../entities/api-keys.ts';
import { dateText } from '../shared/time/calendar-dates.ts';
import { DAY } from '../shared/time/time.ts';

/** How many days before its end a key announces it. */
const NOTICE_DAYS = 60;

type Ending = Pick<ApiKeyRecord, 'ExpiresAt' | 'RevokedAt' | 'ReplacedBy'>;

/** The moment from which a key announces its end; `null` for one that never expires. */
export const noticeAt = ({ ExpiresAt }: Pick<Ending, 'ExpiresAt'>): number | null =>
  ExpiresAt === null ? null : ExpiresAt - NOTICE_DAYS * DAY;

/** Whether a key still in use ends within 60 days without a replacement. */
export function endsSoon({ ExpiresAt, RevokedAt, ReplacedBy }: Ending, now: number): boolean {
  if (ExpiresAt === null || RevokedAt !== null || ReplacedBy) return false;
  return now < ExpiresAt && now >= ExpiresAt - NOTICE_DAYS * DAY;
}

/** `ends on 2027-01-31, in 12 days`; the day is in UTC. */
export function describeEnd({ ExpiresAt }: Pick<Ending, 'ExpiresAt'>, now: number): string {
  const at = ExpiresAt ?? 0;
  const days = Math.ceil((at - now) / DAY);
  return `ends on ${dateText(Math.floor(at / DAY))}, in ${days} ${days === 1 ? 'day' : 'days'}`;
}
