import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { failureCodes } from '../../lib/api/openapi/failures.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { allows } from '../../lib/api/roles.ts';
import { parseKey, revokeKey } from '../../lib/store/api-keys.ts';
import { roles } from '../../lib/store/caller.ts';
import { document, exampleIn, responseOf } from '../support/document.ts';
import { countOne, exampleAccount } from '../support/examples.ts';
import { expectFailure, expectOrderly } from '../support/failed.ts';
import { type TestAccount, call, testTable } from '../support/stack.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);
const exampleOf = (name: string, status: number) =>
  exampleIn(responseOf(document.paths[`/api/${name}`]?.post.responses[status] ?? { content: {} }));
const inBody = ({ credential = 'any' }: Operation) => credential === 'any';

let account: TestAccount;
const keys = new Map<string, string>();
let refused: readonly (readonly [string, string | undefined])[];

beforeAll(async () => {
  account = await exampleAccount();
  for (const role of roles) keys.set(role, await account.newKey({ role }));
  const revoked = await account.newKey();
  await revokeKey(testTable(), {
    account: account.accountId,
    publicPart: parseKey(revoked)?.publicPart ?? '',
    now: new Date(),
  });
  const known = account.key;
  refused = [
    ['none', undefined],
    ['a malformed one', 'secret'],
    ['an unknown one', `fs_${'a'.repeat(12)}_${'b'.repeat(32)}`],
    ['a wrong secret', `${known.slice(0, -1)}${known.endsWith('x') ? 'y' : 'x'}`],
    ['a revoked one', revoked],
    ['an expired one', await account.newKey({ expiresAt: Date.now() - 1 })],
  ];
});

/** Those that may make an organization are followed by one count of one. */
function keepOne({ group }: Operation): void {
  if (group === 'organizations') afterEach(() => countOne(account));
}

describe.each(operations)('%s: who may call', (name, operation) => {
  keepOne(operation);

  test('no key, an unknown, revoked or expired one: 401 with the same words for all', async () => {
    for (const [what, key] of refused) {
      const answer = await call(name, operation.example, key ? { key } : {});
      expectFailure(answer, 401);
      expect(answer.body, what).toEqual(exampleOf(name, 401));
    }
  });

  test('the key comes in the header, or in the body where the operation has a field for it; two that differ are 401', async () => {
    const withKey = { ApiKey: account.key, ...operation.example };
    expect((await call(name, operation.example, { key: account.key })).status).not.toBe(401);
    expect((await call(name, withKey)).status === 401).toBe(!inBody(operation));
    if (inBody(operation)) expectFailure(await call(name, withKey, { key: keys.get('Admin') ?? '' }), 401);
  });

  test.each(roles)('a key of role %s may call it, or is told that it may not', async (role) => {
    const answer = await call(name, operation.example, { key: keys.get(role) ?? '' });
    if (allows(role, operation)) expect(answer.status).not.toBe(403);
    else expectFailure(answer, 403);
  });

  test('a key bound to an organization may not name another', async () => {
    const bound = await account.newKey({ role: 'Owner', organizationId: 1 });
    const answer = await call(name, { ...operation.example, OrganizationId: 2 }, { key: bound });
    expectFailure(answer, 'OrganizationId' in operation.request() ? 403 : 400);
  });
});

