import type { Task } from '../../../lib/entities/tasks.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { expectFailure } from '../../support/failed.ts';
import {
  type CallOptions,
  type TestAccount,
  type TestAnswer,
  drainEvents,
  testAccount,
  testTable,
} from '../../support/stack/stack.ts';

interface Answer {
  readonly Payload: {
    readonly Kind: string;
    readonly Id: number;
    readonly OrganizationId: number | null;
    readonly ContactId: number | null;
    readonly Changed: string[];
    readonly Data: unknown;
  };
}

let account: TestAccount;
/** Bound to the second organization, in Kolkata, half an hour off the hour; the first is in New York. */
let kolkata: string;
let contacts: { springfield: number; kolkata: number };

beforeAll(async () => {
  account = await testAccount();
  const { accountId } = account;
  await testTable().commit(
    newOrganizationChanges(
      { account: accountId },
      { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata', Country: 'IN' },
    ),
  );
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  kolkata = await account.newKey({ role: 'Owner', organizationId: 2, name: 'Kolkata desk' });
  const idOf = async (Name: string, OrganizationId: number) =>
    (
      (await account.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, OrganizationId })).body[
        'Matches'
      ] as { Id: number }[]
    )[0]?.Id ?? 0;
  contacts = { springfield: await idOf('Ana', 1), kolkata: await idOf('Bina', 2) };
});

const taskIn = ({ body }: TestAnswer): Task => body['Task'] as Task;
const tasksIn = ({ body }: TestAnswer): Task[] => body['Tasks'] as Task[];
const idsIn = (answer: TestAnswer): number[] => tasksIn(answer).map(({ Id }) => Id);

