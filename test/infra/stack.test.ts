import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { groups } from '../../functions/index.ts';
import { queueNames, queueWorkers } from '../../functions/workers/index.ts';
import { ALARM_METRICS } from '../../infra/watch/alarms.ts';
import { makeApp } from '../../infra/app.ts';
import { prefixes } from '../../infra/grants.ts';
import type { FieldServiceStack } from '../../infra/stack.ts';
import { parseStages } from '../../infra/stages.ts';
import { table } from '../../infra/table.ts';
import { savedQueries } from '../../infra/watch/queries.ts';
import { layout } from '../../lib/store/keys.ts';
import { RESTORED_STREAM, readable, synthesize, validationReports } from './synthesized.ts';

const synthesized = await synthesize();
const careful = readable(synthesized.careful);
const plain = readable(synthesized.plain);

const references = (name: string) => {
  const resource = careful.get(name);
  if (!resource) throw new Error(`There is no ${name}; there are ${[...careful.keys()].join(', ')}`);
  return resource.Properties;
};
const ofType = (type: string): { name: string; [property: string]: unknown }[] =>
  [...careful].filter(([, { Type }]) => Type === type).map(([name, { Properties }]) => ({ name, ...Properties }));

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string[]>>;
}

/** A statement as a line: `action action on resource resource where condition`. */
const line = ({ Effect, Action, Resource, Condition, ...rest }: Statement) => {
  expect(rest).toEqual({});
  expect(Effect).toBe('Allow');
  const where = Object.entries(Condition ?? {}).flatMap(([operator, tests]) =>
    Object.entries(tests).map(([key, values]) => ` where ${operator} ${key} ${values.join(' ')}`),
  );
  return `${[Action].flat().join(' ')} on ${[Resource].flat().join(' ')}${where.join('')}`;
};

const statementsOf = (functionName: string) => {
  const role = references(functionName.includes('-role') ? functionName : `${functionName}-role`) as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  expect(role).not.toHaveProperty('ManagedPolicyArns');
  return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).map(line);
};

const keys = (...patterns: string[]) => `where ForAllValues:StringLike dynamodb:LeadingKeys ${patterns.join(' ')}`;
const logs = 'logs:CreateLogStream logs:PutLogEvents on Functions-logs.Arn';
const pipeline = [
  `dynamodb:GetItem on Table.Arn ${keys('KEY#*', 'A#*#ORGANIZATIONS')}`,
  `dynamodb:UpdateItem on Table.Arn ${keys('RATE#*')}`,
];
const tableRead = [
  `dynamodb:GetItem dynamodb:BatchGetItem dynamodb:Query on Table.Arn ${keys('A#*')}`,
  `dynamodb:Query on Table.Arn/index/GSI1 Table.Arn/index/GSI2 Table.Arn/index/GSI3 Table.Arn/index/GSI4 ${keys('A#*')}`,
];
/** Where a transaction also has items of a list over all accounts, one statement allows both. */
const tableWrite = (...lists: string[]) => [
  ...tableRead,
  'dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem dynamodb:ConditionCheckItem dynamodb:BatchWriteItem ' +
    `on Table.Arn ${keys('A#*', ...lists)}`,
];
const reading = [logs, ...pipeline, ...tableRead];
/** A call that writes reads its key again, in one request with its first records. */
const keyWithRecords = `dynamodb:BatchGetItem on Table.Arn ${keys('A#*', 'KEY#*')}`;
const writing = (...lists: string[]) => [logs, ...pipeline, keyWithRecords, ...tableWrite(...lists)];

const parking = (name: string) => `s3:PutObject on Bucket.Arn/parked/${name}/*`;

/** To every queue of a stage without messages, with `signins`, whose worker only a stage with a user pool has. */
const sendingAtOnce = `sqs:SendMessage on ${queueNames
  .filter((name) => queueWorkers[name].onlyWith !== 'messages')
  .map((name) => `${name}-queue.Arn`)
  .join(' ')}`;
const directory = `dynamodb:Query on Table.Arn/index/GSI1 Table.Arn/index/GSI2 Table.Arn/index/GSI3 Table.Arn/index/GSI4 ${keys('ACCOUNTS')}`;
const sending = [sendingAtOnce, `dynamodb:PutItem dynamodb:BatchWriteItem on Table.Arn ${keys('DELAYED#*')}`];
const receiving = (queue: string) =>
  `sqs:ReceiveMessage sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes on ${queue}-queue.Arn`;

/** Addresses of files are signed with the function's own permission. */
const signing = 's3:GetObject on Bucket.Arn/downloads/*';

const ofCanary = [
  `dynamodb:GetItem on Table.Arn ${keys('A#canary', 'A#canary#*')}`,
  `dynamodb:PutItem dynamodb:UpdateItem dynamodb:ConditionCheckItem on Table.Arn ${keys('A#canary', 'A#canary#*', 'KEY#canary*')}`,
];

interface Worker {
  /** What it may do besides writing logs. */
  readonly may: readonly string[];
  /** The time limit of a run. */
  readonly seconds: number;
  /** Concurrent runs: the most of a queue's worker, and what a stage with `workerConcurrency: 20` reserves. */
  readonly runs: number;
  readonly stream?: { readonly batch: number; readonly patterns: readonly string[] };
  readonly queue?: { readonly visibility: number; readonly receives: number; readonly batch: number };
  readonly schedule?: string;
  /** `<name>-<kind>-alarm`; but for those of dead letters, each ends a deployment of the worker. */
  readonly alarms: readonly string[];
  /** Whether Lambda lets its messages cause its own runs. */
  readonly sendsToItself?: true;
}

const readingStream =
  'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator dynamodb:ListStreams on Table.StreamArn';
const discarding = ['s3:PutObject on Bucket.Arn/aws/lambda/*', 's3:ListBucket on Bucket.Arn'];
const ofStream = ['parked', 'late', 'errors'];
const ofQueue = ['dead-letters', 'parked', 'late', 'errors'];

