import { join } from 'node:path';
import type { Statement } from './permissions.ts';

type Properties = Record<string, unknown>;
type Resources = Record<string, { Type: string; Properties?: Properties; Metadata?: Record<string, string> }>;

/** A function as the template describes it; `environment` and `statements` with the names of the local stack. */
export interface DeployedFunction {
  readonly name: string;
  /** The bundle. */
  readonly file: string;
  readonly memoryMegabytes: number;
  readonly timeoutMilliseconds: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
}

export interface Deployment {
  readonly functions: ReadonlyMap<string, DeployedFunction>;
  /** `ANY /api/contacts/{operation}` → contacts */
  readonly routes: ReadonlyMap<string, string>;
  /** The settings of the workers' event sources. */
  readonly sources: ReadonlyMap<string, EventSource>;
  readonly queueSources: ReadonlyMap<string, QueueSource>;
}

interface QueueSource {
  readonly batchSize: number;
  readonly maximumConcurrency: number;
  readonly maxReceiveCount: number;
  readonly visibilitySeconds: number;
}

interface EventSource {
  readonly batchSize: number;
  readonly bisectBatchOnError: boolean;
  readonly retryAttempts: number;
  readonly maximumRecordAgeHours: number;
  readonly filters: readonly object[];
}

/** The names of the local stack, for the references of the template. */
export interface Names {
  readonly table: string;
  readonly bucket: string;
  readonly baseUrl: string;
  /** The origin of the queues' URLs. */
  readonly queues: string;
  /** By the name of the construct. */
  readonly secrets: Readonly<Record<string, string>>;
}

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

/** Resolves the references of a template as CloudFormation does when it deploys. */
function resolver(resources: Resources, { table, bucket, baseUrl, queues, secrets }: Names) {
  const pseudo: Record<string, string> = {
    'AWS::Region': REGION,
    'AWS::AccountId': ACCOUNT,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  /** field-service-plain/callbacks-queue/Resource → callbacks-queue. */
  const constructName = (id: string) => resources[id]?.Metadata?.['aws:cdk:path']?.split('/')[1] ?? id;
  const queueName = (id: string) => constructName(id).replace(/-queue$/, '');
  const attributeOf = (id: string, attribute: string): string => {
    const type = resources[id]?.Type ?? '';
    if (/^AWS::DynamoDB::(Global)?Table$/.test(type)) {
      const arn = `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${table}`;
      return attribute === 'StreamArn' ? `${arn}/stream/now` : arn;
    }
    if (type === 'AWS::S3::Bucket') return `arn:aws:s3:::${bucket}`;
    if (type === 'AWS::SQS::Queue') return `arn:aws:sqs:${REGION}:${ACCOUNT}:${queueName(id)}`;
    if (type === 'AWS::ApiGatewayV2::Api') return baseUrl;
    if (type === 'AWS::SMSVOICE::ConfigurationSet')
      return `arn:aws:sms-voice:${REGION}:${ACCOUNT}:configuration-set/${id}`;
    return `arn:aws:${id}`;
  };
  const reference = (id: string): string => {
    const { Type: type = '', Properties = {} } = resources[id] ?? {};
    if (/^AWS::DynamoDB::(Global)?Table$/.test(type)) return table;
    if (type === 'AWS::SES::EmailIdentity') return String(Properties['EmailIdentity']);
    if (type === 'AWS::SQS::Queue') return `${queues}/${ACCOUNT}/${queueName(id)}`;
    if (type === 'AWS::SecretsManager::Secret') return secrets[constructName(id)] ?? id;
    return type === 'AWS::S3::Bucket' ? bucket : (pseudo[id] ?? id);
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    if ('Ref' in value) return reference(String(value.Ref));
    if ('Fn::GetAtt' in value) {
      const [id, attribute] = value['Fn::GetAtt'] as [string, string];
      return attributeOf(id, attribute);
    }
    if ('Fn::Join' in value) {
      const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
      return parts.map(resolve).join(separator);
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part)]));
  };
  return resolve;
}