async function create(fields: object, options: CallOptions = {}): Promise<number> {
  const answer = await account.call(
    'task/create',
    { ContactId: contacts.springfield, Description: 'Call back', ...fields },
    options,
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.body['TaskId'] as number;
}

const read = async (TaskId: number): Promise<Task> => tasksIn(await account.call('task/query', { TaskId }))[0] as Task;

describe('task/create', () => {
  test('stores all fields, and returns the id', async () => {
    const TaskId = await create({
      TaskType: 1,
      DurationMinutes: 15,
      Due: '2026-03-09T10:00',
      Category: ' Estimate ',
      Description: ' Call back ',
    });
    expect(await read(TaskId)).toEqual({
      Id: TaskId,
      ContactId: contacts.springfield,
      TaskType: 1,
      TaskTypeDisplay: 'Call',
      Description: 'Call back',
      Note: '',
      TaskCategory: 'Estimate',
      Due: '2026-03-09T14:00:00Z',
      Duration: 15,
      AssignedTo: '',
      AssignedToUserId: null,
      CompletedAt: null,
      CompletedBy: '',
      UpdatedAt: expect.stringMatching(/Z$/) as string,
    });
  });

  test('needs no more than a description', async () => {
    const TaskId = await create({});
    expect(await read(TaskId)).toMatchObject({
      TaskType: 0,
      TaskTypeDisplay: 'To-do',
      TaskCategory: '',
      Due: null,
      Duration: null,
    });
  });

  test.each([
    ['2026-03-09', '2026-03-09T04:00:00Z', '2026-03-08T18:30:00Z'],
    ['3/9/2026 4:30 PM', '2026-03-09T20:30:00Z', '2026-03-09T11:00:00Z'],
    ['2026-03-09T10:00:00-07:00', '2026-03-09T17:00:00Z', '2026-03-09T17:00:00Z'],
  ])("reads Due in the zone of the contact's organization: %s", async (Due, newYork, india) => {
    expect((await read(await create({ Due }))).Due).toBe(newYork);
    expect((await read(await create({ Due, ContactId: contacts.kolkata }))).Due).toBe(india);
    expect((await read(await create({ Due, ContactId: null }, { key: kolkata }))).Due).toBe(india);
  });

  test.each([
    [{ Description: '' }, ['Description']],
    [{ Description: '   ' }, ['Description']],
    [{ Due: 'soon' }, ['Due']],
    [{ Due: '2026-03-08T02:30' }, ['Due']],
    [{ TaskType: 6, DurationMinutes: -1, Category: 'x'.repeat(101) }, ['TaskType', 'DurationMinutes', 'Category']],
    [{ TaskType: 'Call' }, ['TaskType']],
    [{ DurationMinutes: 1.5 }, ['DurationMinutes']],
    [{ TaskId: 5 }, ['TaskId']],
  ])('refuses %j and names the invalid fields', async (fields, faulty) => {
    const answer = await account.call('task/create', {
      ContactId: contacts.springfield,
      Description: 'Call back',
      ...fields,
    });
    expectFailure(answer, 400);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual(faulty);
  });

  test('reads the blanks of typed clients as absent', async () => {
    const TaskId = await create({ TaskId: 0, Due: '', DurationMinutes: null, TaskType: null, Category: '' });
    expect(await read(TaskId)).toMatchObject({ TaskType: 0, Due: null, Duration: null });
  });

  test('uses the organization of the contact, else of the key; an account with several must name a contact', async () => {
    expectFailure(await account.call('task/create', { Description: 'Order paper' }), 400);
    const own = await create({ ContactId: 0 }, { key: kolkata });
    const theirs = await create({});
    expect([
      (await account.call('task/query', { TaskId: own }, { key: kolkata })).body['Count'],
      (await account.call('task/query', { TaskId: theirs }, { key: kolkata })).body['Count'],
    ]).toEqual([1, 0]);
    expectFailure(
      await account.call('task/create', { ContactId: contacts.springfield, Description: 'x' }, { key: kolkata }),
      404,
    );
    expectFailure(await account.call('task/create', { ContactId: 999_999, Description: 'x' }), 404);
    const single = await testAccount();
    expect((await single.call('task/create', { Description: 'Order paper' })).status).toBe(200);
  });
});

describe('task/update', () => {
  test('changes the fields of the request, clears those that are null, and leaves the rest', async () => {
    const TaskId = await create({ TaskType: 1, DurationMinutes: 15, Due: '2026-03-09', Category: 'Estimate' });
    const before = await read(TaskId);
    const changed = await account.call('task/update', { TaskId, Due: '2026-03-10T08:00', Category: 'Billing' });
    expect(taskIn(changed)).toEqual({
      ...before,
      Due: '2026-03-10T12:00:00Z',
      TaskCategory: 'Billing',
      UpdatedAt: taskIn(changed).UpdatedAt,
    });
    const cleared = await account.call('task/update', {
      TaskId,
      Due: null,
      Category: null,
      DurationMinutes: null,
      TaskType: null,
      ContactId: null,
    });
    expect(taskIn(cleared)).toMatchObject({
      Due: null,
      TaskCategory: '',
      Duration: null,
      TaskType: 0,
      ContactId: null,
      Description: 'Call back',
    });
    expect(await read(TaskId)).toEqual(taskIn(cleared));
  });

  test("moves with its contact to the contact's organization, in whose zone Due is read", async () => {
    const TaskId = await create({});
    const changed = await account.call('task/update', { TaskId, ContactId: contacts.kolkata, Due: '2026-03-10' });
    expect(taskIn(changed)).toMatchObject({ ContactId: contacts.kolkata, Due: '2026-03-09T18:30:00Z' });
    expect((await account.call('task/query', { TaskId }, { key: kolkata })).body['Count']).toBe(1);
  });

  test.each([
    [{ TaskId: 999_999 }, 404],
    [{ Due: '2026-02-30' }, 400],
    [{ ContactId: 999_999 }, 404],
    [{ TaskId: 0 }, 400],
  ])('refuses %j with %i', async (fields, code) => {
    const TaskId = await create({});
    expectFailure(await account.call('task/update', { TaskId, ...fields }), code);
    expect((await read(TaskId)).Description).toBe('Call back');
  });

  test('does not find a task of another organization', async () => {
    const TaskId = await create({});
    for (const operation of ['task/update', 'task/complete'])
      expectFailure(await account.call(operation, { TaskId }, { key: kolkata }), 404);
  });
});

describe('task/complete', () => {
  test('stores when, by whom and the note; a second time is 409 and changes nothing', async () => {
    const TaskId = await create({ ContactId: contacts.kolkata });
    const began = Date.now() - 1_000;
    const done = taskIn(
      await account.call('task/complete', { TaskId, Note: ' Wants the estimate by Friday. ' }, { key: kolkata }),
    );
    expect(done).toMatchObject({ Note: 'Wants the estimate by Friday.', CompletedBy: 'Kolkata desk' });
    expect(Date.parse(done.CompletedAt ?? '')).toBeGreaterThan(began);
    expectFailure(await account.call('task/complete', { TaskId, Note: 'Again' }), 409);
    expectFailure(await account.call('task/update', { TaskId, Description: 'Other' }), 409);
    expect(await read(TaskId)).toEqual(done);
  });

  test('of 20 concurrent calls one succeeds', async () => {
    const TaskId = await create({});
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => account.call('task/complete', { TaskId, Note: `Try ${index}` })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19]);
    expect(await read(TaskId)).toEqual(taskIn(won[0] as TestAnswer));
  });
});