/** Every worker that has an alias, in the order of the template. A new worker, or a new need of one, is added here. */
const workers: Record<string, Worker> = {
  'event-queue': {
    may: [
      ...tableWrite('DELAYED#*'),
      `dynamodb:PutItem on Table.Arn ${keys('BACKLOG#*')}`,
      readingStream,
      parking('event-queue'),
      ...discarding,
    ],
    seconds: 60,
    runs: 20,
    stream: {
      batch: 99,
      patterns: [
        '{"dynamodb":{"NewImage":{"E":{"S":[{"exists":true}]}}}}',
        '{"dynamodb":{"OldImage":{"E":{"S":[{"exists":true}]}}}}',
      ],
    },
    alarms: ofStream,
  },
  'background-work': {
    may: [...tableWrite(), ...sending, readingStream, parking('background-work'), ...discarding],
    seconds: 60,
    runs: 20,
    stream: {
      batch: 100,
      patterns: [
        '{"dynamodb":{"NewImage":{"E":{"S":["Proposal"]},"VisitsToQueue":{"N":[{"anything-but":["0"]}]}}}}',
        '{"dynamodb":{"NewImage":{"E":{"S":["Contact"]},"CreditBalance":{"N":[{"exists":true}]}}}}',
        '{"dynamodb":{"NewImage":{"E":{"S":["Series"]},"Left":{"N":[{"anything-but":["0"]}]}}}}',
        '{"dynamodb":{"NewImage":{"E":{"S":["User"]}}}}',
        '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"Queue":{"S":[{"exists":true}]}}}}',
      ],
    },
    alarms: ofStream,
  },
  callbacks: {
    may: [...tableWrite('DELAYED#*'), 'secretsmanager:GetSecretValue on CallbackSigning', receiving('callbacks')],
    seconds: 30,
    runs: 20,
    queue: { visibility: 180, receives: 100, batch: 10 },
    alarms: ofQueue,
    sendsToItself: true,
  },
  downloads: {
    may: [
      ...tableWrite(),
      's3:PutObject s3:GetObject s3:AbortMultipartUpload on Bucket.Arn/downloads/*',
      receiving('downloads'),
    ],
    seconds: 300,
    runs: 5,
    queue: { visibility: 1_800, receives: 1_000, batch: 1 },
    alarms: ofQueue,
    sendsToItself: true,
  },
  copies: {
    may: [
      ...tableWrite(),
      's3:GetObject on Bucket.Arn/incoming/*',
      's3:PutObject s3:DeleteObject s3:DeleteObjectVersion on Bucket.Arn/uploads/*',
      's3:ListBucketVersions on Bucket.Arn',
      receiving('copies'),
    ],
    seconds: 60,
    runs: 2,
    queue: { visibility: 360, receives: 100, batch: 5 },
    alarms: ofQueue,
  },
  checkouts: {
    may: [...tableWrite('DELAYED#*'), 'secretsmanager:GetSecretValue on PaymentKeys', receiving('checkouts')],
    seconds: 60,
    runs: 2,
    queue: { visibility: 360, receives: 100, batch: 5 },
    alarms: ofQueue,
  },
  merges: {
    may: [
      ...tableWrite('DUE#*'),
      `dynamodb:Query dynamodb:DeleteItem on Table.Arn ${keys('BACKLOG#*')}`,
      `s3:DeleteObject s3:DeleteObjectVersion on ${['incoming', 'uploads', 'pdf', 'downloads', 'parked', 'aws/lambda', 'discarded'].map((folder) => `Bucket.Arn/${folder}/*`).join(' ')}`,
      's3:GetObject s3:PutObject on Bucket.Arn/parked/* Bucket.Arn/aws/lambda/* Bucket.Arn/discarded/*',
      's3:AbortMultipartUpload on Bucket.Arn/downloads/*',
      's3:ListBucket s3:ListBucketVersions s3:ListBucketMultipartUploads on Bucket.Arn',
      receiving('merges'),
    ],
    seconds: 300,
    runs: 5,
    queue: { visibility: 1_800, receives: 100, batch: 1 },
    alarms: ofQueue,
    sendsToItself: true,
  },
  calendars: {
    may: [...tableWrite('DUE#*'), 'secretsmanager:GetSecretValue on CallbackSigning', receiving('calendars')],
    seconds: 120,
    runs: 5,
    queue: { visibility: 720, receives: 3, batch: 2 },
    alarms: ofQueue,
  },
  'proposal-expiry': {
    may: [
      ...tableWrite('DUE#*'),
      `dynamodb:GetItem dynamodb:Query dynamodb:UpdateItem on Table.Arn ${keys('DUE#*')}`,
      ...sending,
      directory,
    ],
    seconds: 600,
    runs: 1,
    schedule: 'rate(10 minutes)',
    alarms: ['errors'],
  },
  'event-backlog': {
    may: [
      ...tableWrite('DELAYED#*'),
      `dynamodb:Query dynamodb:DeleteItem on Table.Arn ${keys('BACKLOG#*')}`,
      parking('event-queue'),
    ],
    seconds: 60,
    runs: 1,
    schedule: 'rate(1 minute)',
    alarms: ['parked', 'errors'],
  },
  'delayed-messages': {
    may: [`dynamodb:Query dynamodb:BatchWriteItem on Table.Arn ${keys('DELAYED#*')}`, sendingAtOnce],
    seconds: 60,
    runs: 1,
    schedule: 'rate(1 minute)',
    alarms: ['errors'],
  },
  retention: {
    may: [
      ...tableWrite(),
      `dynamodb:Query on Table.Arn ${keys('RETENTION#*')}`,
      `dynamodb:GetItem dynamodb:UpdateItem on Table.Arn ${keys('RETENTION#PROGRESS')}`,
      directory,
      's3:DeleteObject s3:DeleteObjectVersion on Bucket.Arn/incoming/* Bucket.Arn/uploads/*',
      's3:ListBucketVersions on Bucket.Arn',
    ],
    seconds: 900,
    runs: 1,
    schedule: 'rate(1 hour)',
    alarms: ['errors'],
  },
};
const workersWith = (source: 'stream' | 'queue' | 'schedule') =>
  Object.entries(workers).filter(([, worker]) => worker[source] !== undefined);

/** Those that are deployed without a check, by their alias. */
const atOnce = ['canary', 'first-call'];
const checked = ofType('AWS::Lambda::Function').flatMap(({ name }) => (atOnce.includes(name) ? [] : [name]));

/** Every function and all that it may do. A new function, or a new need of an operation, must be written down here. */
const allowed: Record<string, string[]> = {
  fallback: [logs],
  docs: [logs],
  canary: [logs, ...ofCanary],
  ...Object.fromEntries(
    ['blogs', 'cancelreasons', 'customfields', 'part', 'serviceagents', 'services', 'settings', 'test'].map((name) => [
      name,
      reading,
    ]),
  ),
  ...Object.fromEntries(
    ['accountingclasses', 'appointments', 'channels', 'invoice', 'payment', 'task', 'user', 'users'].map((name) => [
      name,
      writing(),
    ]),
  ),
  contacts: writing('DELAYED#*'),
  proposal: writing('DUE#*'),
  mcp: [...writing('DUE#*', 'DELAYED#*'), 'secretsmanager:GetSecretValue on CallbackSigning'],
  organizations: [...writing(), 'secretsmanager:GetSecretValue on CallbackSigning'],
  webhooks: [...writing('DELAYED#*'), 'secretsmanager:GetSecretValue on CallbackSigning'],
  messages: writing(),
  uploads: [...writing(), 's3:GetObject s3:PutObject s3:DeleteObject on Bucket.Arn/incoming/*'],
  pages: [
    logs,
    ...tableWrite('DUE#*', 'DELAYED#*'),
    's3:GetObject on Bucket.Arn/incoming/* Bucket.Arn/uploads/*',
    's3:GetObject s3:PutObject on Bucket.Arn/pdf/*',
    'secretsmanager:GetSecretValue on PaymentKeys',
  ],
  leads: [logs, ...tableWrite()],
  files: [...reading, 's3:GetObject on Bucket.Arn/incoming/* Bucket.Arn/uploads/*'],
  'first-call': [logs, ...ofCanary, `lambda:InvokeFunction on ${checked.map((name) => `${name}.Arn:*`).join(' ')}`],
  download: [...writing(), signing],
  datasubscriber: [...writing(), signing],
  ...Object.fromEntries(Object.entries(workers).map(([name, { may }]) => [name, [logs, ...may]])),
};

describe('what a function may do', () => {
  const functions = ofType('AWS::Lambda::Function');

  it('is written down for every function', () => {
    expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(allowed).sort());
  });

  it.each(Object.entries(allowed))('%s: exactly this', (name, statements) => {
    expect(statementsOf(name)).toEqual(statements);
    expect(references(name)).toMatchObject({ Role: `${name}-role.Arn` });
  });

  it('comes from its role alone: no policy is attached from elsewhere', () => {
    expect(ofType('AWS::IAM::Policy')).toEqual([]);
    expect(ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it('reaches items by the prefixes that partition keys really have', () => {
    const begins = Object.values(layout).map(({ entity, partition }) => [
      entity,
      Object.values(prefixes).filter((start) => partition.startsWith(start)),
    ]);
    const {
      ApiKey,
      Rate,
      AuditCounts,
      BacklogAccount,
      DelayedMessage,
      ProposalExpiry,
      ExpiryProgress,
      VisitRelease,
      KeyNotice,
      CalendarEntry,
      FiguresProgress,
      Retention,
      RetentionProgress,
      ...others
    } = Object.fromEntries(begins) as Record<string, string[]>;
    expect({ BacklogAccount, DelayedMessage }).toEqual({ BacklogAccount: ['BACKLOG#'], DelayedMessage: ['DELAYED#'] });
    expect({ ApiKey, Rate, AuditCounts }).toEqual({ ApiKey: ['KEY#'], Rate: ['RATE#'], AuditCounts: ['RATE#'] });
    expect({ Retention, RetentionProgress }).toEqual({ Retention: ['RETENTION#'], RetentionProgress: ['RETENTION#'] });
    const due = { ProposalExpiry, ExpiryProgress, VisitRelease, KeyNotice, CalendarEntry, FiguresProgress };
    expect(new Set(Object.values(due).flat())).toEqual(new Set(['DUE#']));
    expect(new Set(Object.values(others).flat())).toEqual(new Set(['A#']));
    expect(Object.values(others).every((starts) => starts.length === 1)).toBe(true);
  });
});

describe('functions', () => {
  const others: Record<string, number> = { canary: 95, 'first-call': 600 };

  it.each(ofType('AWS::Lambda::Function'))(
    '$name runs on Node 24 and arm64 from a folder of the assembly, and logs into the group of all',
    ({ name, ...properties }) => {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: 1024,
        Timeout: workers[name]?.seconds ?? others[name] ?? 29,
        LoggingConfig: { LogFormat: 'JSON', LogGroup: 'Functions-logs' },
        Environment: {
          Variables: {
            TABLE_NAME: 'Table',
            BUCKET_NAME: 'Bucket',
            BASE_URL: 'https://Domain',
            STAGE: 'careful',
            LOG_LEVEL: 'info',
            NODE_OPTIONS: '--enable-source-maps',
          },
        },
      });
      const resource = Object.values(synthesized.careful.findResources('AWS::Lambda::Function')).find(
        ({ Metadata }) => Metadata['aws:cdk:path'] === `field-service-careful/${name}/Resource`,
      );
      expect(existsSync(join(synthesized.outdir, resource?.['Metadata']['aws:asset:path'] as string, 'index.js'))).toBe(
        true,
      );
    },
  );

  it('know the address of the API without a circle of resources', () => {
    expect(plain.get('event-queue')?.Properties).toMatchObject({
      Environment: { Variables: { BASE_URL: 'Api.ApiEndpoint' } },
    });
  });
});

describe('routes', () => {
  it('lead every path of a group to its function, whatever the method, and every other to the fallback', () => {
    const targets = ofType('AWS::ApiGatewayV2::Route').map(({ RouteKey, Target }) => [
      RouteKey,
      references(String(Target).replace('integrations/', ''))['IntegrationUri'],
    ]);
    // The office is in stages with a user pool.
    const served = groups.filter(({ name }) => name !== 'office');
    const expected = served.flatMap(({ name, paths }) => paths.map((path) => [`ANY ${path}`, `${name}-live`]));
    expect(targets).toEqual([['$default', 'fallback-live'], ['ANY /health', 'fallback-live'], ...expected]);
  });

  it('of the documentation are absent, like its function, where the stage or -c docs=false omits them', () => {
    const withDocs = (settings: object, flags: object = {}) => {
      const app = makeApp(join(synthesized.outdir, '../dist'), {
        context: { 'aws:cdk:enable-path-metadata': true, stages: { own: { disposable: true, ...settings } }, ...flags },
      });
      // Without a template, which takes a second.
      const parts = app.node.findChild('field-service-own').node.children.map(({ node }) => node.id);
      return parts.filter((name) => /^docs($|-)/.test(name));
    };
    const routes = ['docs-route', 'docs-1-route', 'docs-2-route', 'docs-3-route', 'docs-4-route'];
    expect(withDocs({})).toEqual(expect.arrayContaining(['docs', ...routes]));
    expect([withDocs({ docs: false }), withDocs({}, { docs: 'false' })]).toEqual([[], []]);
  });

  it('hand over the event of format 2.0, by a role that may call their functions and nothing else', () => {
    const integrations = ofType('AWS::ApiGatewayV2::Integration');
    for (const integration of integrations)
      expect(integration).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
        CredentialsArn: 'Routes-role.Arn',
      });
    const functions = integrations.map(({ IntegrationUri }) => String(IntegrationUri).replace(/-live$/, ''));
    expect(statementsOf('Routes')).toEqual([
      `lambda:InvokeFunction on ${functions.map((name) => `${name}.Arn:live`).join(' ')}`,
    ]);
    expect(JSON.stringify(references('Routes-role')['AssumeRolePolicyDocument'])).toContain(
      '"Principal":{"Service":"apigateway.amazonaws.com"}',
    );
    expect(JSON.stringify(plain.get('Routes-role')?.Properties)).toContain('"contacts.Arn"');
  });

  it('that need no key have rates of their own, so that a flood of one leaves the others and the operations alone', () => {
    const settings = references('Stage')['RouteSettings'] as Record<string, Record<string, number>>;
    const rateOf = (name: string) => Object.values(settings[name] ?? {});
    expect(Object.fromEntries(Object.keys(settings).map((name) => [name, rateOf(name)]))).toEqual({
      $default: [20, 40],
      'ANY /health': [20, 40],
      'ANY /docs': [20, 100],
      'ANY /docs/{file}': [20, 100],
      'ANY /openapi.json': [20, 100],
      'ANY /llms.txt': [20, 100],
      'ANY /llms-full.txt': [20, 100],
      'ANY /files/{id}': [100, 200],
      'ANY /c/{page}/{handle}': [100, 200],
      'ANY /c/{page}/{handle}/{file}': [100, 200],
      'ANY /c/stripe/{handle}': [50, 100],
      'ANY /api/leads/{token}': [50, 100],
    });
    const routes = ofType('AWS::ApiGatewayV2::Route').map(({ RouteKey }) => String(RouteKey));
    const isOperation = (key: string) => /^ANY \/(?:api\/(?!leads\/)|mcp$)/.test(key);
    expect(Object.keys(settings).sort()).toEqual(routes.filter((key) => !isOperation(key)).sort());
    // API Gateway refuses the rate of a route that does not exist yet.
    const { DependsOn = [] } = Object.values(synthesized.careful.findResources('AWS::ApiGatewayV2::Stage'))[0] ?? {};
    for (const [id, { Properties }] of Object.entries(synthesized.careful.findResources('AWS::ApiGatewayV2::Route')))
      expect([Properties.RouteKey, DependsOn.includes(id)]).toEqual([
        Properties.RouteKey,
        !isOperation(String(Properties.RouteKey)),
      ]);
    const restored = readable(synthesized.restored).get('Stage')?.Properties['RouteSettings'];
    expect(restored).toMatchObject({ 'ANY /docs': { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 5 } });
  });

  it('are reached by the own domain only, where the stage has one', () => {
    expect(references('Api')).toMatchObject({ DisableExecuteApiEndpoint: true });
    expect(plain.get('Api')?.Properties['DisableExecuteApiEndpoint']).not.toBe(true);
  });

  it('are logged and throttled', () => {
    expect(references('Stage')).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
      AccessLogSettings: { DestinationArn: 'Api-logs.Arn' },
    });
    const { Format } = references('Stage')['AccessLogSettings'] as { Format: string };
    expect(Object.keys(JSON.parse(Format) as object)).toEqual([
      'RequestId',
      'Source',
      'Domain',
      'FromEdge',
      'At',
      'Route',
      'Method',
      'Status',
      'Milliseconds',
      'Bytes',
      'Error',
    ]);
    expect(references('Api-logs')).toEqual({ RetentionInDays: 365 });
    expect(references('Functions-logs')).toEqual({ RetentionInDays: 365 });
  });
});

