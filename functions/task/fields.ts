import { described, id, int32, moment, text } from '../../lib/resources/fields.ts';

/** The fields of a task that create and update share. */
export const taskFields = () => ({
  ContactId: id(),
  Description: text(),
  TaskType: described(int32(0, 5), '0 To-do, 1 Call, 2 E-mail, 3 Text, 4 Meeting, 5 Visit.'),
  DurationMinutes: int32(0),
  Due: described(moment(), "A date or a moment, in the organization's time zone unless it has an offset; a date is its first moment."),
  Category: text(100),
});
