/** A statement of a role's policy, with resolved names. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: { readonly [operator: string]: Readonly<Record<string, string | readonly string[]>> };
}

/** What one request, or one part of a transaction, needs. */
export interface Access {
  readonly action: string;
  readonly resource: string;
  /** Partition keys of the items it names; none where it names no item. */
  readonly leadingKeys: readonly string[];
  /** Of a list of objects. */
  readonly prefix?: string;
}

const list = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [value as Value];

/** IAM's wildcards: `*` is any text, `?` any character. */
export function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}

const matches = (patterns: string | readonly string[], text: string): boolean =>
  list(patterns).some((pattern) => isLike(pattern, text));

/** The conditions that infra/grants.ts uses; any other is not met. */
function meets(condition: NonNullable<Statement['Condition']>, { leadingKeys, prefix }: Access): boolean {
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) => {
      if (operator === 'ForAllValues:StringLike' && key === 'dynamodb:LeadingKeys')
        return leadingKeys.every((value) => matches(patterns, value));
      return operator === 'StringLike' && key === 's3:prefix' && prefix !== undefined && matches(patterns, prefix);
    }),
  );
}

/** Whether a role with these statements may do it, as IAM decides: an Allow, and no Deny. */
export function isAllowed(statements: readonly Statement[], access: Access): boolean {
  const fitting = statements.filter(
    ({ Action, Resource, Condition }) =>
      matches(Action, access.action) && matches(Resource, access.resource) && (!Condition || meets(Condition, access)),
  );
  return fitting.some(({ Effect }) => Effect === 'Allow') && fitting.every(({ Effect }) => Effect === 'Allow');
}

type Attributes = Readonly<Record<string, { readonly S?: string } | undefined>>;

interface ItemRequest {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Attributes;
  readonly RequestItems?: Readonly<Record<string, BatchPart>>;
  readonly TransactItems?: readonly Readonly<Record<string, ItemRequest>>[];
}

type BatchPart =
  | { readonly Keys: readonly Attributes[] }
  | readonly { readonly PutRequest?: { Item: Attributes }; readonly DeleteRequest?: { Key: Attributes } }[];

const PARTS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

const tableArn = (name: string, index?: string): string =>
  `arn:aws:dynamodb:us-east-1:000000000000:table/${name}${index ? `/index/${index}` : ''}`;

const keyOf = (item: Attributes | undefined): string => item?.['PK']?.S ?? '';

/** The value of `PK = :partition`. */
function partitionOf({ KeyConditionExpression = '', ExpressionAttributeValues = {} }: ItemRequest): string {
  const [, name = ''] = /PK\s*=\s*(:\w+)/.exec(KeyConditionExpression) ?? [];
  return ExpressionAttributeValues[name]?.S ?? '';
}

const batchKeys = (part: BatchPart): string[] =>
  'Keys' in part
    ? part.Keys.map(keyOf)
    : part.map(({ PutRequest, DeleteRequest }) => keyOf(PutRequest?.Item ?? DeleteRequest?.Key));

/**
 * What a request to DynamoDB needs. A transaction needs what its parts need, each with the keys of all: AWS does not
 * say whether it compares LeadingKeys with those of the part or of the transaction, and what is allowed for all of them
 * is allowed either way.
 */
export function tableAccess(operation: string, request: ItemRequest): Access[] {
  const { TableName, IndexName, RequestItems, TransactItems } = request;
  if (TransactItems) {
    const parts = TransactItems.flatMap((item) =>
      Object.entries(item).flatMap(([part, of]) => tableAccess(PARTS[part] ?? part, of)),
    );
    const leadingKeys = [...new Set(parts.flatMap((part) => part.leadingKeys))];
    return parts.map((part) => ({ ...part, leadingKeys }));
  }
  const action = `dynamodb:${operation}`;
  if (RequestItems)
    return Object.entries(RequestItems).map(([table, part]) => ({
      action,
      resource: tableArn(table),
      leadingKeys: batchKeys(part),
    }));
  const item = request.Key ?? request.Item;
  const leadingKeys = operation === 'Query' ? [partitionOf(request)] : item ? [keyOf(item)] : [];
  return [{ action, resource: tableArn(TableName, IndexName), leadingKeys }];
}

const S3_ACTIONS: Readonly<Record<string, string>> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  POST: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

/** What a request to S3 needs, by method and path: `/bucket/key`, or `/bucket?prefix=…` for a list. */
export function bucketAccess(method: string, target: string): Access {
  const { pathname, searchParams } = new URL(target, 'http://s3');
  const [, bucket = '', ...key] = pathname.split('/');
  const name = decodeURIComponent(key.join('/'));
  const arn = `arn:aws:s3:::${bucket}`;
  if (!name)
    return { action: 's3:ListBucket', resource: arn, leadingKeys: [], prefix: searchParams.get('prefix') ?? '' };
  const aborts = method === 'DELETE' && searchParams.has('uploadId');
  const action = aborts ? 's3:AbortMultipartUpload' : (S3_ACTIONS[method] ?? `s3:${method}`);
  return { action, resource: `${arn}/${name}`, leadingKeys: [] };
}

/** What a request to SQS needs; a batch needs the permission of its single request. */
export function queueAccess(operation: string, { QueueUrl }: { QueueUrl: string }): Access {
  const name = QueueUrl.split('/').at(-1) ?? '';
  const action = `sqs:${operation.replace(/Batch$/, '')}`;
  return { action, resource: `arn:aws:sqs:us-east-1:000000000000:${name}`, leadingKeys: [] };
}

interface EmailRequest {
  readonly ConfigurationSetName: string;
  /** MIME in base64; its From is on the first lines. */
  readonly Content: { readonly Raw: { readonly Data: string } };
}

/** What a request to Amazon SES needs: the identity that it sends from, and its configuration set. */
export function emailAccess({ ConfigurationSetName, Content }: EmailRequest): Access[] {
  const mime = Buffer.from(Content.Raw.Data, 'base64').toString();
  const [, domain = ''] = /^From:[^\r\n]*@([\w.-]+)/im.exec(mime) ?? [];
  return [`identity/${domain}`, `configuration-set/${ConfigurationSetName}`].map((name) => ({
    action: 'ses:SendEmail',
    resource: `arn:aws:ses:us-east-1:000000000000:${name}`,
    leadingKeys: [],
  }));
}

/** What a request to AWS End User Messaging needs: the number that it sends from, and its configuration set. */
export const textAccess = (
  operation: string,
  { OriginationIdentity, ConfigurationSetName }: Readonly<Record<string, string>>,
): Access[] =>
  [`phone-number/${OriginationIdentity}`, `configuration-set/${ConfigurationSetName}`].map((name) => ({
    action: `sms-voice:${operation}`,
    resource: `arn:aws:sms-voice:us-east-1:000000000000:${name}`,
    leadingKeys: [],
  }));

/** What a request to Secrets Manager needs. */
export const secretAccess = (operation: string, { SecretId }: { SecretId: string }): Access => ({
  action: `secretsmanager:${operation}`,
  resource: SecretId,
  leadingKeys: [],
});
