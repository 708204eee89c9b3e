import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Need, WorkerNeed } from '../lib/api/context.ts';
import { SESSION_KEY_PREFIX } from '../lib/store/requests/sessions.ts';
import { CANARY_ACCOUNT, CANARY_KEY_PREFIX } from '../lib/store/administration/canary.ts';
import { PDF_PREFIX } from '../lib/files/pdfs.ts';
import { discardedPrefix, givenUpPrefix } from '../lib/workflows/parked-records.ts';
import type { MadeQueue, Queues } from './data.ts';
import type { StreamWorkerName } from '../functions/workers/index.ts';
import type { MessagesResource } from './messages.ts';
import { queueEnvironment, sentQueues } from './queues.ts';
import { table as description, downloadsPrefix, incomingPrefix, uploadsPrefix } from './table.ts';

export interface Resources {
  readonly table: ITable;
  readonly bucket: Bucket;
  readonly queues: Queues;
  readonly callbackKey: Secret;
  readonly paymentKey: Secret;
  readonly signIn?: SignInResource | undefined;
  readonly messages?: MessagesResource | undefined;
  readonly office?: OfficeResource | undefined;
  readonly roads?: RoadsResource | undefined;
}

/** What Amazon Location Service offers in the region of the stage; the stack creates nothing there. */
export interface RoadsResource {
  readonly routesArn: string;
  readonly placesArn: string;
}

/** What the function of the office needs to let people of a user pool in. */
export interface OfficeResource {
  readonly issuer: string;
  readonly clientId: string;
  readonly account: string;
}

/** The user pool for people of an account, which the stack does not create. */
export interface SignInResource {
  readonly userPoolId: string;
  readonly userPoolArn: string;
  readonly region: string;
  readonly account: string;
}

const tableRead = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/** A transaction requires the permissions of its parts; `TransactWriteItems` is not a permission. */
const tableWrite = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:BatchWriteItem',
];

const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });

/** Prefixes of partition keys. */
export const prefixes = {
  account: 'A#',
  apiKey: 'KEY#',
  rate: 'RATE#',
  due: 'DUE#',
  backlog: 'BACKLOG#',
  delayed: 'DELAYED#',
  retention: 'RETENTION#',
  directory: 'ACCOUNTS',
} as const;

/** Restricts a statement to items whose partition key, in the table or an index, has one of the prefixes. */
const allowItems = (actions: string[], resources: string[], ...kinds: (keyof typeof prefixes)[]) =>
  allowKeys(
    actions,
    resources,
    kinds.map((kind) => `${prefixes[kind]}*`),
  );

const allowKeys = (actions: string[], resources: string[], keys: string[]) =>
  new PolicyStatement({
    actions,
    resources,
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });

/** By name, because `index/*` would also allow indexes that are added by hand. */
const indexArns = (table: ITable) => description.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);

/** Permissions for reading the accounts' items and the indexes, which only support queries. */
const readStatements = (table: ITable) => [
  allowItems(tableRead, [table.tableArn], 'account'),
  allowItems(['dynamodb:Query'], indexArns(table), 'account'),
];

/**
 * Permission for writing the accounts' items and those of lists over all accounts. A transaction may contain both, so
 * one statement allows all of them: IAM may compare it with all keys of the transaction.
 */
const writeStatement = (needed: ReadonlySet<WorkerNeed>, table: ITable) =>
  allowItems(
    tableWrite,
    [table.tableArn],
    'account',
    ...(needed.has('expiries:write') ? (['due'] as const) : []),
    ...(needed.has('messages:write') ? (['delayed'] as const) : []),
  );

/** Permission for writing the cursors of long lists. */
const cursorStatement = (table: ITable): PolicyStatement =>
  allowKeys(['dynamodb:PutItem'], [table.tableArn], ['A#*#CURSOR#*']);

/** Permissions for copying committed files to their permanent place. */
const keepStatements = (bucket: Bucket): PolicyStatement[] => [
  allow(['s3:GetObject'], [bucket.arnForObjects(`${incomingPrefix}*`)]),
  allow(['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'], [bucket.arnForObjects(`${uploadsPrefix}*`)]),
  allow(['s3:ListBucketVersions'], [bucket.bucketArn]),
];