describe('task/query', () => {
  let full: TestAccount;
  const ids: Record<string, number> = {};
  const due = { morning: '2026-03-09T00:00', night: '2026-03-09T23:59:59', next: '2026-03-10', none: null };

  beforeAll(async () => {
    full = await testAccount();
    const [contact] = (await full.call('contacts/addupdate', { Name: 'Carla', Email: 'carla@example.com' })).body[
      'Matches'
    ] as { Id: number }[];
    const put = async (name: string, fields: object) => {
      ids[name] = (await full.call('task/create', { Description: name, ...fields })).body['TaskId'] as number;
    };
    await put('none', { Due: due.none, TaskType: 0 });
    await put('next', { Due: due.next, TaskType: 1, Category: 'Reclamación' });
    await put('night', { Due: due.night, TaskType: 1, ContactId: contact?.Id });
    await put('morning', { Due: due.morning, TaskType: 2, ContactId: contact?.Id, Category: 'Billing' });
    await put('done', { Due: '2026-03-09T00:01', TaskType: 1, ContactId: contact?.Id });
    await full.call('task/complete', { TaskId: ids['done'] });
    ids['contact'] = contact?.Id ?? 0;
  });

  const references = async (request: object): Promise<string[]> => {
    const answer = await full.call('task/query', request);
    expect([answer.status, answer.body['Count']]).toEqual([200, tasksIn(answer).length]);
    return tasksIn(answer).map(({ Description }) => Description);
  };

  test.each<[object, string[]]>([
    [{}, ['morning', 'night', 'next', 'none']],
    [{ IncludeCompleted: true }, ['morning', 'done', 'night', 'next', 'none']],
    [{ DueFrom: '2026-03-09', DueThrough: '2026-03-09' }, ['morning', 'night']],
    [{ DueFrom: '3/10/2026' }, ['next']],
    [{ DueThrough: '2026-03-09T00:00' }, ['morning']],
    [{ DueFrom: '2026-03-09T04:00:01Z', DueThrough: '2026-03-10T03:59:58Z' }, []],
    [{ TaskType: 1 }, ['night', 'next']],
    [{ TaskType: 0 }, ['none']],
    [{ TaskType: 1, IncludeCompleted: true, DueThrough: '2026-03-09' }, ['done', 'night']],
    [{ Category: 'BILLING' }, ['morning']],
    [{ Category: 'reclamacion' }, ['next']],
    [{ Category: 'bill' }, []],
    [{ UpdatedFrom: '2100-01-01' }, []],
    [
      { UpdatedFrom: '2020-01-01', UpdatedThrough: '2100-01-01', IncludeCompleted: true },
      ['morning', 'done', 'night', 'next', 'none'],
    ],
    [{ UpdatedThrough: '2020-01-01' }, []],
    [
      { TaskId: 0, ContactId: 0, Category: '', DueFrom: '', DueThrough: null, TaskType: null, Skip: 0 },
      ['morning', 'night', 'next', 'none'],
    ],
    [{ Take: 500, Skip: 0, ContactId: 999_999 }, []],
  ])('%j returns %j', async (request, expected) => {
    expect(await references(request)).toEqual(expected);
  });

  test('by contact, and by id whether completed or not, if it meets the other criteria', async () => {
    const ContactId = ids['contact'];
    expect(await references({ ContactId })).toEqual(['morning', 'night']);
    expect(await references({ ContactId, IncludeCompleted: true, TaskType: 1 })).toEqual(['done', 'night']);
    expect(await references({ TaskId: ids['done'] })).toEqual(['done']);
    expect(
      await references({ TaskId: ids['done'], ContactId, DueFrom: '2026-03-09', UpdatedFrom: '2020-01-01' }),
    ).toEqual(['done']);
    expect(await references({ TaskId: ids['done'], TaskType: 2 })).toEqual([]);
    expect(await references({ TaskId: 999_999 })).toEqual([]);
  });

  test.each([
    [{ DueFrom: 'then', UpdatedThrough: 'now' }, ['DueFrom', 'UpdatedThrough']],
    [{ DueFrom: '2026-03-10', DueThrough: '2026-03-09' }, ['DueThrough']],
    [{ Skip: -1, Take: 501 }, ['Skip', 'Take']],
    [{ Take: -1 }, ['Take']],
    [{ TaskType: 6 }, ['TaskType']],
    [{ IncludeCompleted: 'maybe' }, ['IncludeCompleted']],
  ])('refuses %j and names the invalid fields', async (request, faulty) => {
    const answer = await full.call('task/query', request);
    expectFailure(answer, 400);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual(faulty);
  });

  test('pages are disjoint, complete and have one Count while tasks are completed between them', async () => {
    const crowded = await testAccount();
    const made = new Set<number>();
    for (let index = 0; index < 30; index++)
      made.add(
        (
          await crowded.call('task/create', {
            Description: `Task ${index}`,
            Due: `2026-03-${String(1 + (index % 9)).padStart(2, '0')}`,
          })
        ).body['TaskId'] as number,
      );
    const seen: number[] = [];
    for (let Skip = 0; Skip < 30; Skip += 10) {
      const page = await crowded.call('task/query', { Skip, Take: 10 });
      expect(page.body['Count']).toBe(30);
      seen.push(...idsIn(page));
      await crowded.call('task/complete', { TaskId: seen[0] });
    }
    expect(new Set(seen)).toEqual(made);
    expect((await crowded.call('task/query', { Take: 10 })).body['Count']).toBe(29);
  });

  test('a key of an organization sees only its tasks', async () => {
    const seen = tasksIn(await account.call('task/query', { IncludeCompleted: true, Take: 500 }, { key: kolkata }));
    const all = tasksIn(await account.call('task/query', { IncludeCompleted: true, Take: 500 }));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every(({ ContactId }) => ContactId === null || ContactId === contacts.kolkata)).toBe(true);
    expect(all.filter(({ ContactId }) => ContactId === contacts.kolkata).length).toBe(
      seen.filter(({ ContactId }) => ContactId !== null).length,
    );
    expect(all.length).toBeGreaterThan(seen.length);
  });
});

test('creating, changing and completing a task is one event each, with the task at that time', async () => {
  const own = await testAccount();
  const TaskId = (await own.call('task/create', { Description: 'Call back', TaskType: 1 })).body['TaskId'] as number;
  await own.call('task/update', { TaskId, Category: 'Billing' });
  await own.call('task/update', { TaskId, Category: 'Billing' });
  const done = taskIn(await own.call('task/complete', { TaskId }));
  await drainEvents();
  const events = (await own.call('datasubscriber/fetch')).body['Events'] as Answer[];
  expect(
    events.map(({ Payload: { Kind, Id, OrganizationId, ContactId } }) => [Kind, Id, OrganizationId, ContactId]),
  ).toEqual(['task.created', 'task.updated', 'task.completed'].map((kind) => [kind, TaskId, 1, null]));
  expect(events[1]?.Payload.Changed).toContain('TaskCategory');
  expect(events[2]?.Payload.Data).toEqual(done);
});
