import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { groups } from '../../functions/index.ts';
import { countOne, exampleAccount, renew } from '../support/documents/examples.ts';
import { useTestCredentials } from '../support/stack/external.ts';
import { startBucket } from '../support/files.ts';
import { invoke } from '../support/stack/invoke.ts';
import { type TestAccount, testStack } from '../support/stack/stack.ts';

/** `npm run prove -- random` tries every operation. */
const each = process.env['EVERY_OPERATION'] ? undefined : 1;
const operations = groups.flatMap((group) => group.operations.slice(0, each));

let account: TestAccount;

beforeAll(async () => {
  const { TableName, DynamoDBEndpoint, Region, BaseUrl } = testStack();
  useTestCredentials(Region);
  Object.assign(process.env, {
    TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    BASE_URL: BaseUrl,
    LOG_LEVEL: 'silent',
  });
  await startBucket();
  account = await exampleAccount();
});

afterAll(() => vi.restoreAllMocks());

/** The lines of our sources that make schemas during a call. zod gives every schema the trait `$ZodType`. */
async function schemasMadeBy(call: () => Promise<unknown>): Promise<string[]> {
  const made: string[] = [];
  const { add } = Set.prototype;
  const watched = vi.spyOn(Set.prototype, 'add').mockImplementation(function (this: Set<unknown>, value: unknown) {
    if (value === '$ZodType') {
      const stack = new Error('a schema').stack ?? '';
      made.push(/[^/\s(]*\/(?:lib|functions)\/[^)\s]*/.exec(stack)?.[0] ?? stack);
    }
    return add.call(this, value);
  });
  await call();
  watched.mockRestore();
  return made;
}

test('the watch sees a schema that is made', async () => {
  expect(await schemasMadeBy(() => Promise.resolve(z.object({ Name: z.string() })))).toHaveLength(2);
});

test.each(operations.map(({ name, example }) => [name, example] as const))(
  'the second call of %s makes no schema',
  async (name, example) => {
    const call = () => invoke(name, example, { key: account.key });
    const ready = async () => {
      await countOne(account);
      await renew(account, name);
    };
    await ready();
    expect((await call()).status).toBe(200);
    await ready();
    let status: number | undefined;
    const made = await schemasMadeBy(async () => ({ status } = await call()));
    expect([status, made]).toEqual([200, []]);
  },
);
