import type { Forecast } from '../resources/forecasts.ts';

/** The forecasts of an organization after others are laid over them, by month; a Target of 0 is none. */
export function mergeForecasts(before: readonly Forecast[], given: readonly Forecast[]): Forecast[] {
  const key = ({ Year, Month }: Forecast) => Year * 12 + Month;
  const byMonth = new Map([...before, ...given].map((forecast) => [key(forecast), forecast]));
  return [...byMonth.values()].filter(({ Target }) => Target !== 0).sort((a, b) => key(a) - key(b));
}
