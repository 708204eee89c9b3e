/** What a call record says, as far as it is understood. Duration in seconds. */
export interface CallRecord {
  /** The whole record as it was sent. */
  readonly Text: string;
  readonly ContactId: number | null;
  readonly Phone: string;
  readonly Direction: string;
  readonly DurationSeconds: number | null;
  readonly Note: string;
  readonly RecordingUrl: string;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    // A call record may be any text; only a JSON object says more.
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 10_000) : '');
const idOf = (value: unknown): number | null => (Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31 ? (value as number) : null);
const secondsOf = (value: unknown): number | null => (typeof value === 'number' && value >= 0 && value <= 86_400 ? Math.round(value) : null);

/** Only an address a browser opens as a page or sound, never a script. */
const urlOf = (value: unknown): string => {
  const text = textOf(value);
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol) ? text : '';
};

/** Reads a call record: a JSON object's ContactId, Phone or CallerNumber, Direction, DurationSeconds, Note and RecordingUrl; any other text is kept whole. */
export function callOf(text: string): CallRecord {
  const given = objectOf(text);
  return {
    Text: text,
    ContactId: idOf(given['ContactId']),
    Phone: textOf(given['Phone']) || textOf(given['CallerNumber']),
    Direction: textOf(given['Direction']),
    DurationSeconds: secondsOf(given['DurationSeconds']),
    Note: textOf(given['Note']),
    RecordingUrl: urlOf(given['RecordingUrl']),
  };
}
