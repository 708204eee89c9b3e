import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { failureStatuses } from '../../lib/api/openapi/failures.ts';
import type { Operation } from '../../lib/api/operation.ts';
import { expectOrderly } from '../support/failed.ts';
import type { TestAccount, TestAnswer } from '../support/stack/stack.ts';
import { type Company, MARK, OWNER_ID, company, neighbourCompany } from '../support/stack/tenants.ts';

const operations = groups.flatMap((group) => group.operations).map((operation) => [operation.name, operation] as const);

let owner: Company;
let neighbour: TestAccount;
let before: string;

beforeAll(async () => {
  [owner, neighbour] = [await company(), await neighbourCompany()];
  before = await owner.all();
});

/** These operations may cancel the organization of the owner's other key. */
function reopenOrganization({ group }: Operation): void {
  if (group !== 'organizations') return;
  afterEach(async () => {
    await owner.call('organizations/update', { OrganizationId: 2, OpenSince: '2026-03-08' });
  });
}

type Body = Record<string, unknown>;
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Bodies with the id of the owner's record in every field that takes an id, also in lists and objects of the example.
 */
function bodiesWith(id: number, { request, example }: Operation): (readonly [field: string, body: Body])[] {
  const idFields = Object.keys(request()).filter(
    (field) => /(^|[a-z])Id(Search)?$/.test(field) || field === 'ClearThroughId',
  );
  const top = idFields.map((field) => [field, { ...example, [field]: id }] as const);
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

/** Operations whose records belong to the account; every organization sees them. */
const accountWide = new Set(['part/details', 'cancelreasons/all', 'customfields/all']);

describe.each(operations)('%s with the id of a record of others', (name, operation) => {
  reopenOrganization(operation);
  const bodies = bodiesWith(OWNER_ID, operation);
  const cases = bodies.length ? bodies : ([['no id', operation.example]] as const);
  /** Fields whose record must exist: an unknown id is 404. The Id of a new proposal is not allowed at all: 400. */
  const records = [
    'ContactId',
    'Matches[0].Id',
    name === 'proposal/accept' ? 'ProposalId' : '',
    name === 'proposal/create' ? '' : 'Id',
  ];
  const mustExist = (field: string) => failureStatuses(operation).includes(404) && records.includes(field);

  test.each(cases)('a key of another account gets nothing: %s', async (field, body) => {
    const answer = await neighbour.call(name, body);
    expectNothing(answer, field);
    if (mustExist(field)) expect(answer.status).toBe(404);
  });

  test.each(accountWide.has(name) ? [] : cases)(
    'a key of another organization gets nothing: %s',
    async (field, body) => {
      const answer = await owner.call(name, body, { key: owner.elsewhere });
      expectNothing(answer, field);
      if (mustExist(field)) expect([403, 404]).toContain(answer.status);
    },
  );

  const lookups = bodies.filter(([field]) => mustExist(field));

  test.each(operation.access === 'read' ? lookups : [])('the owner gets the record: %s', async (field, body) => {
    const answer = await owner.call(name, body);
    expect([field, answer.status, answer.body['Message']]).toEqual([field, 200, expect.any(String)]);
  });

  const hiding = accountWide.has(name) ? [] : lookups;

  test.each(hiding)('a record of others looks exactly like one that does not exist: %s', async (field, body) => {
    const unknown = JSON.parse(JSON.stringify(body).replaceAll(`:${OWNER_ID}`, ':2000000000')) as Body;
    const missing = await owner.call(name, unknown, { key: owner.elsewhere });
    expect([403, 404], field).toContain(missing.status);
    const hidden = await owner.call(name, body, { key: owner.elsewhere });
    const expected = missing.text.replaceAll('2000000000', String(OWNER_ID));
    expect([hidden.status, hidden.text], field).toEqual([missing.status, expected]);
  });
});

test("after all calls the owner's data is unchanged, and there is plenty of it", async () => {
  expect(before.split(MARK).length).toBeGreaterThan(100);
  expect(await owner.all()).toBe(before);
});
