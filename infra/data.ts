import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
} from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { PDF_PREFIX } from '../lib/files/pdfs.ts';
import { objectOf } from '../lib/shared/objects.ts';
import type { Construct } from 'constructs';
import { PREFLIGHT_HOURS } from '../lib/shared/web/origins.ts';
import { BUCKET_HEADERS, BUCKET_METHODS } from './cors.ts';
import { type QueueWorkerName, queueWorkers } from '../functions/workers/index.ts';
import { RETENTION_DAYS, deadLetterQueue, queuesOf, visibilitySeconds } from './queues.ts';
import { type StageSettings, removalPolicyOf } from './stages.ts';
import { table as description, downloadsPrefix, incomingPrefix } from './table.ts';

type DataSettings = Pick<StageSettings, 'disposable' | 'tableStreamArn' | 'cors' | 'messages'>;

/** A queue with its dead-letter queue. */
export interface MadeQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** The queues of the stage. */
export type Queues = Readonly<Partial<Record<QueueWorkerName, MadeQueue>>>;

/**
 * Table and bucket outlive the stack unless the stage is disposable; the contents of the queues are also in the table.
 */
export interface Data {
  readonly table: ITable;
  readonly bucket: Bucket;
  readonly queues: Queues;
  /** The secrets that sign callbacks are derived from it. */
  readonly callbackKey: Secret;
  /** Seals the keys of payment providers. */
  readonly paymentKey: Secret;
}

export const makeData = (scope: Construct, settings: DataSettings): Data => {
  const { disposable, tableStreamArn, cors } = settings;
  const removalPolicy = removalPolicyOf(disposable);
  // The cast is needed because CDK's types do not support exactOptionalPropertyTypes.
  const table = tableStreamArn ? existingTable(scope, tableStreamArn) : (makeTable(scope, disposable) as ITable);
  return {
    table,
    bucket: makeBucket(scope, removalPolicy, cors),
    queues: makeQueues(scope, settings),
    callbackKey: makeCallbackKey(scope, removalPolicy),
    paymentKey: makePaymentKey(scope, removalPolicy),
  };
};

/**
 * A restored table, by its stream. It has the indexes of the table that was backed up; stream, time to live, recovery
 * and protection are switched on by hand (docs/operations.md). The stack's original table stays, outside the stack.
 */
const existingTable = (scope: Construct, tableStreamArn: string): ITable => {
  const [tableArn = ''] = tableStreamArn.split('/stream/');
  return Table.fromTableAttributes(scope, 'ExistingTable', { tableArn, tableStreamArn });
};

const text = (name: string) => ({ name, type: AttributeType.STRING });

const makeTable = (scope: Construct, disposable: boolean): Table => {
  const table = new Table(scope, 'Table', {
    partitionKey: text(description.partitionKey),
    sortKey: text(description.sortKey),
    timeToLiveAttribute: description.timeToLive,
    stream: StreamViewType[description.stream],
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !disposable,
    // CloudFormation cannot delete a protected table: with RETAIN_ON_UPDATE_OR_DELETE, a rollback would fail as well.
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
  for (const index of description.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...index.include],
    });
  }
  return table;
};

const makeQueue = (scope: Construct, id: string, rest: object = {}) =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(RETENTION_DAYS),
    ...rest,
  });

const makeQueues = (scope: Construct, settings: DataSettings): Queues =>
  objectOf(queuesOf(settings), (name) => {
    const deadLetters = makeQueue(scope, deadLetterQueue(name));
    const { queue: rules } = queueWorkers[name];
    const queue = makeQueue(scope, `${name}-queue`, {
      visibilityTimeout: Duration.seconds(visibilitySeconds(rules)),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: rules.maxReceiveCount },
    });
    return { queue, deadLetters };
  });

/** Random, and never in the template. Changing the key changes the secret of every account. */
const makeCallbackKey = (scope: Construct, removalPolicy: RemovalPolicy): Secret => {
  const key = new Secret(scope, 'CallbackSigning', {
    description: 'The secrets that sign callbacks follow from it; another value changes them all',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy,
  });
  Validations.of(key).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'Receivers know the secrets that follow from it; fs webhook rotate-secret replaces them, account by account.',
  });
  return key;
};

/** Random, and never in the template. If the key changes, companies must connect their payment providers again. */
const makePaymentKey = (scope: Construct, removalPolicy: RemovalPolicy): Secret => {
  const key = new Secret(scope, 'PaymentKeys', {
    description: 'Seals the keys of payment providers; with another value they are connected again',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy,
  });
  Validations.of(key).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'What is sealed with it cannot be read with another; fs payments connect replaces keys of providers.',
  });
  return key;
};

const makeBucket = (scope: Construct, removalPolicy: RemovalPolicy, cors: StageSettings['cors']): Bucket => {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    versioned: true,
    lifecycleRules: [
      { abortIncompleteMultipartUploadAfter: Duration.days(1), noncurrentVersionExpiration: Duration.days(30) },
      // Callers can download files for 7 days.
      { prefix: downloadsPrefix, expiration: Duration.days(8), noncurrentVersionExpiration: Duration.days(1) },
      // Files that no call committed, and files that have been copied by then.
      { prefix: incomingPrefix, expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
      // PDFs of pages, which can be made again.
      { prefix: PDF_PREFIX, expiration: Duration.days(7), noncurrentVersionExpiration: Duration.days(1) },
    ],
    // Pages read downloads and send large files by addresses that the API signs.
    ...(cors && {
      cors: [
        {
          allowedOrigins: [...cors.origins],
          allowedMethods: BUCKET_METHODS.map((method) => HttpMethods[method]),
          allowedHeaders: [...BUCKET_HEADERS],
          maxAge: PREFLIGHT_HOURS * 3_600,
        },
      ],
    }),
    removalPolicy,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Only the functions access the bucket, and each call writes a log line; access logs would add nothing.',
  });
  return bucket;
};