describe('the table and the bucket', () => {
  it('the table has stream, point-in-time recovery, deletion protection, expiry, and bills by request', () => {
    expect(references('Table')).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'TTL', Enabled: true },
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: table.indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.include },
      })),
    });
  });

  it('an existing table takes the place of its own: name, permissions, stream, alarms; the own one stays', () => {
    const restored = readable(synthesized.restored);
    expect([...restored.values()].filter(({ Type }) => Type === 'AWS::DynamoDB::Table')).toEqual([]);
    const ofRestored = (name: string) => restored.get(name)?.Properties;
    const arn = 'arn:aws:dynamodb:us-east-1:123456789012:table/restored';
    expect(ofRestored('contacts')).toMatchObject({ Environment: { Variables: { TABLE_NAME: 'restored' } } });
    expect(ofRestored('event-queue-source')).toMatchObject({ EventSourceArn: RESTORED_STREAM });
    const policies = (name: string) => JSON.stringify(ofRestored(`${name}-role`));
    for (const name of ['contacts', 'event-queue', 'proposal-expiry']) {
      expect(policies(name).replaceAll(arn, 'Table.Arn')).toContain('"Table.Arn/index/GSI1"');
      expect(policies(name)).not.toContain('TableCD117FA1');
    }
    expect(policies('event-queue')).toContain(RESTORED_STREAM);
    expect(JSON.stringify(ofRestored('table-throttles-alarm'))).toContain('{"Name":"TableName","Value":"restored"}');
    expect(synthesized.restored.toJSON()['Outputs']).toMatchObject({ TableName: { Value: 'restored' } });
    expect(careful.get('Table')?.DeletionPolicy, 'leaving the stack').toBe('Retain');
  });

  it('the bucket is private, encrypted, versioned and closed to plain HTTP', () => {
    expect(references('Bucket')).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      VersioningConfiguration: { Status: 'Enabled' },
    });
    expect(JSON.stringify(references('Bucket/Policy'))).toContain('"aws:SecureTransport":"false"');
  });

  it('and all logs and secrets outlive the stack, unless the stage is disposable', () => {
    const kept = ['Functions-logs', 'Api-logs', 'Bucket', 'CallbackSigning', 'PaymentKeys'];
    const policies = (template: typeof careful) => new Set(kept.map((name) => template.get(name)?.DeletionPolicy));
    expect([policies(careful), policies(plain)]).toEqual([new Set(['RetainExceptOnCreate']), new Set(['Delete'])]);
    expect(plain.get('Functions-logs')?.Properties).toEqual({ RetentionInDays: 30 });
    expect([careful.get('Table')?.DeletionPolicy, plain.get('Table')?.DeletionPolicy]).toEqual(['Retain', 'Delete']);
    expect(plain.get('Table')?.Properties['DeletionProtectionEnabled']).toBe(false);
  });

  it('and what else is kept do not outlive a first deployment that fails, but for a table that is protected from deletion', () => {
    const retained = [...careful].filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain');
    expect(retained.map(([name]) => name)).toEqual(['Table']);
    expect(references('Table')).toMatchObject({ DeletionProtectionEnabled: true });
  });
});

