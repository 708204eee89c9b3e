import { startOfDay } from '../zones.ts';

/** The first instant of a date `YYYY-MM-DD`. */
export const dateMidnight = (date: string, zone: string): number => startOfDay(Date.parse(`${date}T00:00:00Z`), zone);
