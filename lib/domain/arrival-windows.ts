import type { ArrivalWindow } from '../entities/organizations.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { parseTimeframe } from './scheduling/calendar.ts';

/** As the company file has it: `8:00` and `10:00`. */
export interface ArrivalWindowInput {
  readonly From?: string | null | undefined;
  readonly Through?: string | null | undefined;
}

const MAX_WINDOWS = 48;

/** Applies the windows of a company file; no two begin alike, so that a window is known by its beginning. */
export function applyArrivalWindows(
  before: readonly ArrivalWindow[],
  input: readonly ArrivalWindowInput[] | null | undefined,
): { windows: readonly ArrivalWindow[]; errors: FieldError[] } {
  if (input === undefined) return { windows: before, errors: [] };
  const parsed = (input ?? []).map(({ From, Through }) => parseTimeframe(`${From ?? ''}-${Through ?? ''}`));
  const errors = parsed.flatMap((window, index) =>
    collectErrors(
      [
        `[${index}].Through`,
        !window && 'must be later than from; both are times of one day like 8:00 and 17:30, 24:00 at its end',
        'format',
      ],
      [
        `[${index}].From`,
        parsed.findIndex((other) => other && other.from === window?.from) < index && window && 'repeats another window',
        'duplicate',
      ],
    ),
  );
  const isLong = parsed.length > MAX_WINDOWS && `has ${parsed.length} windows, and may have ${MAX_WINDOWS}`;
  const windows = parsed.flatMap((window) => (window ? [{ From: window.from, Through: window.to }] : []));
  return {
    windows: windows.sort((one, other) => one.From - other.From),
    errors: [...errors, ...collectErrors(['', isLong, 'limit'])],
  };
}
