/** What AWS allows, and what a stack may take of it. */
export const LIMITS = { resources: 490, policy: 8_000, environment: 3_600, routes: 250, integrations: 250 };

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** Of those where a stage can be, one with the longest name. */
const LONGEST_REGION = 'ap-northeast-1';
/** How long a name is that CloudFormation makes. */
const NAME_LENGTHS: Readonly<Record<string, number>> = {
  'AWS::Lambda::Function': 64,
  'AWS::S3::Bucket': 63,
  'AWS::SQS::Queue': 80,
  'AWS::DynamoDB::Table': 255,
  'AWS::CodeDeploy::Application': 100,
};
/** Service and kind of the ARN of a resource. */
const ARN_PARTS: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'lambda:REGION:123456789012:function:',
  'AWS::S3::Bucket': 's3:::',
  'AWS::SQS::Queue': 'sqs:REGION:123456789012:',
  'AWS::DynamoDB::Table': 'dynamodb:REGION:123456789012:table/',
  'AWS::Logs::LogGroup': 'logs:REGION:123456789012:log-group:',
};

/** `<stack>-<logical id>-<12 characters>`, cut to what the service allows. */
const nameOf = (id: string, type: string, stack: string): string =>
  `${stack}-${id}-${'X'.repeat(12)}`.slice(0, NAME_LENGTHS[type] ?? 512);

/** A template's values with the longest text that each reference may become, in the longest region. */
function longest(value: unknown, template: TemplateJson, stack: string): unknown {
  const resolve = (inner: unknown): unknown => longest(inner, template, stack);
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return referenceOf(Ref, template, stack);
  if (Array.isArray(attribute)) return attributeOf(String(attribute[0]), String(attribute[1]), template, stack);
  if (Array.isArray(joined)) return (joined[1] as unknown[]).map(resolve).join(String(joined[0]));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
}

function referenceOf(id: string, { Resources }: TemplateJson, stack: string): string {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::Region': LONGEST_REGION,
    'AWS::AccountId': '123456789012',
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const type = Resources[id]?.Type ?? '';
  const name = pseudo[id] ?? nameOf(id, type, stack);
  return /SecretsManager|SQS/.test(type) ? `https://sqs.${LONGEST_REGION}.amazonaws.com/123456789012/${name}` : name;
}

function attributeOf(id: string, attribute: string, { Resources }: TemplateJson, stack: string): string {
  const type = Resources[id]?.Type ?? '';
  const begin = (ARN_PARTS[type] ?? 'service:REGION:123456789012:').replace('REGION', LONGEST_REGION);
  const end = attribute === 'StreamArn' ? '/stream/2026-11-22T10:00:00.000' : '';
  return `arn:aws:${begin}${nameOf(id, type, stack)}${end}`;
}

const above = (what: string, count: number, limit: number): string[] =>
  count > limit ? [`${what}: ${count} of ${limit}`] : [];

/** What a template has above the limits, with the name of its stack; AWS counts no white space of a policy. */
export function aboveLimits(template: TemplateJson, stack: string): string[] {
  const resources = Object.entries(template.Resources);
  const count = (type: string) => resources.filter(([, { Type }]) => Type === type).length;
  const lengthOf = (value: unknown) => JSON.stringify(longest(value, template, stack) ?? '').length;
  const ofResource = ([id, { Type, Properties = {} }]: [string, Resource]): string[] => {
    if (Type === 'AWS::IAM::Role') {
      const policies = (Properties['Policies'] ?? []) as { PolicyDocument: unknown }[];
      const length = policies.reduce((sum, { PolicyDocument }) => sum + lengthOf(PolicyDocument), 0);
      return above(`characters of the policies of ${id}`, length, LIMITS.policy);
    }
    if (Type !== 'AWS::Lambda::Function') return [];
    const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: object };
    return above(`bytes of the environment of ${id}`, lengthOf(Variables), LIMITS.environment);
  };
  return [
    ...above('resources', resources.length, LIMITS.resources),
    ...above('routes', count('AWS::ApiGatewayV2::Route'), LIMITS.routes),
    ...above('integrations', count('AWS::ApiGatewayV2::Integration'), LIMITS.integrations),
    ...resources.flatMap(ofResource),
  ];
}
