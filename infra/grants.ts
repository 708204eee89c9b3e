import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Need } from '../lib/api/context.ts';
import { table as description } from './table.ts';

/** What statements point at; `queue` is there once an operation sends to one. */
export interface Resources {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly queue?: Queue;
}

const tableRead = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/** A transaction is allowed by the actions of its parts; there is no `TransactWriteItems` permission. */
const tableWrite = [
  ...tableRead,
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:BatchWriteItem',
];

const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });

/** Partition keys begin so: all that belongs to an account, the API keys, and what each key may still call. */
export const beginnings = { account: 'A#', apiKey: 'KEY#', rate: 'RATE#' } as const;

/** Binds a statement to items whose partition key, in the table or in the index asked, begins in one of these ways. */
const allowItems = (actions: string[], resources: string[], ...kinds: (keyof typeof beginnings)[]) =>
  allowKeys(
    actions,
    resources,
    kinds.map((kind) => `${beginnings[kind]}*`),
  );

const allowKeys = (actions: string[], resources: string[], keys: string[]) =>
  new PolicyStatement({
    actions,
    resources,
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });

/** The indexes by name: an `index/*` would also allow those that are added later by hand. */
const indexArns = (table: Table) => description.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);

/** The account's items, and the indexes, which know no other way of reading than a query. */
const tableStatements = (actions: string[], table: Table) => [
  allowItems(actions, [table.tableArn], 'account'),
  allowItems(['dynamodb:Query'], indexArns(table), 'account'),
];

/** The statements that let a function do what its operations say they need, and nothing else. */
export const statementsOf = (needs: Iterable<Need>, { table, bucket, queue }: Resources): PolicyStatement[] => {
  const needed = new Set(needs);
  const statements: PolicyStatement[] = [];
  if (needed.has('table:write')) statements.push(...tableStatements(tableWrite, table));
  else if (needed.has('table:read') || needed.has('table:page')) statements.push(...tableStatements(tableRead, table));
  // Where a page of a long list ended is kept under the account.
  if (needed.has('table:page') && !needed.has('table:write'))
    statements.push(allowKeys(['dynamodb:PutItem'], [table.tableArn], ['A#*#CURSOR#*']));
  const files = [
    ...(needed.has('files:read') ? ['s3:GetObject'] : []),
    ...(needed.has('files:write') ? ['s3:PutObject', 's3:AbortMultipartUpload'] : []),
  ];
  if (files.length) statements.push(allow(files, [bucket.arnForObjects('*')]));
  if (needed.has('queue:send')) {
    if (!queue) throw new Error('An operation needs queue:send, and the stack has no queue for it.');
    statements.push(allow(['sqs:SendMessage'], [queue.queueArn]));
  }
  return statements;
};

/** The partition of an account's organizations. */
export const organizations = `${beginnings.account}*#ORGANIZATIONS`;

/**
 * What serving any call takes, whatever its operation: the caller's key is read, the organization it is bound to (a
 * canceled one has no say), and its share of the rate is leased, where the day of its last use is kept too. No function
 * may change a key: that is the command-line tool's.
 */
export const pipelineStatements = (table: Table): PolicyStatement[] => [
  allowKeys(['dynamodb:GetItem'], [table.tableArn], [`${beginnings.apiKey}*`, `${beginnings.rate}*`, organizations]),
  allowItems(['dynamodb:UpdateItem'], [table.tableArn], 'rate'),
];