describe('the workers', () => {
  it.each(workersWith('stream'))(
    '%s takes the stream in order, retries until records expire, and then keeps them whole in the bucket',
    (name, { stream }) => {
      expect(references(`${name}-source`)).toEqual({
        FilterCriteria: { Filters: stream?.patterns.map((Pattern) => ({ Pattern })) },
        EventSourceArn: 'Table.StreamArn',
        FunctionName: `${name}-live:live`,
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: stream?.batch,
        MaximumBatchingWindowInSeconds: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
        MaximumRecordAgeInSeconds: 23 * 3600,
        DestinationConfig: { OnFailure: { Destination: 'Bucket.Arn' } },
      });
    },
  );

  it('reserve no concurrent runs unless the stage says so: a new AWS account has 10, and AWS keeps 100 back', () => {
    const reserved = (template: typeof careful) =>
      [...template].flatMap(([name, { Properties = {} }]) =>
        'ReservedConcurrentExecutions' in Properties ? [[name, Properties['ReservedConcurrentExecutions']]] : [],
      );
    expect([reserved(careful), reserved(plain)]).toEqual([[], []]);
    expect(Object.fromEntries(reserved(readable(synthesized.restored)))).toEqual(
      Object.fromEntries(Object.entries(workers).map(([name, { runs }]) => [name, runs])),
    );
  });

  it('that send to their own queue may be part of a chain of messages, which Lambda ends after 16 runs otherwise', () => {
    const allowed = ofType('AWS::Lambda::Function').filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    expect(allowed.map(({ name }) => name)).toEqual(
      Object.keys(workers).filter((name) => workers[name]?.sendsToItself),
    );
  });
});

