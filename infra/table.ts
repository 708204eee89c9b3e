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

/** The prefix of download files in the bucket (lib/store/downloads.ts). */
export const downloadsPrefix = 'downloads/';

/** The prefix of uploaded files: uncommitted ones expire; committed ones are copied to their permanent place. */
export const incomingPrefix = 'incoming/';
export const uploadsPrefix = 'uploads/';
