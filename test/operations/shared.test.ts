import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import type { JsonSchema } from '../../lib/api/openapi/schemas.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { formatKey, parseKey, revokeKey } from '../../lib/store/requests/api-keys.ts';
import { roles } from '../../lib/shared/roles.ts';
import { MAX_BODY_BYTES } from '../../lib/shared/limits.ts';
import {
  document,
  exampleIn,
  fieldsOf,
  requiredIn,
  responseOf,
  schemaErrors,
  schemaIn,
} from '../support/documents/document.ts';
import { countOne, exampleAccount, reopenOrganization } from '../support/documents/examples.ts';
import { shapeDifferences } from '../support/documents/shape.ts';
import { expectFailure, expectOrderly } from '../support/failed.ts';
import { sampled } from '../support/sampled.ts';
import { mayCall } from '../support/stack/permissions.ts';
import { type TestAccount, type TestAnswer, call, drainEvents, testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);
/** The first operation of groups, for what the pipeline does alike for all. */
const firstOperations = sampled(
  groups.flatMap(({ operations: [first] }) => (first ? [[first.name, first] as const] : [])),
);

const documentedExample = (name: string, status: number) =>
  exampleIn(responseOf(document.paths[`/api/${name}`]?.post.responses[status] ?? { content: {} }));

let account: TestAccount;
const keys = new Map<string, string>();
/** Of an Owner, for the first organization alone. */
let boundKey: string;
let badKeys: readonly (readonly [description: string, key: string | undefined])[];

beforeAll(async () => {
  account = await exampleAccount();
  for (const role of roles) keys.set(role, await account.newKey({ role }));
  boundKey = await account.newKey({ role: 'Owner', organizationId: 1 });
  const revoked = await account.newKey();
  await revokeKey(accountStore(testTable(), account.accountId), parseKey(revoked)?.publicPart ?? '', new Date());
  const { key } = account;
  badKeys = [
    ['missing', undefined],
    ['malformed', 'secret'],
    ['unknown', formatKey('a'.repeat(12), 'b'.repeat(32), { isTest: true })],
    ['with a wrong secret', formatKey(parseKey(key)?.publicPart ?? '', 'b'.repeat(32), { isTest: true })],
    ['revoked', revoked],
    ['expired', await account.newKey({ expiresAt: Date.now() - 1 })],
  ];
});

/** An example names no organization where the account has only one: after a test, only one counts. */
function countOneOrganization({ group }: Operation): void {
  if (group === 'organizations') afterEach(() => countOne(account));
}

async function expectSuccess(...[name, body, options]: Parameters<TestAccount['call']>): Promise<void> {
  const answer = await account.call(name, body, options);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"ResultCode":0')]);
}

