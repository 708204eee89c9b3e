/**
 * A mark in a record tells later who wrote one of its recent versions: a write of which nobody knows whether it was
 * made has left its mark, or can be prevented.
 */
export interface WriteMark {
  /** What the write belongs to: 32 bytes as base64url. */
  readonly owner: string;
  /** Of several attempts of the same write, the one that was made: 6 bytes as base64url. */
  readonly attempt: string;
  /** Seconds since 1970. */
  readonly at: number;
}

export const ATTEMPT_BYTES = 6;
const OWNER_BYTES = 32;
const TIME_BYTES = 4;
const MARK_BYTES = OWNER_BYTES + ATTEMPT_BYTES + TIME_BYTES;

/** Of one record; 168 bytes. One that would be dropped is first noted elsewhere, which costs a write. */
const MAX_MARKS = 4;

export function parseMarks(stored: unknown): WriteMark[] {
  const bytes = Buffer.from((stored as Uint8Array | undefined) ?? []);
  return Array.from({ length: Math.floor(bytes.length / MARK_BYTES) }, (_, index) => {
    const mark = bytes.subarray(index * MARK_BYTES, (index + 1) * MARK_BYTES);
    return {
      owner: mark.toString('base64url', 0, OWNER_BYTES),
      attempt: mark.toString('base64url', OWNER_BYTES, OWNER_BYTES + ATTEMPT_BYTES),
      at: mark.readUInt32BE(OWNER_BYTES + ATTEMPT_BYTES),
    };
  });
}

function packMark({ owner, attempt, at }: WriteMark): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUInt32BE(at);
  return Buffer.concat([Buffer.from(owner, 'base64url'), Buffer.from(attempt, 'base64url'), time]);
}

export const hasMark = (stored: unknown, { owner, attempt }: Omit<WriteMark, 'at'>): boolean =>
  parseMarks(stored).some((mark) => mark.owner === owner && mark.attempt === attempt);

/** The marks with one more, without those from before `since`; `dropped` are those that exceed the number. */
export function addMark(
  stored: unknown,
  mark: WriteMark,
  since: number,
): { marks: Uint8Array; dropped: readonly WriteMark[] } {
  const recent = [...parseMarks(stored).filter(({ at }) => at > since), mark];
  return { marks: Buffer.concat(recent.slice(-MAX_MARKS).map(packMark)), dropped: recent.slice(0, -MAX_MARKS) };
}
