/** A record, by its index in the batch, that could not be handled. */
export interface FailedRecord {
  readonly index: number;
  readonly error: unknown;
}

/** What a worker did with a batch. */
export interface BatchOutcome {
  /** Events or appointments. */
  readonly queued: number;
  /** Records that are to be delivered again: what they need was away. */
  readonly failures: readonly FailedRecord[];
  /** Records that can never be handled as they are; they are kept whole, and the batch went on. */
  readonly parked: readonly FailedRecord[];
  /** Changes that wait in the backlog of an account whose keys take no more at the moment. */
  readonly putAside: number;
}

/** What one transaction of a longer work did. */
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

/** Converts records, in their order. `undefined` skips a record; `poison` are those that cannot be converted. */
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
