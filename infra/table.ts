/**
 * The one description of the table; CDK and the local stack both make the table from it, and `docs/data-model.md` explains it.
 * Every key but those of API keys themselves starts with the caller's account.
 */
export const table = {
  partitionKey: 'PK',
  sortKey: 'SK',
  /** Seconds since 1970 after which DynamoDB drops an item, free of charge. */
  timeToLive: 'TTL',
  /** Overloaded sparse indexes, keys only; each key spreads as docs/data-model.md says. */
  indexes: [] as readonly { readonly name: string; readonly partitionKey: string; readonly sortKey: string }[],
  stream: 'NEW_AND_OLD_IMAGES',
} as const;

/** The stream's consumer: functions/workers/events.ts. Both CDK and the local stack deliver by these rules. */
export const eventSource = {
  batchSize: 100,
  maximumBatchingWindowSeconds: 0,
  bisectBatchOnError: true,
  retryAttempts: 5,
  maximumRecordAgeHours: 23,
} as const;

/** Queues beside the table: `events-dead` keeps what the event worker gave up on. */
export const queues = ['events-dead'] as const;
