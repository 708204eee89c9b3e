import { attributes } from '../lib/store/keys.ts';

/** The table, as CDK and the local stack make it. docs/data-model.md explains its keys. */
export const table = {
  partitionKey: 'PK',
  sortKey: 'SK',
  /** Seconds since 1970 after which DynamoDB removes an item, free of charge. */
  timeToLive: attributes.timeToLive,
  /** Each has the keys and the facts: a query filters and counts index entries and reads only its page's records. */
  indexes: (['GSI1', 'GSI2', 'GSI3', 'GSI4'] as const).map((name) => ({
    name,
    partitionKey: `${name}PK`,
    sortKey: `${name}SK`,
    include: [attributes.facts],
  })),
  stream: 'NEW_AND_OLD_IMAGES',
} as const;

/** Where the files of downloads are in the bucket (lib/store/downloads.ts). */
export const downloadsPrefix = 'downloads/';

/** Uploaded files: those that are not committed yet expire; those that are get copied to where they stay. */
export const incomingPrefix = 'incoming/';
export const uploadsPrefix = 'uploads/';
