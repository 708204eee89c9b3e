import { type Output, code, datetime, described, id, int32, moment, nullable, resource, text } from './fields.ts';

export const taskType = () => code(['To-do', 'Call', 'E-mail', 'Text', 'Meeting', 'Visit']);

export const Task = resource(
  'Task',
  () => ({
    Id: id(),
    ContactId: nullable(id()),
    TaskType: taskType(),
    TaskTypeDisplay: described(text(50), 'The name of TaskType.'),
    Description: text(),
    Note: text(),
    TaskCategory: text(100),
    Due: nullable(datetime()),
    Duration: nullable(described(int32(0), 'Minutes.')),
    AssignedTo: text(200),
    AssignedToUserId: nullable(id()),
    CompletedAt: nullable(datetime()),
    CompletedBy: text(200),
    UpdatedAt: datetime(),
  }),
  { carriesResult: true },
);
export type Task = Output<typeof Task>;

export const taskFields = () => ({
  ContactId: id(),
  Description: text(),
  TaskType: taskType(),
  DurationMinutes: int32(0),
  Due: described(
    moment(),
    "A date or a date and time, in the organization's time zone unless it has an offset; a date means its start.",
  ),
  Category: text(100),
});
