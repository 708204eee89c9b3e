import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeLimitsCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { queueWorkers, scheduledWorkerNames, streamWorkerNames } from '../functions/workers/index.ts';
import { type Finding, bad, checked, good } from './findings.ts';
import { checkRoads } from './road-services.ts';
import { checkEmailAccount, checkTextAccount } from './message-services.ts';
import { workedQueues } from './queues.ts';
import type { StageSettings } from './stages.ts';

/** AWS refuses a deployment that leaves fewer runs for functions without a reservation. */
const KEPT_BACK = 100;
/** The initial capacity of a new table. */
const TABLE_UNITS = { read: 12_000, write: 4_000 };
/** Who publishes to a stage's topic: its alarms, and the vault of its backups. */
const ALARMS = 'cloudwatch.amazonaws.com';
const BACKUPS = 'backup.amazonaws.com';
/** States of a stack from which no deployment continues. */
const STUCK = /^(ROLLBACK_|DELETE_FAILED|UPDATE_ROLLBACK_FAILED|CREATE_FAILED)/;

/** The runs that a stage reserves (infra/workers.ts). */
const reservedRuns = ({ workerConcurrency: runs, ...settings }: StageSettings): number =>
  runs &&
  streamWorkerNames.length * runs +
    workedQueues(settings).reduce((sum, name) => sum + queueWorkers[name].queue.maximumConcurrency, 0) +
    scheduledWorkerNames.length;

async function checkRuns(settings: StageSettings, region: string): Promise<Finding> {
  const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: runs = 0, UnreservedConcurrentExecutions: free = runs } = AccountLimit ?? {};
  const reserved = reservedRuns(settings);
  if (reserved && free - reserved < KEPT_BACK)
    return bad(
      'runs',
      `The stage reserves ${reserved} runs, and AWS keeps ${KEPT_BACK} back; ${free} are free. ` +
        'Set "workerConcurrency": 0, or ask for more.',
    );
  const message = `Lambda runs ${runs} functions at once.`;
  return good(
    'runs',
    runs < KEPT_BACK ? `${message} Before many call, ask for 1,000: Service Quotas, Lambda.` : message,
  );
}

async function checkUnits(region: string): Promise<Finding> {
  const limits = await new DynamoDBClient({ region }).send(new DescribeLimitsCommand({}));
  const { TableMaxReadCapacityUnits: read = 0, TableMaxWriteCapacityUnits: write = 0 } = limits;
  const message = `A table takes ${read} read and ${write} write units a second.`;
  return read < TABLE_UNITS.read || write < TABLE_UNITS.write
    ? bad('table', `${message} Ask for 40,000 of both: Service Quotas, DynamoDB.`)
    : good('table', message);
}

async function checkTable({ tableName: TableName, tableStreamArn }: StageSettings, region: string): Promise<Finding[]> {
  if (!TableName) return [];
  const { Table } = await new DynamoDBClient({ region }).send(new DescribeTableCommand({ TableName }));
  return [
    Table?.LatestStreamArn === tableStreamArn
      ? good('restored table', `${TableName} has the stream.`)
      : bad('restored table', `The stream of ${TableName} is ${Table?.LatestStreamArn ?? 'off'}, not tableStreamArn.`),
  ];
}

