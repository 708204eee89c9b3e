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
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    // A call record may be any text; only a JSON object says more.
    return {};
  }
}

/** A text of the record; escapes (`\ud800`) may bring characters that are none, and are not kept. */
const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, most).toWellFormed() : '';
/** Programs write a phone number as a number, too. */
const phoneOf = (value: unknown): string => textOf(Number.isSafeInteger(value) ? String(value) : value, 100);
const idOf = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31 ? (value as number) : null;
const secondsOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= 86_400 ? Math.round(value) : null;

/** Only an address a browser opens as a page or sound, never a script. */
const urlOf = (value: unknown): string => {
  const text = textOf(value, 2_048);
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol) ? text : '';
};

/**
 * Reads a call record: a JSON object's ContactId, Phone or CallerNumber, Direction, DurationSeconds, Note and
 * RecordingUrl; any other text is kept whole.
 */
export function parseCall(text: string): CallRecord {
  const input = objectOf(text);
  return {
    Text: text,
    ContactId: idOf(input['ContactId']),
    Phone: phoneOf(input['Phone']) || phoneOf(input['CallerNumber']),
    Direction: textOf(input['Direction'], 100),
    DurationSeconds: secondsOf(input['DurationSeconds']),
    Note: textOf(input['Note'], 10_000),
    RecordingUrl: urlOf(input['RecordingUrl']),
  };
}
