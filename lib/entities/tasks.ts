import { type FieldsInput, type Output, described, localTime } from '../resources/fields.ts';
import { fold } from '../shared/text/text.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { code, computed, date, history, id, moment, number, text } from './declaration/fields.ts';
import { inputOf, resourceOf } from './declaration/resource.ts';

/** The words of TaskType. */
export const taskTypes = ['To-do', 'Call', 'E-mail', 'Text', 'Meeting', 'Visit'] as const;

/** A task. Only the company file assigns tasks. */
export const taskEntity = entity(
  'Task',
  {
    Id: id({ resource: true }),
    OrganizationId: id(),
    ContactId: id({ nullable: true, resource: true, input: true }),
    Description: text({ resource: true, input: true, personal: 'replaced' }),
    TaskType: code(taskTypes, { resource: true, input: true }),
    TaskTypeDisplay: computed(text({ max: 50, description: 'The name of TaskType.' })),
    Note: text({ resource: true, personal: 'written' }),
    Duration: number({ min: 0, nullable: true, resource: true, input: 'DurationMinutes', description: 'Minutes.' }),
    Due: moment({ nullable: true, resource: true, input: true }),
    /** Due, if it was given as a calendar date; otherwise `''`. */
    Day: date(),
    /** The zone in which Due was read; `''` if there was none, or if stored by an earlier version. */
    Zone: text(),
    Category: text({ max: 100, resource: 'TaskCategory', input: true }),
    AssignedTo: text({ max: 200, resource: true }),
    AssignedToUserId: id({ nullable: true, resource: true }),
    CompletedAt: moment({ nullable: true, resource: true }),
    CompletedBy: text({ max: 200, resource: true }),
    ...history,
    Updated: moment({ required: true, resource: 'UpdatedAt' }),
  },
  {
    computed: { TaskTypeDisplay: ({ TaskType }) => taskTypes[TaskType] ?? '' },
    listed: {
      facts: { type: 'T', category: 'C', done: 'D' },
      entry: ({ Due: date, Day: day, Zone: zone, TaskType: type, Category, CompletedAt }) => ({
        date,
        day,
        zone,
        open: CompletedAt === null,
        facts: { type, category: fold(Category), done: CompletedAt !== null },
      }),
    },
  },
);
export type TaskRecord = RecordOf<typeof taskEntity>;

/** Whether a task is still to be done. */
export const isOpenTask = ({ CompletedAt }: Pick<TaskRecord, 'CompletedAt'>): boolean => CompletedAt === null;

export const Task = /* @__PURE__ */ resourceOf(taskEntity, { carriesResult: true });
export type Task = Output<typeof Task>;

/** The fields that task/create and task/update take. */
export const taskFields = /* @__PURE__ */ inputOf(taskEntity, () => ({
  Due: described(
    localTime(),
    "A date or a date and time, in the organization's time zone unless it has an offset; a date means its start.",
  ),
}));
export type TaskFields = FieldsInput<ReturnType<typeof taskFields>>;