async function checkStack(stack: string, settings: StageSettings, region: string): Promise<Finding[]> {
  const client = new CloudFormationClient({ region });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack })).catch((error: unknown) => {
    if (/does not exist/.test(String(error))) return { Stacks: [] };
    throw error;
  });
  const status = Stacks[0]?.StackStatus ?? '';
  if (!status) return [good('stack', `${stack} will be made.`)];
  const outputs = new Map(Stacks[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  return [
    STUCK.test(status)
      ? bad('stack', `${stack} is ${status}: see "Deployments that fail" in docs/operations-reference.md.`)
      : good('stack', `${stack} is ${status}.`),
    ...checkAddress(settings, outputs),
  ];
}

/** With an edge, API Gateway refuses calls to its former address. */
function checkAddress(
  { edge }: StageSettings,
  outputs: ReadonlyMap<string | undefined, string | undefined>,
): Finding[] {
  const served = outputs.get('DomainTarget') ?? outputs.get('BaseUrl') ?? '';
  const old = outputs.get('OldAddress') ?? (served.includes('execute-api') ? served : '');
  if (!edge || !old) return [];
  if (edge.keepOldAddress) return [good('address', `${old} keeps serving beside CloudFront.`)];
  return outputs.has('OldAddress')
    ? [good('address', `${old} is closed now: look first who still calls it (docs/operations-reference.md, Edge).`)]
    : [
        bad(
          'address',
          `CloudFront comes in front, and ${old} is closed at once for programs, DNS and links that were mailed. ` +
            'Set "edge": {"keepOldAddress": true} to serve both, or "edge": false.',
        ),
      ];
}

async function checkCertificate({ domain }: StageSettings): Promise<Finding[]> {
  if (!domain) return [];
  const client = new ACMClient({ region: domain.certificateArn.split(':')[3] ?? '' });
  const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn: domain.certificateArn }));
  const { Status = 'absent', SubjectAlternativeNames = [], DomainName = '' } = Certificate ?? {};
  const names = [DomainName, ...SubjectAlternativeNames];
  if (Status !== 'ISSUED') return [bad('certificate', `The certificate is ${Status}, not ISSUED.`)];
  const wildcard = domain.name.replace(/^[^.]+/, '*');
  return [
    names.includes(domain.name) || names.includes(wildcard)
      ? good('certificate', `It is for ${domain.name}.`)
      : bad('certificate', `It is for ${DomainName}, not for ${domain.name}.`),
  ];
}

interface Statement {
  readonly Effect: string;
  readonly Action?: string | readonly string[];
  readonly Principal?: string | Readonly<Record<string, string | readonly string[]>>;
  readonly Condition?: object;
}

/** Whether a statement of a topic lets a service publish. Ignores Deny and the values of conditions. */
function letsPublish({ Effect, Action = [], Principal = {}, Condition }: Statement, service: string): boolean {
  const isPublish = [Action].flat().some((action) => /^(\*|sns:(\*|publish))$/i.test(action));
  if (Effect !== 'Allow' || !isPublish) return false;
  const { AWS = [], Service = [] } = typeof Principal === 'string' ? { AWS: Principal } : Principal;
  if ([Service].flat().includes(service)) return true;
  // The default policy of a new topic allows everybody in the AWS account, including alarms; AWS Backup must be named.
  return [AWS].flat().includes('*') && (!Condition || service === ALARMS);
}

/** The topic and its policy belong to the operator: the stack does not change them. */
async function checkTopic({ alarmTopicArn: topic, backup }: StageSettings): Promise<Finding[]> {
  if (!topic) return [];
  const client = new SNSClient({ region: topic.split(':')[3] ?? '' });
  const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn: topic }));
  const policy = JSON.parse(Attributes?.['Policy'] ?? '{}') as { readonly Statement?: Statement | Statement[] };
  const statements = [policy.Statement ?? []].flat();
  const services = backup ? [ALARMS, BACKUPS] : [ALARMS];
  const missing = services.filter((service) => !statements.some((statement) => letsPublish(statement, service)));
  if (!missing.length) return [good('topic', `${services.join(' and ')} may publish to ${topic}.`)];
  const wanted = { Effect: 'Allow', Principal: { Service: missing }, Action: 'sns:Publish', Resource: topic };
  return [
    bad(
      'topic',
      `${missing.join(' and ')} may not publish to ${topic}. ` +
        `Add to "Statement" of its policy: ${JSON.stringify(wanted)}`,
    ),
  ];
}

/** Obstacles to deploying a stage to the AWS account of the environment, as far as they can be known beforehand. */
export async function findObstacles(stage: string, settings: StageSettings, region: string): Promise<Finding[]> {
  return checked([
    ['runs', checkRuns(settings, region)],
    ['table', checkUnits(region)],
    ['restored table', checkTable(settings, region)],
    ['stack', checkStack(`field-service-${stage}`, settings, region)],
    ['certificate', checkCertificate(settings)],
    ['topic', checkTopic(settings)],
    ...(settings.routes ? [['routes', checkRoads(region)] as const] : []),
    ...(settings.messages ? [['e-mails', checkEmailAccount(region)] as const] : []),
    ...(settings.messages?.texts ? [['texts', checkTextAccount(region)] as const] : []),
  ]);
}
