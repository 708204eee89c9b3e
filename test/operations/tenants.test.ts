import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { expectOrderly } from '../support/failed.ts';
import { type TestAccount, type TestAnswer, testAccount } from '../support/stack.ts';
import { type Company, MARK, company } from '../support/tenants.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);

let owner: Company;
let neighbour: TestAccount;
let before: string;

beforeAll(async () => {
  [owner, neighbour] = [await company(), await testAccount()];
  before = await owner.all();
});

// Operations may cancel the organization that the owner's other key is bound to.
afterEach(async () => {
  await owner.call('organizations/update', { OrganizationId: 2, OpenSince: '2026-03-08' });
});

type Body = Record<string, unknown>;
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bodies that name the other's thing in every field that holds an id, also within lists and objects of the example. */
function bodiesNaming(id: number, { request, example }: Operation): (readonly [field: string, body: Body])[] {
  const own = Object.keys(request()).filter(
    (field) => /(^|[a-z])Id(Search)?$/.test(field) || field === 'ClearThroughId',
  );
  const top = own.map((field) => [field, { ...example, [field]: id }] as const);
  const inner = Object.entries(example).flatMap(([field, value]) => {
    if (isObject(value)) return [[`${field}.Id`, { ...example, [field]: { ...value, Id: id } }] as const];
    return Array.isArray(value) && isObject(value[0])
      ? [[`${field}[0].Id`, { ...example, [field]: [{ ...value[0], Id: id }] }] as const]
      : [];
  });
  return [...top, ...inner];
}

function expectNothing(answer: TestAnswer, where: string): void {
  expectOrderly(answer);
  expect(answer.text, where).not.toContain(MARK);
  expect([...answer.headers].join(), where).not.toContain(MARK);
}

describe.each(operations)('%s, asked for what belongs to somebody else', (name, operation) => {
  const naming = bodiesNaming(1, operation).map(([field]) => field);
  /** Fields that must exist for the operation to do anything: naming what is not there is 404. A new proposal is given its Id: naming one is 400. */
  const records = [
    'ContactId',
    'Matches[0].Id',
    name === 'proposal/accept' ? 'ProposalId' : '',
    name === 'proposal/create' ? '' : 'Id',
  ];
  const mustExist = (field: string) => operation.failures.includes('notFound') && records.includes(field);

  test.each(naming.length ? naming : ['no id at all'])('a key of another account gets nothing: %s', async (field) => {
    const [, body] = bodiesNaming(owner.id, operation).find(([one]) => one === field) ?? [field, operation.example];
    const answer = await neighbour.call(name, body);
    expectNothing(answer, field);
    if (mustExist(field)) expect(answer.status).toBe(404);
  });

  test.each(naming.length ? naming : ['no id at all'])(
    'a key of another organization gets nothing: %s',
    async (field) => {
      const [, body] = bodiesNaming(owner.id, operation).find(([one]) => one === field) ?? [field, operation.example];
      const answer = await owner.call(name, body, { key: owner.elsewhere });
      expectNothing(answer, field);
      if (mustExist(field)) expect([403, 404]).toContain(answer.status);
    },
  );

  test('what is not theirs looks exactly like what does not exist', async () => {
    for (const [field, body] of bodiesNaming(owner.id, operation).filter(([one]) => mustExist(one))) {
      const absent = JSON.parse(JSON.stringify(body).replaceAll(`:${owner.id}`, ':2000000000')) as Body;
      const [theirs, none] = [
        await owner.call(name, body, { key: owner.elsewhere }),
        await owner.call(name, absent, { key: owner.elsewhere }),
      ];
      expect([theirs.status, theirs.text], field).toEqual([
        none.status,
        none.text.replaceAll('2000000000', String(owner.id)),
      ]);
    }
  });
});

test("after all of that the owner's data is as it was, and there is plenty", async () => {
  expect(before.split(MARK).length).toBeGreaterThan(100);
  expect(await owner.all()).toBe(before);
});
