import { InternalError } from '../../shared/failure.ts';

/** An attribute as DynamoDB sends it: exactly one of these. */
interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly BOOL?: boolean;
  readonly NULL?: true;
  readonly L?: readonly AttributeValue[];
  readonly M?: Attributes;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  /** In base64. */
  readonly B?: string;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Custom names come from outside: assigning `__proto__` would change the object's prototype. */
function setField<Value>(fields: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__')
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

function decodeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M !== undefined) return decodeItem(value.M);
  if (value.L !== undefined) return value.L.map(decodeValue);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  // No Buffer, which has a JSON of its own.
  return value.B === undefined ? null : new Uint8Array(Buffer.from(value.B, 'base64'));
}

/** The values of an item or map as JSON has them. */
export function decodeItem(attributes: Attributes): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const name in attributes) setField(item, name, decodeValue(attributes[name] as AttributeValue));
  return item;
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new InternalError(`the number ${value} cannot be stored`);
  return String(value);
}

function encodeSet(values: ReadonlySet<unknown>): AttributeValue {
  const all = [...values];
  if (all.length && all.every((value) => typeof value === 'string')) return { SS: all };
  if (all.length && all.every((value) => typeof value === 'number')) return { NS: all.map(encodeNumber) };
  throw new InternalError('a set must hold texts or numbers');
}

const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

function encodeValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: encodeNumber(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((each) => each !== undefined).map(encodeValue) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (value instanceof Set) return encodeSet(value);
  if (typeof value === 'object' && isPlain(value)) return { M: encodeItem(value as Record<string, unknown>) };
  throw new InternalError(`a value of type ${typeof value} cannot be stored`);
}

/** The attributes of an item, or of a map in it; `undefined` fields are left out. */
export function encodeItem(item: Readonly<Record<string, unknown>>): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) setField(attributes, name, encodeValue(value));
  }
  return attributes;
}

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
