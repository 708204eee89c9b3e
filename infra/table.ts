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

/** What every consumer of the stream is given by; both CDK and the local stack deliver so. */
const delivery = {
  batchSize: 100,
  maximumBatchingWindowSeconds: 0,
  bisectBatchOnError: true,
  /** The workers themselves wait out a busy store for most of their minute; 20 attempts bridge 18 minutes. */
  retryAttempts: 20,
  maximumRecordAgeHours: 23,
} as const;

/**
 * The stream's consumers: `name` is functions/workers/`name`.ts. Each has its own place in the stream, and is given the
 * records that meet one of its filters, which are event patterns of Lambda.
 */
export const consumers = {
  /**
   * Only things have events, and they bear `E`; index entries, leases and events themselves do not wake the worker.
   */
  'event-queue': {
    ...delivery,
    filters: [
      { dynamodb: { NewImage: { E: { S: [{ exists: true }] } } } },
      { dynamodb: { OldImage: { E: { S: [{ exists: true }] } } } },
    ],
  },
  /**
   * Proposals that have been accepted with more visits than one transaction makes (numbers are text in a record), and
   * the time of open ones that is over. One consumer for both: a shard serves two readers well, and more not.
   */
  'proposal-work': {
    ...delivery,
    filters: [
      { dynamodb: { NewImage: { E: { S: ['Proposal'] }, VisitsToQueue: { N: [{ 'anything-but': ['0'] }] } } } },
      { userIdentity: { principalId: ['dynamodb.amazonaws.com'] }, dynamodb: { Keys: { SK: { S: ['EXPIRY'] } } } },
    ],
  },
} as const;
export type ConsumerName = keyof typeof consumers;
export const consumerNames = Object.keys(consumers) as readonly ConsumerName[];

/** The queue of what a consumer gave up on. */
export const deadQueueOf = <Name extends ConsumerName>(name: Name) => `${name}-dead` as const;

/** Queues beside the table. */
export const queues: readonly string[] = consumerNames.map(deadQueueOf);
