import { type TaskRecord, taskEntity, taskTypes } from '../../lib/entities/tasks.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportedTask, applyImportedTask, matchImportedTasks } from '../../lib/domain/imported-tasks.ts';
import { completeTask, isEqualTask, applyTaskInput, taskToResource } from '../../lib/domain/tasks.ts';

const AT = Date.UTC(2026, 2, 8, 12);
const ZONE = 'America/New_York';

const someTask = (input: Partial<TaskRecord> = {}): TaskRecord => ({
  ...taskEntity.blank({ Id: 1, OrganizationId: 1, ContactId: 7, Created: AT }),
  Description: 'Call back',
  V: 1,
  ...input,
});

const words = fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '');
const anyTask = fc
  .record({
    Description: words.map((text) => text.trim()),
    TaskType: fc.nat(5),
    Note: fc.string(),
    Category: fc.string().map((text) => text.trim()),
    ContactId: fc.option(fc.nat(9)),
    Due: fc.option(fc.integer({ min: -2e9, max: 7e9 }).map((second) => second * 1_000)),
    Duration: fc.option(fc.nat(10_000)),
    AssignedTo: fc.string(),
    AssignedToUserId: fc.option(fc.nat(99)),
    CompletedAt: fc.option(fc.nat(1e7).map((second) => AT + second * 1_000)),
    CompletedBy: fc.string(),
  })
  .map(someTask);

describe('a task', () => {
  test('changes only in the fields of the input, and equal values change nothing', () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        expect(applyTaskInput(task, {}, ZONE)).toEqual({ task, errors: [] });
        const { Description, TaskType, Duration: DurationMinutes, Category } = task;
        const Due = task.Due === null ? null : new Date(task.Due).toISOString();
        expect(
          isEqualTask(task, applyTaskInput(task, { Description, TaskType, DurationMinutes, Due, Category }, ZONE).task),
        ).toBe(true);
      }),
    );
  });

  test('is completed once, and keeps its earlier notes', () => {
    fc.assert(
      fc.property(anyTask, fc.string(), (task, note) => {
        const outcome = completeTask(task, { note, by: 'Desk', at: AT });
        if (outcome.kind === 'already') {
          expect(outcome.at).toBe(task.CompletedAt);
          return;
        }
        expect(task.CompletedAt).toBeNull();
        expect(outcome.task).toEqual({ ...task, Note: outcome.task.Note, CompletedAt: AT, CompletedBy: 'Desk' });
        expect([outcome.task.Note.startsWith(task.Note), outcome.task.Note.endsWith(note.trim())]).toEqual([
          true,
          true,
        ]);
        expect(completeTask(outcome.task, { note, by: 'Desk', at: AT + 1 })).toEqual({ kind: 'already', at: AT });
      }),
    );
  });

  test.each([
    ['', '', ''],
    ['Old', '', 'Old'],
    ['', ' New ', 'New'],
    ['Old', 'New', 'Old\nNew'],
  ])('with note %j, completed with %j, has %j', (Note, note, expected) => {
    expect(completeTask(someTask({ Note }), { note, by: '', at: AT })).toMatchObject({ task: { Note: expected } });
  });

  test('is complete as a resource, with moments in UTC', () => {
    expect(
      taskToResource(someTask({ TaskType: 5, Due: AT, Duration: 30, Category: 'Billing', CompletedAt: AT + 999 })),
    ).toEqual({
      Id: 1,
      ContactId: 7,
      TaskType: 5,
      TaskTypeDisplay: 'Visit',
      Description: 'Call back',
      Note: '',
      TaskCategory: 'Billing',
      Due: '2026-03-08T12:00:00Z',
      Duration: 30,
      AssignedTo: '',
      AssignedToUserId: null,
      CompletedAt: '2026-03-08T12:00:00Z',
      CompletedBy: '',
      UpdatedAt: '2026-03-08T12:00:00Z',
    });
    expect(taskTypes.map((_, TaskType) => taskToResource(someTask({ TaskType })).TaskTypeDisplay)).toEqual([
      'To-do',
      'Call',
      'E-mail',
      'Text',
      'Meeting',
      'Visit',
    ]);
  });
});

/** The file's words for a task, as an export would write them. */
const inFile = (task: TaskRecord): ImportedTask & Pick<TaskRecord, 'ContactId' | 'Description'> => ({
  ContactId: task.ContactId,
  Description: task.Description,
  TaskType: task.TaskType,
  DurationMinutes: task.Duration,
  Category: task.Category,
  Note: task.Note,
  Due: task.Due === null ? null : new Date(task.Due).toISOString(),
  AssignedTo: task.AssignedTo,
  AssignedToUserId: task.AssignedToUserId,
  CompletedBy: task.CompletedBy,
  ...(task.CompletedAt === null ? {} : { CompletedAt: new Date(task.CompletedAt).toISOString() }),
});

describe('tasks of the company file', () => {
  test('imported again are matched one to one, and change nothing', () => {
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 20 }), (made) => {
        // Few words and contacts, so that many are alike.
        const tasks = made.map((task, index) => ({
          ...task,
          Id: index + 1,
          Description: task.Description.slice(0, 1),
          ContactId: index % 2,
        }));
        const file = tasks.map(inFile);
        const found = matchImportedTasks(tasks.toReversed(), file);
        expect(found.map((task) => task?.Id)).toEqual(tasks.map(({ Id }) => Id));
        for (const [index, task] of found.entries()) {
          const { task: merged, errors } = applyImportedTask(task as TaskRecord, file[index] as ImportedTask, ZONE);
          expect([isEqualTask(task as TaskRecord, merged), errors]).toEqual([true, []]);
        }
      }),
    );
  });

  test('that outnumber the existing ones of a description are new; case and accents do not count, the contact does', () => {
    const expected = [
      ['call BACK', 7],
      ['Cáll back', 7],
      ['Call back', 8],
    ].map(([Description, ContactId]) => ({ Description: Description as string, ContactId: ContactId as number }));
    expect(matchImportedTasks([someTask()], expected).map((task) => task?.Id)).toEqual([1, undefined, undefined]);
  });

  test('fields absent from the file are empty, and every invalid field is named', () => {
    expect(
      applyImportedTask(someTask({ Note: 'Old', Due: AT, CompletedAt: AT }), { Description: 'Call back' }, ZONE).task,
    ).toEqual(someTask());
    const faulty = applyImportedTask(
      someTask({ Description: '' }),
      { Description: ' ', Due: 'soon', TaskType: 9, CompletedAt: 'then' },
      ZONE,
    );
    expect(faulty.errors.map(({ field }) => field)).toEqual(['Description', 'Due', 'TaskType', 'CompletedAt']);
  });
});
