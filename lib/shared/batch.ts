/** A record, by its index in the batch, that could not be handled. */
export interface FailedRecord {
  readonly index: number;
  readonly error: unknown;
}

/** What a worker did with a batch: how many events or appointments it queued, and which records failed. */
export interface BatchOutcome {
  readonly queued: number;
  readonly failures: readonly FailedRecord[];
}

export interface BatchOptions {
  readonly now: Date;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Converts records in order, up to the first that cannot be read. `undefined` skips a record. */
export function convertRecords<Source, Result>(
  records: readonly Source[],
  convert: (record: Source, index: number) => Result | undefined,
): { converted: Result[]; failures: FailedRecord[] } {
  const converted: Result[] = [];
  for (const [index, record] of records.entries()) {
    try {
      const result = convert(record, index);
      if (result !== undefined) converted.push(result);
    } catch (error) {
      return { converted, failures: [{ index, error }] };
    }
  }
  return { converted, failures: [] };
}