/** Permissions for processing the list of expiries. */
const expiryStatements = (table: ITable): PolicyStatement[] => [
  allowItems(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'], [table.tableArn], 'due'),
];

/** Permissions for listing accounts with waiting events, and for processing the list. */
const backlogStatements = (table: ITable): Record<'write' | 'drain', PolicyStatement> => ({
  write: allowItems(['dynamodb:PutItem'], [table.tableArn], 'backlog'),
  drain: allowItems(['dynamodb:Query', 'dynamodb:DeleteItem'], [table.tableArn], 'backlog'),
});

/** Permissions for scheduling messages, and for sending them. */
const delayedMessageStatements = (table: ITable): Record<'write' | 'send', PolicyStatement> => ({
  write: allowItems(['dynamodb:PutItem', 'dynamodb:BatchWriteItem'], [table.tableArn], 'delayed'),
  send: allowItems(['dynamodb:Query', 'dynamodb:BatchWriteItem'], [table.tableArn], 'delayed'),
});

/** Permission for reading the list of all accounts. */
const directoryStatement = (table: ITable): PolicyStatement =>
  allowKeys(['dynamodb:Query'], indexArns(table), [prefixes.directory]);

/**
 * Permissions for reading which accounts have retention rules, for recording whose turn it was, and for removing files
 * with all their versions.
 */
const retentionStatements = ({ table, bucket }: Resources): PolicyStatement[] => [
  allowItems(['dynamodb:Query'], [table.tableArn], 'retention'),
  allowKeys(['dynamodb:GetItem', 'dynamodb:UpdateItem'], [table.tableArn], [`${prefixes.retention}PROGRESS`]),
  directoryStatement(table),
  allow(
    ['s3:DeleteObject', 's3:DeleteObjectVersion'],
    [incomingPrefix, uploadsPrefix].map((prefix) => bucket.arnForObjects(`${prefix}*`)),
  ),
  allow(['s3:ListBucketVersions'], [bucket.bucketArn]),
];

/** Permission for sending messages to all queues. */
const sendStatement = (queues: Queues): PolicyStatement =>
  allow(
    ['sqs:SendMessage'],
    sentQueues.flatMap((name) => queues[name]?.queue.queueArn ?? []),
  );

/** The addresses of all queues. */
const queueUrls = ({ queues }: Resources) => queueEnvironment((name) => queues[name]?.queue.queueUrl);

/** Permission for reading a secret: a key of the deployment, or the secret of the origin. */
export const readSecretStatement = (secret: Secret): PolicyStatement =>
  allow(['secretsmanager:GetSecretValue'], [secret.secretArn]);

/** Functions read the callback key themselves: their environment only has the secret's ARN. */
const callbackKeyVariable = ({ callbackKey }: Resources): Record<string, string> => ({
  CALLBACK_KEY_SECRET: callbackKey.secretArn,
});

/** The same for the key that seals the keys of payment providers. */
const paymentKeyVariable = ({ paymentKey }: Resources): Record<string, string> => ({
  PAYMENT_KEY_SECRET: paymentKey.secretArn,
});

/** Where people of an account sign in, if the stage has a user pool (lib/sign-in/has-user-pool.ts). */
const signInVariables = ({ signIn }: Resources): Record<string, string> =>
  signIn ? { USER_POOL_ID: signIn.userPoolId, USER_POOL_ACCOUNT: signIn.account } : {};

const officeVariables = ({ office }: Resources): Record<string, string> =>
  office ? { OFFICE_ISSUER: office.issuer, OFFICE_CLIENT_ID: office.clientId, OFFICE_ACCOUNT: office.account } : {};

/** Permission for Lambda to receive a queue's messages for its worker. */
export const receiveStatement = ({ queue }: MadeQueue): PolicyStatement =>
  allow(
    ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    [queue.queueArn],
  );

const bucketId = (bucket: Bucket): string => Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);

/** The files that a worker of the stream, and Lambda on its behalf, may write, as cdk-nag names them. */
export const filesUnder = (bucket: Bucket, ...prefixes: string[]): string[] =>
  prefixes.map((prefix) => `<${bucketId(bucket)}.Arn>/${prefix}*`);

const PARKED_PREFIX = 'parked/';

export const parkedPrefix = (worker: StreamWorkerName) => `${PARKED_PREFIX}${worker}/`;

/** Permission for keeping records that can never be handled as they are. */
export const parkStatement = (bucket: Bucket, worker: StreamWorkerName): PolicyStatement =>
  allow(['s3:PutObject'], [bucket.arnForObjects(`${parkedPrefix(worker)}*`)]);

/** Permissions with which Lambda itself writes discarded batches; it lists the bucket to check that it exists. */
export const discardStatements = (bucket: Bucket): PolicyStatement[] => [
  allow(['s3:PutObject'], [bucket.arnForObjects(`${discardedPrefix}*`)]),
  allow(['s3:ListBucket'], [bucket.bucketArn]),
];