describe('the queues', () => {
  it.each(workersWith('queue'))(
    '%s are encrypted, feed their worker in small batches, and keep dead letters',
    (name, { queue, runs }) => {
      const common = { SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 };
      expect(references(`${name}-queue`)).toEqual({
        ...common,
        VisibilityTimeout: queue?.visibility,
        RedrivePolicy: { deadLetterTargetArn: `${name}-dead-letters.Arn`, maxReceiveCount: queue?.receives },
      });
      expect(references(`${name}-dead-letters`)).toEqual(common);
      expect(JSON.stringify(references(`${name}-queue/Policy`))).toContain('"aws:SecureTransport":"false"');
      expect(references(`${name}-source`)).toEqual({
        EventSourceArn: `${name}-queue.Arn`,
        FunctionName: `${name}-live:live`,
        BatchSize: queue?.batch,
        ScalingConfig: { MaximumConcurrency: runs },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    },
  );

  it('unseal the keys of payment providers with a key that only pages and their worker may read', () => {
    expect(references('PaymentKeys')).toMatchObject({
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
    expect(careful.get('PaymentKeys')?.DeletionPolicy).toBe('RetainExceptOnCreate');
    const variables = (name: string) => JSON.stringify(references(name)['Environment']);
    const names = ofType('AWS::Lambda::Function').map(({ name }) => name);
    expect(names.filter((name) => variables(name).includes('"PAYMENT_KEY_SECRET":"PaymentKeys"')).sort()).toEqual([
      'checkouts',
      'pages',
    ]);
    // The stand-in of Stripe is used in a local stack alone.
    expect(names.map(variables).join()).not.toContain('STRIPE_API');
  });

  it('sign callbacks with a key that is in no template and no environment: the worker reads it when it signs', () => {
    expect(references('CallbackSigning')).toMatchObject({
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
    expect(careful.get('CallbackSigning')?.DeletionPolicy).toBe('RetainExceptOnCreate');
    const variables = (name: string) => JSON.stringify(references(name)['Environment']);
    expect(variables('callbacks')).toContain('"CALLBACK_KEY_SECRET":"CallbackSigning"');
    expect(variables('webhooks')).toContain('"CALLBACK_KEY_SECRET":"CallbackSigning"');
    expect(['background-work', 'contacts'].map(variables).join()).not.toContain('CALLBACK_KEY');
    expect(JSON.stringify(synthesized.careful.toJSON())).not.toContain('{{resolve:');
  });

  it('have their URL in the environment of their worker and of the functions that send, and of no other', () => {
    const users = ofType('AWS::Lambda::Function').filter(({ Environment }) =>
      JSON.stringify(Environment).includes('"CALLBACKS_QUEUE_URL":"callbacks-queue"'),
    );
    expect(users.map(({ name }) => name).sort()).toEqual([
      'background-work',
      'callbacks',
      'delayed-messages',
      'proposal-expiry',
    ]);
  });
});

describe('the workers that run by the clock', () => {
  it.each(workersWith('schedule'))('%s runs as often as it says, whatever else happens', (name, { schedule }) => {
    expect(references(`${name}-schedule`)).toMatchObject({
      ScheduleExpression: schedule,
      State: 'ENABLED',
      Targets: [{ Arn: `${name}-live`, RetryPolicy: { MaximumRetryAttempts: 2 } }],
    });
    expect(ofType('AWS::Lambda::Permission')).toContainEqual(
      expect.objectContaining({ Principal: 'events.amazonaws.com', SourceArn: `${name}-schedule.Arn` }),
    );
  });
});

describe('alarms', () => {
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const metricsOf = ({ MetricName, ExtendedStatistic, Metrics }: Record<string, unknown>) =>
    MetricName
      ? [MetricName, ExtendedStatistic].filter(Boolean).join(' ')
      : [
          ...new Set(
            (Metrics as { MetricStat?: { Metric: { MetricName: string } } }[]).flatMap(
              ({ MetricStat }) => MetricStat?.Metric.MetricName ?? [],
            ),
          ),
        ].join('+');

  /** `percent from count`, or the threshold. */
  const limitOf = ({ Metrics, Threshold }: Record<string, unknown>) => {
    const expressions = ((Metrics ?? []) as { Expression?: string }[]).map(({ Expression = '' }) => Expression);
    const [, count] = /^IF\(part >= (\d+), 100 \* part/.exec(expressions.join('\n')) ?? [];
    return count ? `${String(Threshold)} % from ${count}` : Threshold;
  };

  it('watch what loses, delays, refuses or costs', () => {
    expect(alarms.map(({ name, ...alarm }) => [name, metricsOf(alarm), limitOf(alarm)])).toEqual([
      ...Object.entries(workers).flatMap(([name, { queue, schedule, alarms: kinds }]) => {
        const limits: Record<string, readonly unknown[]> = {
          'dead-letters': ['ApproximateNumberOfMessagesVisible', 1],
          parked: [queue ? 'ApproximateNumberOfMessagesVisible' : 'Parked', 1],
          late: queue ? ['ApproximateAgeOfOldestMessage', 900] : ['IteratorAge', 300_000],
          errors: [schedule ? 'Errors+Invocations' : 'Errors+Failures+Invocations', '5 % from 3'],
        };
        return kinds.map((kind) => [`${name}-${kind}-alarm`, ...(limits[kind] ?? [])]);
      }),
      ['callbacks-dead-alarm', 'Dead', 1],
      ['api-faults-alarm', '5xx+Count', '0.1 % from 5'],
      ['api-lasting-faults-alarm', '5xx+Count', '0.01 % from 20'],
      ['deployment-faults-alarm', '5xx+Count', '0.1 % from 2'],
      ['api-slow-alarm', 'Latency p95', 2_000],
      ['api-slowest-alarm', 'Latency p99', 8_000],
      ['status-401-alarm', 'Status401+Count', '1 % from 300'],
      ['status-403-alarm', 'Status403+Count', '1 % from 300'],
      ['status-429-alarm', 'Status429+Count', '1 % from 300'],
      ['lambda-throttles-alarm', 'Throttles+Invocations', '0.1 % from 10'],
      ['table-throttles-alarm', 'ThrottledRequests+Count', '0.1 % from 10'],
      ['cost-alarm', 'Milliseconds+ReadUnits+WriteUnits', 1],
      ['canary-alarm', 'CanaryMilliseconds', 1],
    ]);
  });

  it('have no more metrics than CloudWatch allows, ten an alarm', () => {
    for (const { name, Metrics } of alarms) {
      const metrics = ((Metrics ?? []) as object[]).filter((metric) => 'MetricStat' in metric);
      expect(metrics.length, name).toBeLessThanOrEqual(10);
    }
  });

  it('compare parts with wholes of the same time, and throttled ones with the others', () => {
    type Part = { Id: string; Expression?: string; MetricStat?: { Period: number; Stat: string } };
    for (const { name, Metrics, ...alarm } of alarms) {
      const parts = (Metrics ?? []) as Part[];
      const periods = new Set(parts.flatMap(({ MetricStat }) => MetricStat?.Period ?? []));
      expect(periods.size, name).toBeLessThanOrEqual(1);
      const [limit] = parts;
      if (!limit?.Expression?.startsWith('IF')) continue;
      expect([name, limit.Expression.replace(/^IF\(part >= \d+, /, '')]).toEqual([
        name,
        name.includes('throttles') ? '100 * part / (part + FILL(rest, 0)), 0)' : '100 * part / whole, 0)',
      ]);
      expect([name, alarm['ComparisonOperator']]).toEqual([name, 'GreaterThanOrEqualToThreshold']);
    }
  });

  it('have the limits that the stage sets, each by itself', () => {
    const { alarms: limits } = parseStages({
      large: { alarmEmail: 'night@example.com', alarms: { faults: { percent: 2 }, parked: 50, streamLateMinutes: 1 } },
    }).get('large') as { alarms: Record<string, unknown> };
    expect(limits).toMatchObject({
      faults: { percent: 2, count: 5 },
      deploymentFaults: { percent: 0.1, count: 2 },
      parked: 50,
      streamLateMinutes: 1,
      queueLateMinutes: 15,
    });
    const restored = readable(synthesized.restored);
    const ofRestored = (name: string) => limitOf(restored.get(name)?.Properties ?? {});
    expect(ofRestored('api-faults-alarm')).toBe('2 % from 40');
    expect(ofRestored('event-queue-parked-alarm')).toBe(7);
    expect(ofRestored('event-queue-late-alarm')).toBe(120_000);
    expect(ofRestored('callbacks-late-alarm')).toBe(60 * 60);
  });

  it('watch as many metrics as the estimate of the bill counts', () => {
    const counts = alarms.map(({ Metrics }: Record<string, unknown>) =>
      Metrics ? (Metrics as object[]).filter((metric) => 'MetricStat' in metric).length : 1,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ALARM_METRICS);
  });

  it('send a mail when they begin and end, except those that only end deployments', () => {
    const quiet = ['deployment-faults-alarm', ...workersWith('queue').map(([name]) => `${name}-parked-alarm`)];
    for (const { name, ...alarm } of alarms) {
      const actions = quiet.includes(name) ? {} : { AlarmActions: ['Alarms'], OKActions: ['Alarms'] };
      expect({ AlarmActions: alarm['AlarmActions'], OKActions: alarm['OKActions'] }).toEqual(actions);
    }
  });

  it('are off where a metric has no data, except that of the canary: it stands still, or was never called', () => {
    for (const { name, TreatMissingData, ComparisonOperator } of alarms)
      expect([name, TreatMissingData, ComparisonOperator]).toEqual(
        name === 'canary-alarm'
          ? [name, 'breaching', 'LessThanThreshold']
          : [name, 'notBreaching', 'GreaterThanOrEqualToThreshold'],
      );
    expect(references('canary-alarm')).toMatchObject({ Statistic: 'SampleCount', Period: 300, EvaluationPeriods: 3 });
  });

  it('may be published by CloudWatch, to the alarm address', () => {
    const { PolicyDocument } = references('Alarms/Policy') as { PolicyDocument: unknown };
    expect(JSON.stringify(PolicyDocument)).toContain('"Service":"cloudwatch.amazonaws.com"');
    expect(ofType('AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'night@example.com', TopicArn: 'Alarms' },
    ]);
  });

  it('go to a topic that the stage names, instead of one of its own', () => {
    const alarmTopicArn = 'arn:aws:sns:us-east-1:123456789012:on-call';
    expect(parseStages({ live: { alarmTopicArn, edge: false } }).get('live')).toMatchObject({ alarmTopicArn });
    expect(() => parseStages({ live: { alarmTopicArn: 'on-call' } })).toThrow('live.alarmTopicArn');
    const restored = readable(synthesized.restored);
    expect(restored.get('canary-alarm')?.Properties).toMatchObject({ AlarmActions: [alarmTopicArn] });
    expect([...restored.values()].filter(({ Type }) => Type === 'AWS::SNS::Topic')).toEqual([]);
  });

  it('are not made without an address, which only a disposable stage may lack', () => {
    expect([...plain.values()].filter(({ Type }) => /CloudWatch|SNS/.test(Type))).toEqual([]);
    expect(() => parseStages({ production: {} })).toThrow(
      'production.alarmEmail: must be the address that receives the alarms, unless the stage is disposable.',
    );
    expect(parseStages({ dev: { disposable: true } }).get('dev')).toMatchObject({ disposable: true });
  });

  it('count refused calls of the access log, those refused by the gateway included', () => {
    const filters = ofType('AWS::Logs::MetricFilter').map(({ FilterPattern, LogGroupName, MetricTransformations }) => [
      FilterPattern,
      LogGroupName,
      MetricTransformations,
    ]);
    expect(filters).toEqual(
      [401, 403, 429].map((status) => [
        `{ $.Status = "${status}" }`,
        'Api-logs',
        [{ MetricName: `Status${status}`, MetricNamespace: 'FieldService/careful', MetricValue: '1' }],
      ]),
    );
  });

  it('are all explained in docs/operations.md, those of every worker as `…-late-alarm`', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const kinds = [
      ...['late', 'errors', 'dead-letters'].flatMap((kind) =>
        Object.keys(workers).map((name) => [name, kind] as const),
      ),
      ...workersWith('queue').map(([name]) => [name, 'parked'] as const),
    ];
    const kindOf = new Map(kinds.map(([name, kind]) => [`${name}-${kind}-alarm`, `…-${kind}-alarm`]));
    const isExplained = (name: string) =>
      [name, kindOf.get(name) ?? name].some((words) => page.includes(`\`${words}\``));
    expect(alarms.filter(({ name }) => !isExplained(name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('the canary', () => {
  it('runs every 5 minutes, without repeats, and not in a disposable stage', () => {
    expect(references('canary-schedule')).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [{ Arn: 'canary.Arn', RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
    expect(plain.has('canary')).toBe(false);
  });
});

interface TemplateResource {
  readonly Type: string;
  readonly DependsOn?: readonly string[];
}

describe('a gradual deployment', () => {
  // Nobody notices an error of the canary, and the first call is part of the deployment: both are deployed at once.
  const names = checked;
  const targets = new Set(
    ofType('AWS::ApiGatewayV2::Integration').map(({ IntegrationUri }) => String(IntegrationUri).replace(/-live$/, '')),
  );
  it('of every worker ends where its runs fail, where it parks, and where it is late', () => {
    expect(names.filter((name) => !targets.has(name)).sort()).toEqual(Object.keys(workers).sort());
    const sources = ofType('AWS::Lambda::EventSourceMapping').map(
      ({ FunctionName }) => String(FunctionName).split('-live')[0],
    );
    // Those that get records or messages can park and be late; one by the clock only fails.
    const late = Object.keys(workers).filter((name) => workers[name]?.alarms.includes('late'));
    expect(late.sort()).toEqual(sources.sort());
  });

  it.each(names)('of %s serves a tenth for 5 minutes and goes back when an alarm is on', (name) => {
    expect(careful.get(`${name}-live`)).toMatchObject({
      Properties: { FunctionName: name, FunctionVersion: `${name}/CurrentVersion.Version`, Name: 'live' },
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: { ApplicationName: 'Deployments', DeploymentGroupName: `${name}-deployment` },
      },
    });
    const alarms = workers[name]
      ? workers[name].alarms.flatMap((kind) => (kind === 'dead-letters' ? [] : [`${name}-${kind}-alarm`]))
      : ['api-faults-alarm', 'deployment-faults-alarm'];
    expect(references(`${name}-deployment`)).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AlarmConfiguration: { Enabled: true, Alarms: alarms.map((Name) => ({ Name })) },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
      ServiceRoleArn: expect.stringMatching(/^Deployments-role(-2)?\.Arn$/) as string,
    });
  });

  it('calls each new version by one resource, one after another, before any alias moves', () => {
    expect(references('FirstCalls/Default')).toEqual({
      ServiceToken: 'first-call.Arn',
      ServiceTimeout: '900',
      Versions: Object.fromEntries(names.map((name) => [name, `${name}/CurrentVersion`])),
    });
    const resources = synthesized.careful.toJSON()['Resources'] as Record<string, TemplateResource>;
    const firstCalls = Object.keys(resources).find((id) => resources[id]?.Type === 'Custom::FirstCalls');
    const aliases = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Alias');
    expect(aliases).toHaveLength(names.length);
    for (const { DependsOn } of aliases) expect(DependsOn).toContain(firstCalls);
  });

  it('may move the aliases of this stage, and no others', () => {
    const roles = ['Deployments', 'Deployments-role-2'].map((name) => statementsOf(name));
    const parts = [names.slice(0, 25), names.slice(25)];
    expect(roles).toEqual(
      parts.map((part) => [
        `lambda:GetAlias lambda:UpdateAlias lambda:GetProvisionedConcurrencyConfig on ${part
          .flatMap((name) => [`${name}.Arn`, `${name}.Arn:live`])
          .join(' ')}`,
        'cloudwatch:DescribeAlarms on *',
      ]),
    );
  });

  it('is not made for a disposable stage, which is deployed at once', () => {
    const types = new Set([...plain.values()].map(({ Type }) => Type));
    expect([...types].filter((type) => /CodeDeploy|Alias|Version/.test(type))).toEqual([]);
  });
});

describe('logical ids', () => {
  // CloudFormation replaces a resource whose logical id changes: an empty table, an empty bucket, another address.
  it('of what a stage cannot lose never change', () => {
    const resources = synthesized.careful.toJSON()['Resources'] as Record<string, { Type: string }>;
    const idsOf = (type: string) => Object.keys(resources).filter((id) => resources[id]?.Type === type);
    expect({
      table: idsOf('AWS::DynamoDB::Table'),
      bucket: idsOf('AWS::S3::Bucket'),
      api: idsOf('AWS::ApiGatewayV2::Api'),
      domain: idsOf('AWS::ApiGatewayV2::DomainName'),
      alarms: idsOf('AWS::SNS::Topic'),
    }).toEqual({
      table: ['TableCD117FA1'],
      bucket: ['Bucket83908E77'],
      api: ['ApiF70053CD'],
      domain: ['Domain66AC69E0'],
      alarms: ['Alarms04B5A0BF'],
    });
  });
});

describe('the dashboard', () => {
  it('shows calls, errors, latency, worker lag, units, throttles and cost, of every stage that is not disposable', () => {
    const { DashboardBody, DashboardName } = references('Dashboard') as Record<string, string>;
    expect(DashboardName).toBe('field-service-careful');
    const { widgets } = JSON.parse(DashboardBody ?? '') as { widgets: { properties: { title: string } }[] };
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Calls',
      'Latency, ms',
      'Calls by group',
      'Duration by group, p95, ms',
      'Worker lag, ms, and errors',
      'Events queued, and a change until its event, ms',
      'Capacity units of calls',
      'Lambda',
      'Cost of calls, dollars an hour',
      'Refused calls',
    ]);
  });
});

describe('saved queries', () => {
  it('answer the questions of docs/operations.md, in a folder of the stage, over the log of all functions', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const saved = ofType('AWS::Logs::QueryDefinition');
    expect(saved.map(({ Name }) => Name)).toEqual(
      Object.keys(savedQueries).map((name) => `field-service-careful/${name}`),
    );
    for (const { LogGroupNames } of saved) expect(LogGroupNames).toEqual(['Functions-logs']);
    expect(Object.keys(savedQueries).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the context', () => {
  const contactsOf = (context: Record<string, string>) => {
    const app = makeApp(join(synthesized.outdir, '..', 'dist'), {
      context: { ...context, stages: { small: { alarmEmail: 'night@example.com', edge: false } } },
    });
    const stack = app.node.findChild('field-service-small') as FieldServiceStack;
    const functions = stack.node.findAll().filter((one): one is CfnFunction => one instanceof CfnFunction);
    const groups = stack.node.findAll().filter((one) => one instanceof CfnDeploymentGroup);
    const variables = functions.map(({ environment }) => stack.resolve(environment) as { variables: object });
    return { stack, variables: variables.map((environment) => environment.variables), groups };
  };

  it('localEndpoint=true declares the variable of a local engine, empty, in every function', () => {
    for (const variables of contactsOf({ localEndpoint: 'true' }).variables)
      expect(variables).toMatchObject({ AWS_ENDPOINT_URL_DYNAMODB: '' });
    for (const { Environment } of ofType('AWS::Lambda::Function'))
      expect(JSON.stringify(Environment)).not.toContain('AWS_ENDPOINT_URL');
  });

  it('tracing=true turns tracing on', () => {
    const { stack } = contactsOf({ tracing: 'true' });
    const functions = stack.node.findAll().filter((one): one is CfnFunction => one instanceof CfnFunction);
    for (const { tracingConfig } of functions) expect(tracingConfig).toEqual({ mode: 'Active' });
  });

  it('gradual=false deploys at once, with the aliases of gradual deployments', () => {
    const { stack, groups } = contactsOf({ gradual: 'false' });
    expect(groups).toEqual([]);
    expect(stack.node.tryFindChild('contacts-live')).toBeDefined();
  });
});

describe('tracing', () => {
  it('is on where the stage asks for it, with the permission to write traces', () => {
    const { Properties } = plain.get('contacts') ?? {};
    expect(Properties).toMatchObject({ TracingConfig: { Mode: 'Active' } });
    expect(JSON.stringify(plain.get('contacts-role'))).toContain('"xray:PutTraceSegments"');
    expect(references('contacts')).not.toHaveProperty('TracingConfig');
  });
});

describe('docs/operations.md', () => {
  const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

  it('tells an operator how to deploy, watch, end incidents, restore and upgrade, what it costs and how to delete, on four pages', () => {
    const page = read('operations.md');
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Deploy', 'Watch', 'Incidents', 'Redrive', 'Restore', 'Upgrade', 'Cost', 'Delete']);
    expect(page.match(/\w[\w'-]*/g)?.length).toBeLessThan(2_100);
  });

  it('leaves to the reference every setting of a stage', () => {
    const settings = Object.keys(parseStages({ dev: { disposable: true } }).get('dev') ?? {});
    const page = read('operations-reference.md');
    expect(settings.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  });
});

describe('cdk.json', () => {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as {
    context: { stages: object };
  };
  const pages = ['README.md', 'docs/operations.md'].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'),
  );

  it('has stages that can be synthesized, and the documented production stage can be', () => {
    expect([...parseStages(context.stages).keys()]).toEqual(['dev']);
    for (const page of pages) {
      const [, stages = ''] = /^"stages": (.*)$/m.exec(page) ?? [];
      expect(Object.keys(JSON.parse(stages) as object)).toEqual(['dev', 'production']);
      expect(parseStages(stages).get('production')).toMatchObject({ disposable: false, gradual: true });
    }
  });

  it('names every stack that the documents deploy', () => {
    // `field-service-client` is the npm package.
    const stacks = pages.flatMap((page) =>
      [...page.matchAll(/field-service-(?!client\b)(\w+)/g)].map(([, stage]) => stage),
    );
    expect(new Set(stacks)).toEqual(new Set(['production', 'dev']));
  });
});

describe('synthesis', () => {
  it('passes cdk-nag, exceptions with their reasons aside', () => {
    expect(validationReports(synthesized.outdir)).toEqual([]);
  });

  it('would not pass it with a bare bucket', () => {
    const app = new App({ builtinCloudFormationValidation: false });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    new Bucket(new Stack(app, 'bare'), 'Bucket');
    expect(() => app.synth()).toThrow('AwsSolutions-S1');
  });

  it('gives what a person needs next', () => {
    const outputs = synthesized.careful.toJSON()['Outputs'] as Record<string, unknown>;
    expect(Object.keys(outputs)).toEqual([
      'BaseUrl',
      'TableName',
      'BucketName',
      'CallbackKey',
      'PaymentKey',
      'DomainTarget',
    ]);
  });

  it('needs no account, no lookup and no network', () => {
    const manifest = readFileSync(join(synthesized.outdir, 'manifest.json'), 'utf8');
    expect(manifest).not.toContain('"missing"');
    expect(manifest).toContain('aws://unknown-account/unknown-region');
  });
});

describe('stages', () => {
  it.each([
    ['a name that CloudFormation refuses', { 'My Stage': {} }, 'My Stage'],
    ['a setting that does not exist', { dev: { alarmMail: 'x@example.com' } }, 'alarmMail'],
    ['an address that is none', { dev: { alarmEmail: 'nobody' } }, 'dev.alarmEmail'],
    [
      'days that CloudWatch does not know',
      { dev: { disposable: true, logDays: 31 } },
      'dev.logDays: must be one of 1, 3',
    ],
    ['a throttle of nothing', { dev: { throttle: { rate: 0, burst: 1 } } }, 'dev.throttle.rate'],
    ['a table without its stream', { live: { alarmEmail: 'a@b.co', tableName: 'restored' } }, 'live.tableStreamArn'],
    [
      'the stream of another table',
      { live: { alarmEmail: 'a@b.co', tableName: 'other', tableStreamArn: RESTORED_STREAM } },
      'live.tableStreamArn: must be the stream of tableName',
    ],
    [
      'an existing table of a disposable stage',
      { dev: { disposable: true, tableName: 'restored', tableStreamArn: RESTORED_STREAM } },
      'dev.tableName',
    ],
    ['no stages at all', undefined, 'expected record'],
  ])('%s is refused by name', (_, stages, words) => {
    expect(() => parseStages(stages)).toThrow(words);
  });
});
