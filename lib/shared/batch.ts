/** A record that could not be handled, by its index in the batch. */
export interface FailedRecord {
  readonly index: number;
  readonly error: unknown;
}

/** What a worker did with a batch. */
export interface BatchOutcome {
  /** Events or appointments. */
  readonly queued: number;
  /** Records to deliver again: something they need was unavailable. */
  readonly failures: readonly FailedRecord[];
  /** Records that can never be handled as they are; they are kept in full, and the batch goes on. */
  readonly parked: readonly FailedRecord[];
  /** Changes put in the backlog because the keys of their account accept no more for now. */
  readonly putAside: number;
}

/** What one transaction of a longer job did. */
export interface Progress {
  readonly queued: number;
  /** How many remain to be queued. */
  readonly left: number;
}

export interface BatchOptions {
  readonly now: Date;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Converts records in order. `undefined` skips a record; `poison` lists those that cannot be converted. */
export function convertRecords<Source, Result>(
  records: readonly Source[],
  convert: (record: Source, index: number) => Result | undefined,
): { converted: Result[]; poison: FailedRecord[] } {
  const converted: Result[] = [];
  const poison: FailedRecord[] = [];
  for (const [index, record] of records.entries()) {
    try {
      const result = convert(record, index);
      if (result !== undefined) converted.push(result);
    } catch (error) {
      poison.push({ index, error });
    }
  }
  return { converted, poison };
}