/** Where files of a person may be in the bucket. */
const personalPrefixes: readonly string[] = [
  incomingPrefix,
  uploadsPrefix,
  PDF_PREFIX,
  downloadsPrefix,
  PARKED_PREFIX,
  discardedPrefix,
  givenUpPrefix(),
];

/**
 * Permissions for an erasure besides those of the table: removing files with all their versions, removing a person from
 * parked or discarded changes, and processing the event backlog.
 */
const erasureStatements = ({ table, bucket }: Resources): PolicyStatement[] => {
  const filesIn = (...prefixes: readonly string[]) => prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`));
  return [
    backlogStatements(table).drain,
    allow(['s3:DeleteObject', 's3:DeleteObjectVersion'], filesIn(...personalPrefixes)),
    allow(['s3:GetObject', 's3:PutObject'], filesIn(PARKED_PREFIX, discardedPrefix, givenUpPrefix())),
    allow(['s3:AbortMultipartUpload'], filesIn(downloadsPrefix)),
    allow(['s3:ListBucket', 's3:ListBucketVersions', 's3:ListBucketMultipartUploads'], [bucket.bucketArn]),
  ];
};

/** The partition of an account's organizations. */
const organizations = `${prefixes.account}*#ORGANIZATIONS`;

/**
 * Permissions for every call: reading the key and its organization, which may be canceled, and counting calls against
 * the key's rate. No function may change a key, besides sessions; only the command-line tool does.
 */
export const pipelineStatements = (table: ITable, needs: readonly Need[]): PolicyStatement[] => [
  allowKeys(['dynamodb:GetItem'], [table.tableArn], [`${prefixes.apiKey}*`, organizations]),
  allowItems(['dynamodb:UpdateItem'], [table.tableArn], 'rate'),
  // A call that writes reads its key again, in one request with its first records.
  ...(needs.includes('table:write')
    ? [allowItems(['dynamodb:BatchGetItem'], [table.tableArn], 'account', 'apiKey')]
    : []),
];

/**
 * Permissions for writing the canary's own account and its keys in one transaction; everything else goes through the
 * API. The canary cannot read a key.
 */
export const canaryStatements = (table: ITable): PolicyStatement[] => {
  const ofAccount = [`${prefixes.account}${CANARY_ACCOUNT}`, `${prefixes.account}${CANARY_ACCOUNT}#*`];
  return [
    allowKeys(['dynamodb:GetItem'], [table.tableArn], ofAccount),
    allowKeys(
      ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem'],
      [table.tableArn],
      [...ofAccount, `${prefixes.apiKey}${CANARY_KEY_PREFIX}*`],
    ),
  ];
};

/** Permissions for writing sessions: keys with a prefix of their own, with their account in one transaction. */
const sessionStatements = ({ table }: Resources): PolicyStatement[] => [
  allowKeys(
    ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    [table.tableArn],
    [`${prefixes.account}*`, `${prefixes.apiKey}${SESSION_KEY_PREFIX}*`],
  ),
];

/** The actions at Amazon Cognito for each need of sign-in; `sign-in:expect` requires none. */
const signInActions: Partial<Record<WorkerNeed, readonly string[]>> = {
  'sign-in:change': ['GetUser', 'SetUserMFAPreference', 'UserGlobalSignOut'],
  'sign-in:follow': ['GetUser', 'CreateUser', 'UpdateUserAttributes', 'EnableUser', 'DisableUser'],
};

/** What a function's need allows, except for the needs of the table and of sign-in. */
interface Grant {
  readonly statements: (resources: Resources) => readonly PolicyStatement[];
  /** The prefixes of the bucket that its statements allow, for cdk-nag. */
  readonly files?: readonly string[];
  readonly variables?: (resources: Resources) => Record<string, string>;
}

const filesIn = (bucket: Bucket, prefixes: readonly string[]) =>
  prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`));

/** Allows actions on files with the prefixes. */
const fileGrant = (actions: string[], ...files: string[]): Grant => ({
  statements: ({ bucket }) => [allow(actions, filesIn(bucket, files))],
  files,
});

const grants: Partial<Record<WorkerNeed, Grant>> = {
  'office:open': { statements: sessionStatements, variables: officeVariables },
  'roads:ask': {
    statements: ({ roads }) =>
      roads
        ? [
            allow(['geo-routes:CalculateRouteMatrix'], [roads.routesArn]),
            allow(['geo-places:Geocode'], [roads.placesArn]),
          ]
        : [],
  },
  'downloads:read': fileGrant(['s3:GetObject'], downloadsPrefix),
  'uploads:write': fileGrant(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], incomingPrefix),
  'uploads:read': fileGrant(['s3:GetObject'], incomingPrefix, uploadsPrefix),
  'pdfs:keep': fileGrant(['s3:GetObject', 's3:PutObject'], PDF_PREFIX),
  'callbacks:sign': {
    statements: ({ callbackKey }) => [readSecretStatement(callbackKey)],
    variables: callbackKeyVariable,
  },
  'payments:take': { statements: ({ paymentKey }) => [readSecretStatement(paymentKey)], variables: paymentKeyVariable },
  'expiries:work': { statements: ({ table }) => expiryStatements(table) },
  'backlog:write': { statements: ({ table }) => [backlogStatements(table).write] },
  'backlog:work': {
    statements: ({ table, bucket }) => [backlogStatements(table).drain, parkStatement(bucket, 'event-queue')],
    files: [parkedPrefix('event-queue')],
  },
  'queues:send': {
    statements: ({ table, queues }) => [sendStatement(queues), delayedMessageStatements(table).write],
    variables: queueUrls,
  },
  'messages:work': {
    statements: ({ table, queues }) => [delayedMessageStatements(table).send, sendStatement(queues)],
    variables: queueUrls,
  },
  'downloads:make': fileGrant(['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload'], downloadsPrefix),
  'uploads:keep': { statements: ({ bucket }) => keepStatements(bucket), files: [incomingPrefix, uploadsPrefix] },
  'persons:erase': { statements: erasureStatements, files: personalPrefixes },
  'emails:send': {
    statements: ({ messages }) =>
      messages
        ? [allow(['ses:SendEmail', 'ses:SendRawEmail'], [messages.identityArn, messages.configurationSetArn])]
        : [],
    variables: ({ messages }) => (messages ? { MESSAGES_CONFIGURATION_SET: messages.configurationSet } : {}),
  },
  'texts:send': {
    statements: ({ messages }) =>
      messages?.texts
        ? [allow(['sms-voice:SendTextMessage'], [messages.texts.originArn, messages.texts.configurationSetArn])]
        : [],
    variables: ({ messages }) =>
      messages?.texts ? { MESSAGES_TEXT_CONFIGURATION_SET: messages.texts.configurationSet } : {},
  },
  'accounts:list': { statements: ({ table }) => [directoryStatement(table)] },
  'retention:apply': { statements: retentionStatements, files: [incomingPrefix, uploadsPrefix] },
};

/** In the order above, regardless of the order of the needs, so that a role only changes with its needs. */
const grantsOf = (needs: readonly WorkerNeed[]): readonly Grant[] =>
  Object.entries(grants).flatMap(([need, grant]) => (needs.includes(need as WorkerNeed) ? [grant] : []));

/** Exactly the permissions that a function needs. */
export function statementsOf(needs: readonly WorkerNeed[], resources: Resources): PolicyStatement[] {
  const { table, signIn } = resources;
  const needed = new Set(needs);
  const readsTable = needed.has('table:read') || needed.has('table:page') || needed.has('table:write');
  const peopleActions = needs.flatMap((need) => signInActions[need] ?? []).map((name) => `cognito-idp:Admin${name}`);
  return [
    ...(readsTable ? readStatements(table) : []),
    ...(needed.has('table:write') ? [writeStatement(needed, table)] : []),
    ...(needed.has('table:page') && !needed.has('table:write') ? [cursorStatement(table)] : []),
    ...grantsOf(needs).flatMap(({ statements }) => statements(resources)),
    ...(signIn && peopleActions.length ? [allow([...new Set(peopleActions)], [signIn.userPoolArn])] : []),
  ];
}

/** The environment variables for a function's needs. */
export const variablesOf = (needs: readonly WorkerNeed[], resources: Resources): Record<string, string> => ({
  ...Object.assign({}, ...grantsOf(needs).map(({ variables }) => variables?.(resources))),
  ...(needs.some((need) => need.startsWith('sign-in:')) ? signInVariables(resources) : {}),
});

/** The files that a function's needs name, for cdk-nag. */
export const filePatternsOf = (needs: readonly WorkerNeed[], bucket: Bucket): string[] =>
  filesUnder(bucket, ...new Set(grantsOf(needs).flatMap(({ files = [] }) => files)));