describe.each(firstOperations)('the pipeline, tried with %s', (name, operation) => {
  countOneOrganization(operation);

  test('a missing, unknown, revoked or expired key is 401, with one message for all', async () => {
    await expectSuccess(name, operation.example);
    for (const [description, key] of badKeys) {
      const answer = await call(name, operation.example, key ? { key } : {});
      expectFailure(answer, 401);
      expect(answer.body, description).toEqual(documentedExample(name, 401));
    }
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 405 with Allow: POST', async (method) => {
    const answer = await account.call(name, operation.example, { method });
    expectFailure(answer, 405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test.each(['', '   ', 'hello', '[]', '"a"', 'null', '1', '{', '{"a":1}x', '{a:1}'])(
    'a body that is not a JSON object is 400: %j',
    async (body) => expectFailure(await account.call(name, body), 400),
  );

  test('a byte order mark is ignored, and so is the content type', async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${JSON.stringify(operation.example)}`);
    await expectSuccess(name, bytes);
    await expectSuccess(name, bytes, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  });

  test('a body over the limit of the operation is 413', async () => {
    const { maxBody = MAX_BODY_BYTES } = operation;
    expectFailure(await account.call(name, `{"a":"${'x'.repeat(maxBody)}"}`), 413);
  });

  test('every response has its own request id and the rate limit of the key', async () => {
    const [first, second] = [await account.call(name, operation.example), await account.call(name, operation.example)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(Number(first.headers.get('ratelimit-limit'))).toBe(200_000);
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeGreaterThan(0);
  });
});

const writing = operations.filter(([, { access }]) => access !== 'read');

/** The example with another body and the same meaning: one more empty field, or one optional field less. */
function otherBody(operation: Operation): Record<string, unknown> {
  const { example } = operation;
  const fields = Object.entries(operation.request());
  const added = fields.find(([field]) => !(field in example))?.[0] ?? 'ResultCode';
  const removed = fields.find(([field, { required }]) => !required && field in example)?.[0];
  return added
    ? { ...example, [added]: null }
    : Object.fromEntries(Object.entries(example).filter(([field]) => field !== removed));
}

/** An answer as it is repeated: without what is shown only once. */
const repeatable = ({ shownOnce = [] }: Operation, { text }: TestAnswer): string =>
  shownOnce.reduce((left, field) => left.replace(new RegExp(`"${field}":"[^"]*"`), ''), text);

describe.each(operations)('%s', (name, operation) => {
  countOneOrganization(operation);

  test('a call without a key is 401', async () => expectFailure(await call(name, operation.example), 401));

  const weakest = roles.findLast((role) => mayCall(role, name));
  const strongestRefused = roles.find((role) => !mayCall(role, name));

  test('the weakest role gets all that is documented for the example, and again for a repeat of a write', async () => {
    const headers = { 'idempotency-key': `shared-${name}` };
    const options = { key: keys.get(weakest ?? '') ?? '', ...(operation.access === 'read' ? {} : { headers }) };
    const answer = await account.call(name, operation.example, options);
    expectOrderly(answer);
    expect([answer.status, answer.body['ResultCode'], answer.body['Message']]).toEqual([200, 0, expect.any(String)]);
    expect(Object.keys(answer.body).sort()).toEqual(
      [...Object.keys(operation.response()), 'ResultCode', 'Message'].sort(),
    );
    // Other than after `npm run examples`; a new operation has no recorded answer until then.
    const recorded = documentedExample(name, 200);
    if (recorded !== undefined) expect(shapeDifferences(recorded, answer.body)).toEqual([]);
    if (operation.access === 'read') return;
    const again = await account.call(name, operation.example, options);
    expect([again.status, repeatable(operation, again)]).toEqual([answer.status, repeatable(operation, answer)]);
    // Another call with the key.
    expectFailure(await account.call(name, otherBody(operation), options), 409);
  });

  // Where the table of roles changes from one to the next; test/contract/roles.test.ts compares it whole.
  const place = operations.findIndex(([each]) => each === name);
  const others = roles.filter((role) => role !== weakest && role !== strongestRefused);
  test.each([...(strongestRefused ? [strongestRefused] : []), ...sampled(others, place)])(
    'a key of role %s may call it as the table of roles says',
    async (role) => {
      const key = keys.get(role) ?? '';
      // What only validation refuses, the check of roles let pass.
      if (mayCall(role, name))
        expectFailure(await account.call(name, { ...operation.example, NoSuchField: 1 }, { key }), 400);
      else expectFailure(await call(name, operation.example, { key }), 403);
    },
  );

  test('a key bound to an organization reaches no other', async () => {
    const hasField = 'OrganizationId' in operation.request();
    const answer = await account.call(name, { ...operation.example, OrganizationId: 2 }, { key: boundKey });
    expectFailure(answer, hasField ? 403 : 400);
  });

  test('the document says with minItems of which lists a request must send an element', async () => {
    const schema = schemaIn(document.paths[`/api/${name}`]?.post.requestBody ?? { content: {} });
    const lists = Object.entries(fieldsOf(schema)).filter(([, field]) => [field.type].flat().includes('array'));
    // A repeat of a booking is refused by its id before its fields are looked at.
    const { CallCenterTransactionId: _, ...example } = operation.example;
    for (const [field, { minItems = 0, description = '' }] of lists) {
      const answer = await account.call(name, { ...example, [field]: [] });
      const errors = (answer.body['Errors'] ?? []) as { Field: string; Code: string }[];
      const isRefused =
        answer.status === 400 &&
        errors.some(({ Field, Code }) => (Field === field || Field.startsWith(`${field}[0]`)) && Code === 'required');
      // Of one that is required without another field the description says so.
      const isConditional = description.startsWith('Required without');
      expect([field, minItems], answer.text).toEqual([field, isRefused && !isConditional ? 1 : 0]);
    }
  });

  test('the document marks what an empty request lacks as required, or says when it is', async () => {
    const schema = schemaIn(document.paths[`/api/${name}`]?.post.requestBody ?? { content: {} });
    const required = requiredIn(schema);
    const answer = await account.call(name, {});
    // Where one organization counts, an empty request cancels that one.
    if (name === 'organizations/cancel') await reopenOrganization(account, 1);
    if (required.length) expectFailure(answer, 400);
    const errors = answer.status === 400 ? (answer.body['Errors'] as { Field: string; Message: string }[]) : [];
    for (const { Field, Message } of errors) {
      const [field = ''] = Field.split(/[[.]/);
      const isDescribed = /required/i.test(fieldsOf(schema)[field]?.description ?? '');
      expect(required.includes(field) || isDescribed, `${Field} ${Message}`).toBe(true);
    }
  });
});

/** Not for bound keys are creating and canceling organizations; subscribers have keys of the account. */
const ofOrganizations = operations.filter(
  ([, operation]) =>
    'OrganizationId' in operation.request() && operation.access !== 'admin' && operation.group !== 'datasubscriber',
);

describe.each(sampled(ofOrganizations, 3))('%s', (name, operation) => {
  countOneOrganization(operation);

  test('a key bound to an organization may name it', async () => {
    // At the top level the field belongs to a single contact, and not to a list of them.
    const example = name === 'contacts/addupdate' ? { Name: 'Ana Ruiz', Email: 'ana@example.com' } : operation.example;
    await expectSuccess(name, { ...example, OrganizationId: 1 }, { key: boundKey });
  });
});

describe.each(sampled(operations, 1))('%s: what all operations have alike', (name, operation) => {
  countOneOrganization(operation);

  test('the key may come in the field ApiKey; different keys are 401', async () => {
    const withKey = { ApiKey: account.key, ...operation.example };
    const inBody = await account.call(name, withKey, { key: '' });
    expect(inBody.status).toBe(200);
    expectFailure(await call(name, withKey, { key: keys.get('Admin') ?? '' }), 401);
  });

  test('a misspelt path is 404 and names the operation', async () => {
    const answer = await account.call(name.slice(0, -1), {});
    expectFailure(answer, 404);
    expect(answer.body['Message']).toContain(name);
  });

  test('an unknown field is 400 and names the nearest field', async () => {
    const [field = 'ResultCode'] = Object.keys(operation.request());
    const misspelt = `${field}x`;
    const answer = await account.call(name, { ...operation.example, [misspelt]: 1 });
    expectFailure(answer, 400);
    expect(answer.body['Errors']).toEqual([
      { Field: misspelt, Code: 'unknown_field', Message: expect.stringContaining(`did you mean ${field}?`) as string },
    ]);
  });

  test('result fields are ignored in a request, in the forms that typed clients send', async () => {
    const results = Object.keys(operation.response()).filter((field) => !(field in operation.request()));
    const forms = { ResultCode: '', Message: null, ...Object.fromEntries(results.map((field) => [field, []])) };
    await expectSuccess(name, { ...forms, ...operation.example });
  });
});

describe.each(sampled(writing, 2))('%s: Idempotency-Key of calls at the same time', (name, operation) => {
  countOneOrganization(operation);

  test('4 have one answer', async () => {
    const headers = { 'idempotency-key': `together-${name}` };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => account.call(name, operation.example, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map((answer) => repeatable(operation, answer))).size).toBe(1);
  });
});

/** The variant of the payload that has a Kind. */
const eventSchema = (kind: string): JsonSchema =>
  Object.values(document.components.schemas).find(
    (schema) => !schema.oneOf && fieldsOf(schema)['Kind']?.enum?.includes(kind),
  ) ?? {};

test('every event of these calls has the Data that the document describes for its Kind', async () => {
  await drainEvents();
  const kinds = new Set<string>();
  for (let through = 0; ;) {
    const { body } = await account.call('datasubscriber/fetch', { EventCount: 200, ClearThroughId: through });
    const events = body['Events'] as { Id: number; Payload: { Kind: string; Data: object | null } }[];
    for (const { Payload } of events) {
      kinds.add(Payload.Kind);
      expect(schemaErrors(['components', 'schemas', 'EventPayload'], Payload), Payload.Kind).toEqual([]);
      const documented = fieldsOf(fieldsOf(eventSchema(Payload.Kind))['Data'] ?? {});
      expect(Object.keys(documented), Payload.Kind).toEqual(expect.arrayContaining(Object.keys(Payload.Data ?? {})));
    }
    if (!events.length) break;
    through = events.at(-1)?.Id ?? 0;
  }
  const nouns = new Set([...kinds].map((kind) => kind.split('.')[0]));
  expect([...nouns]).toEqual(
    expect.arrayContaining([
      'contact',
      'note',
      'call',
      'task',
      'appointment',
      'proposal',
      'invoice',
      'payment',
      'user',
    ]),
  );
});
