import type { Readable } from 'node:stream';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { HttpRequest } from '@smithy/core/protocols';
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

/** Where the requests and answers of operations hold items. */
const operations: Readonly<Record<string, { readonly input: Convert; readonly output: Convert }>> = {
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
};

/** By events: reading a stream in a loop takes several times as long. */
const readText = (body: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    body
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .once('end', () => resolve(text))
      .once('error', reject);
  });

type Serialize = AwsJson1_0Protocol['serializeRequest'];
type Deserialize = AwsJson1_0Protocol['deserializeResponse'];

/**
 * DynamoDB's protocol for commands whose items have plain values. The SDK's own goes through the schema of each field,
 * and its document client once more through each value: together they take a third of a request's processor time.
 * Errors, and operations without items, are the SDK's.
 */
export class PlainValuesProtocol extends AwsJson1_0Protocol {
  override async serializeRequest(...[operation, input, context]: Parameters<Serialize>): ReturnType<Serialize> {
    const items = operations[operation.name];
    if (!items) return super.serializeRequest(operation, input, context);
    const headers = {
      'content-type': this.getDefaultContentType(),
      'x-amz-target': `${this.serviceTarget}.${operation.name}`,
    };
    const body = JSON.stringify(items.input(input as never));
    const request = new HttpRequest({ method: 'POST', headers, body });
    return this.updateServiceEndpoint(request, await context.endpoint());
  }

  override async deserializeResponse<Output extends { $metadata: object }>(
    ...[operation, context, response]: Parameters<Deserialize>
  ): Promise<Output> {
    const items = operations[operation.name];
    if (!items || this.isErrorResponse(response.statusCode))
      return super.deserializeResponse<Output>(operation, context, response);
    const { body } = response as { body: Readable | Uint8Array };
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : await readText(body);
    const output = items.output(JSON.parse(text) as never) as Output;
    output.$metadata = this.deserializeMetadata(response);
    return output;
  }
}