describe.each(operations)('%s: what it is sent', (name, operation) => {
  keepOne(operation);

  test('its documented example is accepted', async () => {
    const answer = await account.call(name, operation.example);
    expectOrderly(answer);
    expect([answer.status, answer.body['Message']]).toEqual([200, expect.any(String)]);
    expect(Object.keys(answer.body).sort()).toEqual(
      [...Object.keys(operation.response()), 'ResultCode', 'Message'].sort(),
    );
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 405 and says to use POST', async (method) => {
    const answer = await account.call(name, operation.example, { method });
    expectFailure(answer, 405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('a misspelt path is 404 and names it', async () => {
    const answer = await account.call(name.slice(0, -1), {});
    expectFailure(answer, 404);
    expect(answer.body['Message']).toContain(name);
  });

  test.each(['', '   ', 'hello', '[]', '"a"', 'null', '1', '{', '{"a":1}x', '{a:1}'])(
    'a body that is no JSON object is 400: %j',
    async (body) => {
      expectFailure(await account.call(name, body), 400);
    },
  );

  test('an unknown field is 400, and the nearest known one is named', async () => {
    const [field = 'ResultCode'] = Object.keys(operation.request());
    const misspelt = `${field}x`;
    const answer = await account.call(name, { ...operation.example, [misspelt]: 1 });
    expectFailure(answer, 400);
    expect(answer.body['Errors']).toEqual([
      { Field: misspelt, Message: expect.stringContaining(`did you mean ${field}?`) as string },
    ]);
  });

  test('result fields are let pass, in the forms in which typed clients send them', async () => {
    const results = Object.keys(operation.response()).filter((field) => !(field in operation.request()));
    const forms = {
      ...(inBody(operation) ? { ResultCode: '', Message: null } : {}),
      ...Object.fromEntries(results.map((field) => [field, []])),
    };
    const answer = await account.call(name, { ...forms, ...operation.example });
    expect([answer.status, answer.body['Message']]).toEqual([200, expect.any(String)]);
  });

  test('a byte order mark before the body is passed over, and the body may come without a content type', async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${JSON.stringify(operation.example)}`);
    expect((await account.call(name, bytes)).status).toBe(200);
    expect(
      (await account.call(name, bytes, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status,
    ).toBe(200);
  });
});

// By the one handler of a group.
test.each(groups.flatMap(({ operations }) => operations[0]?.name ?? []))(
  '%s: a body over 6 MB is 413',
  async (name) => {
    expectFailure(await account.call(name, `{"a":"${'x'.repeat(6 * 1024 * 1024)}"}`), 413);
  },
);

describe.each(operations)('%s: what it says', (name, operation) => {
  keepOne(operation);

  test('the failures it is documented with are those it answers with', async () => {
    const missing = Object.entries(operation.request()).find(([, { required }]) => required)?.[0];
    const statuses = [
      (await account.call(name, operation.example)).status,
      ...(missing ? [(await account.call(name, {})).status] : []),
    ];
    for (const status of statuses) expect([200, ...failureCodes(operation)]).toContain(status);
    if (missing) expect(statuses).toContain(400);
  });

  test('every request has its own id, and the rate of the key is told', async () => {
    const [first, second] = [await account.call(name, operation.example), await account.call(name, operation.example)];
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(Number(first.headers.get('ratelimit-limit'))).toBe(200_000);
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeGreaterThan(0);
  });
});

/** The example said otherwise: with one more field that says nothing, or one less that says nothing. */
function otherBody(operation: Operation): Record<string, unknown> {
  const { example } = operation;
  const fields = Object.entries(operation.request());
  const more = fields.find(([field]) => !(field in example))?.[0] ?? (inBody(operation) ? 'ResultCode' : undefined);
  const less = fields.find(([field, { required }]) => !required && field in example)?.[0];
  return more
    ? { ...example, [more]: null }
    : Object.fromEntries(Object.entries(example).filter(([field]) => field !== less));
}

const writing = operations.filter(([, { access }]) => access !== 'read');

describe.each(writing)('%s: made safe to repeat by Idempotency-Key', (name, operation) => {
  keepOne(operation);

  test('the same call again gets the same answer, another call with the key is 409', async () => {
    const headers = { 'idempotency-key': `shared-${name}` };
    const [first, again] = [
      await account.call(name, operation.example, { headers }),
      await account.call(name, operation.example, { headers }),
    ];
    expect(first.status).toBe(200);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expectFailure(await account.call(name, otherBody(operation), { headers }), 409);
  });

  test('20 of them at the same time have one answer', async () => {
    const headers = { 'idempotency-key': `together-${name}` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => account.call(name, operation.example, { headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });
});
