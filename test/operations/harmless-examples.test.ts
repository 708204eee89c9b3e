import { describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { createDemo } from '../../infra/cli/demo/create-demo.ts';
import { type ExampleDocument, withHarmlessExamples } from '../../infra/docs-page/harmless-examples.ts';
import { apiDocument } from '../../infra/openapi.ts';
import { type TestAccount, openAccount, testAccount, testTable } from '../support/stack/stack.ts';
import { changedSince, storedContent } from '../support/stored-content.ts';

const { paths } = withHarmlessExamples(apiDocument() as ExampleDocument);
const operations = groups.flatMap((group) => group.operations);
const mayWrite = ({ access, isWrite }: (typeof operations)[number]) => access !== 'read' || isWrite !== undefined;
const writes = operations.filter(mayWrite);
const bodyOf = (name: string) => paths[`/api/${name}`]?.post?.requestBody.content['application/json'];

/** The page fills in the first. */
const filledIn = (name: string): object | undefined => Object.values(bodyOf(name)?.examples ?? {})[0]?.value;

async function demoAccount(): Promise<TestAccount> {
  const { account, organizationId } = await createDemo(testTable(), { now: new Date(), size: 'small' });
  return openAccount(account, organizationId);
}

describe('the example that the documentation page fills in', () => {
  test.each([
    // What the examples would harm is in both; that of the demo takes as long as all else here.
    ...(process.env['EVERY_OPERATION'] ? [['the demo company', demoAccount] as const] : []),
    ['a company of one location, which calls need not name', testAccount] as const,
  ])('of every write changes nothing in %s', async (_, make) => {
    const account = await make();
    const before = await storedContent(account);
    for (const { name } of writes) {
      const { status } = await account.call(name, filledIn(name));
      expect(status, name).toBeLessThan(500);
    }
    const after = await storedContent(account);
    expect(changedSince(before, after)).toEqual([]);
    expect(changedSince(after, before)).toEqual([]);
  });

  test('is the whole one where an operation only reads; a write has that of the demo company second', () => {
    for (const operation of operations) {
      const { name, example } = operation;
      const { example: whole, examples = {} } = bodyOf(name) ?? {};
      const second = Object.values(examples)[1]?.value;
      expect({ whole, second }, name).toEqual(mayWrite(operation) ? { second: example } : { whole: example });
    }
  });
});
