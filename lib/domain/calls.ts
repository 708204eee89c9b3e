import { type StoredCall, callEntity } from '../entities/calls.ts';
import { parseWebAddress } from '../shared/web/web-addresses.ts';

/** The fields that could be read from a call record. */
export interface CallRecord {
  /** The complete record as it was sent. */
  readonly Text: string;
  readonly ContactId: number | null;
  readonly Phone: string;
  readonly Direction: string;
  readonly DurationSeconds: number | null;
  readonly Note: string;
  readonly RecordingUrl: string;
}

/** A call as its events have it. */
export const callToResource = (call: StoredCall) => callEntity.toResource(call);

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // A call record may be any text.
    return {};
  }
}

/** Escapes (`\ud800`) may produce characters that cannot be stored. */
const toText = (value: unknown, maxLength: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed() : '';
/** Some programs send a phone number as a number. */
const toPhone = (value: unknown): string => toText(Number.isSafeInteger(value) ? String(value) : value, 100);
const toId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : null;
const toSeconds = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= 86_400 ? Math.round(value) : null;

/** Only addresses that a browser opens as a page or sound, never a script; often on a private network. */
function toUrl(value: unknown): string {
  const result = parseWebAddress(toText(value, 2_048), { allowPrivate: true });
  return result.ok ? result.address : '';
}

/** Reads the known fields of a call record that is a JSON object; any other text has none. */
export function parseCall(text: string): CallRecord {
  const input = parseObject(text);
  return {
    Text: text,
    ContactId: toId(input['ContactId']),
    Phone: toPhone(input['Phone']) || toPhone(input['CallerNumber']),
    Direction: toText(input['Direction'], 100),
    DurationSeconds: toSeconds(input['DurationSeconds']),
    Note: toText(input['Note'], 10_000),
    RecordingUrl: toUrl(input['RecordingUrl']),
  };
}

const MAX_MINUTES = 1_440;

/** The lengths that programs may count: UTF-16 units, characters, or bytes of UTF-8. */
const lengthsOf = (text: string): number[] => [text.length, [...text].length, new TextEncoder().encode(text).length];

/**
 * Sets the call's length: a number that is not a length of its text is its minutes, as some programs send. A record
 * with its own seconds keeps them: 184 s agree with 3 and 4 minutes. `undefined` if the number can be neither.
 */
export function withLength(call: CallRecord, length: number): CallRecord | undefined {
  const { Text, DurationSeconds: seconds } = call;
  if (!length || lengthsOf(Text).includes(length)) return call;
  if (seconds !== null) return Math.abs(seconds - length * 60) < 60 ? call : undefined;
  return length <= MAX_MINUTES ? { ...call, DurationSeconds: length * 60 } : undefined;
}