const references = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(([, id]) => id ?? '');

/** Reads what the template deploys: functions with their roles, routes, and event sources. */
export function readDeployment(template: object, outdir: string, names: Names): Deployment {
  const { Resources: resources } = template as { Resources: Resources };
  const resolve = resolver(resources, names);
  const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
  /** The construct's id: field-service-plain/contacts/Resource → contacts. */
  const nameOf = (id: string) => resources[id]?.Metadata?.['aws:cdk:path']?.split('/')[1] ?? id;

  const functions = ofType('AWS::Lambda::Function').map(([id, { Properties: properties = {}, Metadata = {} }]) => {
    const [role = ''] = references(properties['Role']);
    const policies = (resources[role]?.Properties?.['Policies'] ?? []) as { PolicyDocument: { Statement: unknown } }[];
    const { Variables = {} } = resolve(properties['Environment'] ?? {}) as { Variables?: Record<string, string> };
    const deployed: DeployedFunction = {
      name: nameOf(id),
      file: join(outdir, Metadata['aws:asset:path'] ?? '', 'index.js'),
      memoryMegabytes: Number(properties['MemorySize'] ?? 128),
      timeoutMilliseconds: Number(properties['Timeout'] ?? 3) * 1_000,
      environment: Variables,
      statements: policies.flatMap(({ PolicyDocument }) => resolve(PolicyDocument.Statement) as Statement[]),
    };
    return deployed;
  });

  const routes = ofType('AWS::ApiGatewayV2::Route').map(
    ([, { Properties: { RouteKey, Target } = {} }]): [string, string] => {
      const integration = references(Target).map((id) => resources[id]?.Properties?.['IntegrationUri']);
      return [String(RouteKey), nameOf(references(integration)[0] ?? '')];
    },
  );

  const mappings = ofType('AWS::Lambda::EventSourceMapping');
  const queueOf = ([, { Properties: source = {} }]: (typeof mappings)[number]) =>
    references(source['EventSourceArn'])
      .map((id) => resources[id])
      .find((found) => found?.Type === 'AWS::SQS::Queue');
  const queueSources = mappings.filter(queueOf).map((mapping): [string, QueueSource] => {
    const [, { Properties: source = {} }] = mapping;
    const queue = queueOf(mapping)?.Properties ?? {};
    const { MaximumConcurrency } = source['ScalingConfig'] as { MaximumConcurrency: number };
    return [
      nameOf(references(source['FunctionName'])[0] ?? ''),
      {
        batchSize: Number(source['BatchSize']),
        maximumConcurrency: MaximumConcurrency,
        maxReceiveCount: (queue['RedrivePolicy'] as { maxReceiveCount: number }).maxReceiveCount,
        visibilitySeconds: Number(queue['VisibilityTimeout']),
      },
    ];
  });
  const sources = mappings
    .filter((mapping) => !queueOf(mapping))
    .map(([, { Properties: source = {} }]): [string, EventSource] => {
      const { Filters = [] } = (source['FilterCriteria'] ?? {}) as { Filters?: { Pattern: string }[] };
      return [
        nameOf(references(source['FunctionName'])[0] ?? ''),
        {
          batchSize: Number(source['BatchSize']),
          bisectBatchOnError: source['BisectBatchOnFunctionError'] === true,
          // Lambda's own default: until the records expire.
          retryAttempts: Number(source['MaximumRetryAttempts'] ?? -1),
          maximumRecordAgeHours: Number(source['MaximumRecordAgeInSeconds']) / 3_600,
          filters: Filters.map(({ Pattern }) => JSON.parse(Pattern) as object),
        },
      ];
    });
  return {
    functions: new Map(functions.map((deployed) => [deployed.name, deployed])),
    routes: new Map(routes),
    sources: new Map(sources),
    queueSources: new Map(queueSources),
  };
}
