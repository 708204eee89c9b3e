import { datetime, described, id, int32, nullable, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** Something to be done, mostly for a contact; CompletedAt is null until it is. */
export const Task = resource(
  'Task',
  () => ({
    Id: id(),
    ContactId: nullable(id()),
    TaskType: described(int32(0, 5), '0 To-do, 1 Call, 2 E-mail, 3 Text, 4 Meeting, 5 Visit.'),
    TaskTypeDisplay: described(text(50), 'TaskType as a word.'),
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
