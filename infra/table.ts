/**
 * The one description of the table; CDK and the local stack both make the table from it, and `docs/data-model.md`
 * explains it. Every key but those of API keys themselves starts with the caller's account.
 */
export const table = {
  partitionKey: 'PK',
  sortKey: 'SK',
  /** Seconds since 1970 after which DynamoDB drops an item, free of charge. */
  timeToLive: 'TTL',
  /**
   * Overloaded and sparse; each projects the keys and `F`, the few facts that filters need, so that a query filters and
   * counts on index entries and reads only its page's things. How each key spreads: docs/data-model.md.
   */
  indexes: [
    { name: 'GSI1', partitionKey: 'GSI1PK', sortKey: 'GSI1SK', include: ['F'] },
    { name: 'GSI2', partitionKey: 'GSI2PK', sortKey: 'GSI2SK', include: ['F'] },
    { name: 'GSI3', partitionKey: 'GSI3PK', sortKey: 'GSI3SK', include: ['F'] },
    { name: 'GSI4', partitionKey: 'GSI4PK', sortKey: 'GSI4SK', include: ['F'] },
  ],
  stream: 'NEW_AND_OLD_IMAGES',
} as const;

/** The stream's consumer: functions/workers/events.ts. Both CDK and the local stack deliver by these rules. */
export const eventSource = {
  batchSize: 100,
  maximumBatchingWindowSeconds: 0,
  bisectBatchOnError: true,
  /** The worker itself waits out a busy store for most of its minute; 20 attempts bridge 18 minutes. */
  retryAttempts: 20,
  maximumRecordAgeHours: 23,
  /**
   * Only things have events, and they bear this attribute; index entries, leases and events themselves do not wake the
   * worker.
   */
  filterAttribute: 'E',
} as const;

/** Queues beside the table: `events-dead` keeps what the event worker gave up on. */
export const queues = ['events-dead'] as const;
