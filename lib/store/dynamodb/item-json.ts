import { type Attributes, decodeItem, encodeItem } from './attribute-values.ts';

/** Converts the items in a value: from plain values, or to them. */
type Convert = (value: never) => unknown;

/** Converts fields of an object where it has them, and keeps the others. */
const fields =
  (converted: Readonly<Record<string, Convert>>): Convert =>
  (value: Readonly<Record<string, never>>) => {
    const result: Record<string, unknown> = { ...value };
    for (const name in converted) if (value[name] !== undefined) result[name] = converted[name]?.(value[name]);
    return result;
  };
const list =
  (convert: Convert): Convert =>
  (values: readonly never[]) =>
    values.map(convert);
/** Of an object with a field for each table. */
const each =
  (convert: Convert): Convert =>
  (values: Readonly<Record<string, never>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));

const encode: Convert = (item: Record<string, unknown>) => encodeItem(item);
const decode: Convert = (attributes: Attributes) => decodeItem(attributes);

const statement = fields({ Key: encode, Item: encode, ExpressionAttributeValues: encode, ExclusiveStartKey: encode });
const answer = fields({ Item: decode, Items: list(decode), Attributes: decode, LastEvaluatedKey: decode });
const plain = { input: statement, output: answer };
const writes = (convert: Convert) =>
  each(list(fields({ PutRequest: fields({ Item: convert }), DeleteRequest: fields({ Key: convert }) })));

/** Where the requests and answers of DynamoDB's operations hold items. */
const operations = {
  GetItem: plain,
  PutItem: plain,
  UpdateItem: plain,
  Query: plain,
  Scan: plain,
  BatchGetItem: {
    input: fields({ RequestItems: each(fields({ Keys: list(encode) })) }),
    output: fields({ Responses: each(list(decode)), UnprocessedKeys: each(fields({ Keys: list(decode) })) }),
  },
  BatchWriteItem: {
    input: fields({ RequestItems: writes(encode) }),
    output: fields({ UnprocessedItems: writes(decode) }),
  },
  TransactWriteItems: {
    input: fields({
      TransactItems: list(fields({ Put: statement, Update: statement, Delete: statement, ConditionCheck: statement })),
    }),
    output: fields({}),
  },
  DescribeTable: { input: fields({}), output: fields({}) },
} satisfies Record<string, { readonly input: Convert; readonly output: Convert }>;

export type Action = keyof typeof operations;

/** The body of a request whose items have plain values. */
export const encodeRequest = (action: Action, input: object): string =>
  JSON.stringify(operations[action].input(input as never));

/** An answer, its items with plain values. */
export const decodeAnswer = (action: Action, text: string): object =>
  operations[action].output(JSON.parse(text) as never) as object;
