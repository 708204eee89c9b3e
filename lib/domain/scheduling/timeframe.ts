/** Minutes of the clock between which a start must lie: `from` inclusive, `to` exclusive, so that Morning, Afternoon and Evening share none. */
export interface Timeframe {
  readonly from: number;
  readonly to: number;
}

export const ANYTIME: Timeframe = { from: 0, to: 1440 };

const NAMED: Readonly<Record<string, Timeframe>> = {
  anytime: ANYTIME,
  morning: { from: 0, to: 720 },
  afternoon: { from: 720, to: 1020 },
  evening: { from: 1020, to: 1440 },
};

export const TIMEFRAME_HELP = 'must be Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00) or HH:MM-HH:MM within a day';

function minuteOf(hours: string | undefined, minutes: string | undefined): number {
  return Number(hours) * 60 + Number(minutes);
}

/** Reads a Timeframe, whatever the case: `Morning` → 0–720, `9:00-12:30` → 540–750, `""` → Anytime; `undefined` for any other text. */
export function parseTimeframe(text: string | null | undefined): Timeframe | undefined {
  const given = text?.trim().toLowerCase() || 'anytime';
  if (Object.hasOwn(NAMED, given)) return NAMED[given];
  const [, ...parts] = /^(\d{1,2}):([0-5]\d)\s*-\s*(\d{1,2}):([0-5]\d)$/.exec(given) ?? [];
  if (!parts.length) return undefined;
  const [from, to] = [minuteOf(parts[0], parts[1]), minuteOf(parts[2], parts[3])];
  return from < to && to <= 1440 ? { from, to } : undefined;
}
