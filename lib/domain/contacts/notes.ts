import type { StoredNote } from '../../entities/contacts.ts';
import type { Note } from '../../resources/contacts.ts';
import { toFriendly } from '../../shared/time/format-moments.ts';
import type { CallRecord } from '../calls.ts';

export const noteToResource = ({ Id, Title, Body }: StoredNote): Note => ({ Id, Title, Body });

/** A note of a call goes with its call. */
export const isPlainNote = ({ CallId }: StoredNote): boolean => CallId === undefined;

/** When the oldest plain note was added; those without a time, of earlier versions, count as `undated`. */
export function oldestPlainNote(notes: readonly StoredNote[], undated: number | undefined): number | undefined {
  const times = notes.filter(isPlainNote).flatMap(({ At = undated }) => At ?? []);
  return times.length ? Math.min(...times) : undefined;
}

/** The notes, new ones with the time at which they are added. */
export function dateNotes(
  before: readonly StoredNote[],
  after: readonly StoredNote[],
  now: number,
): readonly StoredNote[] {
  const known = new Set(before.map(({ Id }) => Id));
  const isNew = ({ Id, At }: StoredNote) => At === undefined && !known.has(Id);
  return after.some(isNew) ? after.map((note) => (isNew(note) ? { ...note, At: now } : note)) : after;
}

/** Characters of a note, as the contract limits them. */
const MAX_TITLE = 200;
const MAX_BODY = 10_000;

/** 184 → `3 min 4 s`, 60 → `1 min`, 9 → `9 s`. */
function formatSeconds(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes ? `${minutes} min` : '', rest || !minutes ? `${rest} s` : ''].filter(Boolean).join(' ');
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/**
 * The note of a logged call, in its contact: `Inbound call, Sun, Nov 22 2026 9:00 AM, 3 min 4 s`, and below it number,
 * recording and text. A text that does not fit is cut; the event call.logged has the whole record.
 */
export function callNote(call: CallRecord, { zone, at }: { zone: string; at: number }): Pick<Note, 'Title' | 'Body'> {
  const { Direction, DurationSeconds, Phone, RecordingUrl, Note: text } = call;
  const head = [
    `${Direction ? `${shorten(Direction, 100)} call` : 'Call'}`,
    toFriendly(at, zone),
    ...(DurationSeconds === null ? [] : [formatSeconds(DurationSeconds)]),
  ];
  const lines = [Phone && `Number: ${Phone}`, RecordingUrl && `Recording: ${RecordingUrl}`, text].filter(Boolean);
  return { Title: shorten(head.join(', '), MAX_TITLE), Body: shorten(lines.join('\n'), MAX_BODY) };
}
