import { type Files, openFiles } from '../../lib/files/s3.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { type ErasureOptions, type ErasureResult, eraseContact } from '../../lib/workflows/erasure/erase-contact.ts';
import { discardedPrefix } from '../../lib/workflows/parked-records.ts';
import { testStack, testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** The table as the command-line tool opens it. */
export function toolTable(): PatientTable {
  testTable();
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  return openTable({ tableName, endpoint });
}

export function toolFiles(): Files {
  const { Bucket: bucket, AwsEndpoint: endpoint } = testStack();
  Object.assign(process.env, { BUCKET_NAME: bucket, AWS_ENDPOINT_URL_S3: endpoint });
  return openFiles();
}

/** Erases a contact without the wait for calls under way: tests wait for theirs. */
export const eraseNow = (
  account: string,
  contactId: number,
  options: Partial<ErasureOptions> = {},
  table = toolTable(),
): Promise<ErasureResult> =>
  eraseContact(accountStore(table, account), {
    contactId,
    files: toolFiles(),
    discardedPrefix,
    settleMilliseconds: 0,
    ...options,
  });

/** A table whose process is killed before one more than so many transactions. */
export function dying(sound: PatientTable, writes: number): PatientTable {
  let left = writes;
  const mortal: PatientTable = {
    ...sound,
    until: () => mortal,
    commit(changes, options) {
      if (left-- <= 0) throw new Error('killed');
      return sound.commit(changes, options);
    },
  };
  return mortal;
}
