import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { useTestCredentials } from './stack/external.ts';
import { testStack } from './stack/stack.ts';

let buckets = 0;

/** A bucket of the test's own in the run's S3, which the handlers of this process find in the environment. */
export async function startBucket(): Promise<Files> {
  const { AwsEndpoint: endpoint, Region: region } = testStack();
  const bucket = `files-${process.pid}-${++buckets}`;
  useTestCredentials(region);
  Object.assign(process.env, { BUCKET_NAME: bucket, AWS_ENDPOINT_URL_S3: endpoint });
  const client = new S3Client({ endpoint, region, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return openFiles();
}
