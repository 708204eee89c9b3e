import {
  type BatchGetItemCommandInput,
  type BatchWriteItemCommandInput,
  DynamoDBServiceException,
  type PutItemCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientPlugins } from '../lib/store/dynamodb/client.ts';
import { table } from './table.ts';

const MAX_PARTITION_KEY_BYTES = 2_048;
const MAX_SORT_KEY_BYTES = 1_024;

/** The beginnings and ends of DynamoDB's messages. */
const INVALID = 'One or more parameter values were invalid';
const NOT_VALID = 'One or more parameter values are not valid';
const EMPTY_KEY = 'The AttributeValue for a key attribute cannot contain an empty string value.';

type Values = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

const indexes = new Map<string, (typeof table.indexes)[number]>(table.indexes.map((index) => [index.name, index]));
const ofIndex = ({ partitionKey, sortKey, include }: (typeof table.indexes)[number]): ReadonlySet<string> =>
  new Set([table.partitionKey, table.sortKey, partitionKey, sortKey, ...include]);
const projected = new Map(table.indexes.map((index) => [index.name as string, ofIndex(index)]));

/** Expressions are few, because their texts do not contain values and attributes. */
function remembered<Result>(parse: (expression: string) => Result): (expression: string) => Result {
  const results = new Map<string, Result>();
  return (expression) => {
    const known = results.get(expression);
    if (known !== undefined) return known;
    const result = parse(expression);
    if (results.size < 10_000) results.set(expression, result);
    return result;
  };
}

