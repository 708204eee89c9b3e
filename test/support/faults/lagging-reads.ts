import { documentClient } from '../../../lib/store/dynamodb/client.ts';
import type { Key } from '../../../lib/store/keys.ts';

/** Attributes as DynamoDB writes them. */
export type Attributes = Record<string, unknown>;

/** What of a reading request matters here. */
export interface ReadRequest {
  readonly ConsistentRead?: boolean;
  readonly IndexName?: string;
  readonly Key?: Attributes;
  readonly RequestItems?: Record<string, { readonly Keys: Attributes[]; readonly ConsistentRead?: boolean }>;
}

interface Single {
  readonly TableName: string;
  readonly Item?: Attributes;
  readonly Key?: Attributes;
}

/** What of a writing request matters here. */
export interface WriteRequest extends Single {
  readonly TransactItems?: readonly { readonly Put?: Single; readonly Update?: Single; readonly Delete?: Single }[];
  readonly RequestItems?: Record<
    string,
    readonly { readonly PutRequest?: { Item: Attributes }; readonly DeleteRequest?: { Key: Attributes } }[]
  >;
}

type Get = (table: string, key: Attributes) => Promise<Attributes | undefined>;

const keyOf = ({ PK, SK }: Attributes): Attributes => ({ PK, SK });
const nameOf = (item: Attributes): string => JSON.stringify(keyOf(item));

/** Which items a request writes. */
function written(
  operation: string,
  { TableName, Item, Key, TransactItems = [], RequestItems = {} }: WriteRequest,
): { table: string; key: Attributes }[] {
  if (operation === 'BatchWriteItem') {
    return Object.entries(RequestItems).flatMap(([table, requests]) =>
      requests.map(({ PutRequest, DeleteRequest }) => ({
        table,
        key: keyOf(PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
      })),
    );
  }
  const singles =
    operation === 'TransactWriteItems'
      ? TransactItems.flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete ?? [])
      : [{ TableName, Item, Key }];
  return singles.map((single) => ({ table: single.TableName, key: keyOf(single.Item ?? single.Key ?? {}) }));
}

/**
 * Gives reads that are not strongly consistent the items as they were so many milliseconds ago, as a replica may that
 * is behind: what is new is not there yet, what has changed is as before. (What is gone stays gone: that index entries
 * come too many, every search bears anyway.)
 */
export function asItWas(milliseconds: number) {
  const former = new Map<string, { at: number; before: Attributes | undefined }[]>();

  /** The item as a replica has it that is behind. */
  function seen(item: Attributes): Attributes | undefined {
    const since = performance.now() - milliseconds;
    const change = former.get(nameOf(item))?.find(({ at }) => at > since);
    return change ? change.before : item;
  }
  const seenOf = (items: readonly Attributes[]) => items.flatMap((item) => seen(item) ?? []);

  return {
    /** Remembers the items before a request writes them; call the result with whether they were written. */
    async writing(operation: string, request: () => WriteRequest, get: Get): Promise<(done: boolean) => void> {
      if (!milliseconds || !/Put|Update|Delete|Write/.test(operation)) return () => undefined;
      const changes = await Promise.all(
        written(operation, request()).map(async ({ table, key }) => ({
          name: nameOf(key),
          change: { at: Infinity, before: await get(table, key) },
        })),
      );
      for (const { name, change } of changes) former.set(name, [...(former.get(name) ?? []), change]);
      return (done) => {
        for (const { change } of changes) change.at = done ? performance.now() : -Infinity;
      };
    },

    /** The reply to a reading request, as a replica gives it. */
    reading(operation: string, request: () => ReadRequest, reply: Buffer): Buffer {
      if (!milliseconds || !/Get|Query/.test(operation)) return reply;
      const { ConsistentRead = false, RequestItems = {} } = request();
      if (ConsistentRead) return reply;
      const answer = JSON.parse(reply.toString()) as {
        Item?: Attributes;
        Items?: Attributes[];
        Responses?: Record<string, Attributes[]>;
      };
      const responses = Object.entries(answer.Responses ?? {}).map(
        ([table, items]) => [table, RequestItems[table]?.ConsistentRead ? items : seenOf(items)] as const,
      );
      return Buffer.from(
        JSON.stringify({
          ...answer,
          ...(answer.Item ? { Item: seen(answer.Item) } : {}),
          ...(answer.Items ? { Items: seenOf(answer.Items) } : {}),
          ...(answer.Responses ? { Responses: Object.fromEntries(responses) } : {}),
        }),
      );
    },
  };
}

/**
 * Hides an item from all reads of this process, as from a reader who meets a transaction between its items. The result
 * reveals it.
 */
export function hideItem({ PK, SK }: Key): () => void {
  const { middlewareStack } = documentClient();
  const isShown = (item: Partial<Key>) => item.PK !== PK || item.SK !== SK;
  const name = `hide ${PK} ${SK}`;
  middlewareStack.add(
    (next) => async (input) => {
      const reply = await next(input);
      const output = reply.output as { Item?: Key; Items?: Key[]; Responses?: Record<string, Key[]> };
      if (output.Item && !isShown(output.Item)) delete output.Item;
      if (output.Items) output.Items = output.Items.filter(isShown);
      for (const [table, items] of Object.entries(output.Responses ?? {}))
        Object.assign(output.Responses ?? {}, { [table]: items.filter(isShown) });
      return reply;
    },
    { step: 'initialize', priority: 'high', name },
  );
  return () => void middlewareStack.remove(name);
}
