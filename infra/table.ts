import { MAX_TRANSACTION_CHANGES } from '../lib/shared/limits.ts';
import { attributes } from '../lib/store/keys.ts';

/** The table as CDK and the local stack create it. docs/data-model.md explains its keys. */
export const table = {
  partitionKey: 'PK',
  sortKey: 'SK',
  /** Seconds since 1970 after which DynamoDB removes an item, free of charge. */
  timeToLive: attributes.timeToLive,
  /**
   * Each index has the keys and the facts: a query filters and counts index entries and only reads the records of its
   * page.
   */
  indexes: (['GSI1', 'GSI2', 'GSI3', 'GSI4'] as const).map((name) => ({
    name,
    partitionKey: `${name}PK`,
    sortKey: `${name}SK`,
    include: [attributes.facts],
  })),
  stream: 'NEW_AND_OLD_IMAGES',
} as const;

/** How CDK and the local stack deliver the stream. */
const delivery = {
  batchSize: 100,
  /** Changes within a second share a transaction, its write of the sequence, and an invocation. */
  maximumBatchingWindowSeconds: 1,
  bisectBatchOnError: true,
  /** No limit: only the age of a record discards it. */
  retryAttempts: -1,
  /** The stream keeps a record for 24 hours; before that, Lambda can still write it to the failure destination. */
  maximumRecordAgeHours: 23,
} as const;

/**
 * The stream's consumers: `name` is functions/workers/`name`.ts. Each has its own position in the stream and gets the
 * records that match one of its filters, which are Lambda event patterns.
 */
export const consumers = {
  /** Only records have an entity: index entries, counters and events do not invoke the worker. */
  'event-queue': {
    ...delivery,
    /** A batch of one account is one transaction: its events and the sequence. */
    batchSize: MAX_TRANSACTION_CHANGES - 1,
    filters: [
      { dynamodb: { NewImage: { [attributes.entity]: { S: [{ exists: true }] } } } },
      { dynamodb: { OldImage: { [attributes.entity]: { S: [{ exists: true }] } } } },
    ],
  },
  /**
   * Accepted proposals with more visits than one transaction creates (numbers are text in a stream record), contacts
   * with credit, users, whom a user pool may follow, and new items for a queue. Lambda allows five filters.
   */
  'background-work': {
    ...delivery,
    filters: [
      {
        dynamodb: {
          NewImage: { [attributes.entity]: { S: ['Proposal'] }, VisitsToQueue: { N: [{ 'anything-but': ['0'] }] } },
        },
      },
      {
        dynamodb: {
          NewImage: { [attributes.entity]: { S: ['Contact'] }, CreditBalance: { N: [{ 'anything-but': ['0'] }] } },
        },
      },
      { dynamodb: { NewImage: { [attributes.entity]: { S: ['Series'] }, Left: { N: [{ 'anything-but': ['0'] }] } } } },
      { dynamodb: { NewImage: { [attributes.entity]: { S: ['User'] } } } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { Queue: { S: [{ exists: true }] } } } },
    ],
  },
} as const;
export type ConsumerName = keyof typeof consumers;
export const consumerNames = Object.keys(consumers) as readonly ConsumerName[];

/** Scheduled workers: `name` is functions/workers/`name`.ts. Lambda repeats a failed run twice. */
export const schedules = {
  'proposal-expiry': { everyMinutes: 10, timeoutMinutes: 10 },
  'event-backlog': { everyMinutes: 1, timeoutMinutes: 1 },
  'delayed-messages': { everyMinutes: 1, timeoutMinutes: 1 },
  retention: { everyMinutes: 60, timeoutMinutes: 15 },
} as const;
export type ScheduleName = keyof typeof schedules;
export const scheduleNames = Object.keys(schedules) as readonly ScheduleName[];

/** The prefix of download files in the bucket (lib/store/downloads.ts). */
export const downloadsPrefix = 'downloads/';

/** The prefix of uploaded files: uncommitted ones expire; committed ones are copied to their permanent place. */
export const incomingPrefix = 'incoming/';
export const uploadsPrefix = 'uploads/';