/** Names, placeholders of names (`#F`) and words of an expression, without the inner parts of paths and functions. */
const wordsOf = remembered((expression) => expression.match(/(?<![:.#\w])#?\w+(?!\w*\s*\()/g) ?? []);
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

const attributesOf = (expression = '', names: Names = {}): string[] =>
  wordsOf(expression)
    .filter((word) => !OPERATORS.has(word.toUpperCase()))
    .map((word) => names[word] ?? word);

/** A request or a part of one, with its expressions. */
interface Expressions {
  readonly KeyConditionExpression?: string | undefined;
  readonly FilterExpression?: string | undefined;
  readonly ProjectionExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Names | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

const placeholdersOf = remembered((expression) => expression.match(/[#:]\w+/g) ?? []);

/** Placeholders that an expression uses without a definition, or that are defined but not used. */
function refusePlaceholders(request: Expressions): string | undefined {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request;
  const { KeyConditionExpression, FilterExpression, ProjectionExpression, ConditionExpression } = request;
  const expressions = [KeyConditionExpression, FilterExpression, ProjectionExpression, ConditionExpression];
  const used = new Set(
    [...expressions, request.UpdateExpression].flatMap((text) => (text ? placeholdersOf(text) : [])),
  );
  for (const placeholder of used)
    if (!(placeholder in (placeholder.startsWith('#') ? names : values)))
      return `An expression attribute name or value used in an expression is not defined: ${placeholder}`;
  for (const placeholder of [...Object.keys(names), ...Object.keys(values)])
    if (!used.has(placeholder))
      return (
        'Value provided in ExpressionAttributeNames or ExpressionAttributeValues unused in expressions: ' +
        `keys: {${placeholder}}`
      );
  return undefined;
}

/** A condition on a key: `SK BETWEEN :low AND :high`. */
interface KeyCondition {
  readonly name: string;
  readonly operator: string;
  readonly low: string;
  readonly high: string | undefined;
}

const keyConditionsOf = remembered((expression): KeyCondition[] =>
  [...expression.matchAll(/(#?\w+)\s*(=|<=?|>=?|BETWEEN)\s*(:\w+)(?:\s+AND\s+(:\w+))?/gi)].map(
    ([, name = '', operator = '', low = '', high]) => ({ name, operator: operator.toUpperCase(), low, high }),
  ),
);

/** The text of a key: plain in our client, marshalled in others. */
const textOf = (value: unknown): unknown => (value && typeof value === 'object' && 'S' in value ? value.S : value);
const toBuffer = (value: unknown): Buffer => Buffer.from(String(textOf(value) ?? ''));
const bytesOf = (value: unknown): number => Buffer.byteLength(String(textOf(value) ?? ''));
const compare = (one: unknown, other: unknown): number => Buffer.compare(toBuffer(one), toBuffer(other));

/** Attributes in a query or scan that its index does not have. */
function refuseProjection(input: QueryCommandInput | ScanCommandInput): string | undefined {
  const { IndexName: index = '', ProjectionExpression, FilterExpression, ExpressionAttributeNames: names = {} } = input;
  const held = projected.get(index);
  if (!held) return undefined;
  const missing = (expression?: string) => attributesOf(expression, names).filter((name) => !held.has(name));
  const ofProjection = missing(ProjectionExpression);
  if (ofProjection.length)
    return `${INVALID}: Global secondary index ${index} does not project [${ofProjection.join(', ')}]`;
  const ofFilter = missing(FilterExpression);
  return ofFilter.length
    ? `${INVALID}: Secondary index ${index} does not project one or more filter attributes: [${ofFilter.join(', ')}]`
    : undefined;
}

/**
 * Whether a start key is within a condition. DynamoDB refuses the far end too, and never returns it; the engine does,
 * if a page ends with the range.
 */
function isWithin(place: unknown, { operator, low, high }: KeyCondition, values: Values): boolean {
  const [toLow, toHigh] = [compare(place, values[low]), compare(place, values[high ?? low])];
  if (operator === '=') return toLow === 0;
  if (operator === 'BETWEEN') return toLow >= 0 && toHigh <= 0;
  if (operator === '<') return toLow < 0;
  if (operator === '<=') return toLow <= 0;
  return operator === '>' ? toLow > 0 : toLow >= 0;
}

/** Impossible key values, and start keys outside the range. */
function refuseKeyCondition(input: QueryCommandInput): string | undefined {
  const { KeyConditionExpression = '', IndexName: index, ExclusiveStartKey: start } = input;
  const names = input.ExpressionAttributeNames ?? {};
  const values = (input.ExpressionAttributeValues ?? {}) as Values;
  const { partitionKey } = indexes.get(index ?? '') ?? table;
  for (const condition of keyConditionsOf(KeyConditionExpression)) {
    const name = names[condition.name] ?? condition.name;
    for (const placeholder of [condition.low, condition.high ?? condition.low]) {
      const value = values[placeholder];
      if (textOf(value) === '')
        return index
          ? `${NOT_VALID}. A value specified for a secondary index key is not supported. ` +
              `${EMPTY_KEY} IndexName: ${index}, IndexKey: ${name}`
          : `${NOT_VALID}. ${EMPTY_KEY} Key: ${name}`;
      if (name !== partitionKey && bytesOf(value) > MAX_SORT_KEY_BYTES)
        return `${INVALID}: Aggregated size of all range keys has exceeded the size limit of 1024 bytes`;
    }
    if (start && !isWithin(start[name], condition, values))
      return 'The provided starting key does not match the range key predicate';
  }
  return undefined;
}

/** Index keys that are too long in an item to be put. */
function refuseIndexKeys(item: Readonly<Record<string, unknown>> = {}): string | undefined {
  const isTooLong = table.indexes.some(
    ({ partitionKey, sortKey }) =>
      bytesOf(item[partitionKey]) > MAX_PARTITION_KEY_BYTES || bytesOf(item[sortKey]) > MAX_SORT_KEY_BYTES,
  );
  return isTooLong ? 'One or more parameter values were invalid: Size limit exceeded' : undefined;
}

const firstOf = <Each>(all: readonly Each[] = [], refuse: (each: Each) => string | undefined): string | undefined => {
  for (const each of all) {
    const refusal = refuse(each);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const refusePut = (put: Expressions & Pick<PutItemCommandInput, 'Item'>) =>
  refusePlaceholders(put) ?? refuseIndexKeys(put.Item);

/** By operation; `input` is as sent. */
const rules: Readonly<Record<string, (input: never) => string | undefined>> = {
  QueryCommand: (input: QueryCommandInput) =>
    refusePlaceholders(input) ?? refuseProjection(input) ?? refuseKeyCondition(input),
  ScanCommand: (input: ScanCommandInput) => refusePlaceholders(input) ?? refuseProjection(input),
  GetItemCommand: refusePlaceholders,
  BatchGetItemCommand: ({ RequestItems = {} }: BatchGetItemCommandInput) =>
    firstOf(Object.values(RequestItems), refusePlaceholders),
  PutItemCommand: refusePut,
  UpdateItemCommand: refusePlaceholders,
  DeleteItemCommand: refusePlaceholders,
  BatchWriteItemCommand: ({ RequestItems = {} }: BatchWriteItemCommandInput) =>
    firstOf(Object.values(RequestItems).flat(), ({ PutRequest }) => refuseIndexKeys(PutRequest?.Item)),
  TransactWriteItemsCommand: ({ TransactItems }: TransactWriteItemsCommandInput) =>
    firstOf(TransactItems, ({ Put, Update, Delete, ConditionCheck }) =>
      Put ? refusePut(Put) : refusePlaceholders(Update ?? Delete ?? ConditionCheck ?? {}),
    ),
};

/** Refuses requests of a client that DynamoDB refuses but the embedded engine accepts, with DynamoDB's messages. */
export function addStrictRules(client: DynamoDBDocumentClient): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        const message = rules[commandName]?.(request.input as never);
        if (message === undefined) return next(request);
        throw new DynamoDBServiceException({
          name: 'ValidationException',
          message,
          $fault: 'client',
          $metadata: { httpStatusCode: 400, attempts: 1 },
        });
      },
    { step: 'build', name: 'strictTable', override: true },
  );
}

/**
 * Makes the table of this process as strict as DynamoDB: for tests, `npm start`, and `fs` on a local stack. The other
 * limits are the engine's own; test/store/dynamodb/strict-table.test.ts has a case for each, compared with DynamoDB
 * Local.
 */
export const useStrictTable = (): void => void clientPlugins.add(addStrictRules);
