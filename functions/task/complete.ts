import { operation, save } from '../../lib/api/operation.ts';
import { completeTask, taskToResource } from '../../lib/domain/tasks.ts';
import { described, id, nested, required, text } from '../../lib/resources/fields.ts';
import { Task } from '../../lib/entities/tasks.ts';
import { conflict, orNotFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/time/time.ts';
import { findTask, taskChanges } from '../../lib/store/tasks.ts';

export const complete = operation({
  title: 'Complete a task',
  summary: 'Completes a task.',
  rules: ['CompletedBy is the name of the calling key.', 'A task that is completed already is 409.'],
  access: 'write',
  request: () => ({
    TaskId: required(id()),
    Note: described(text(), "Appended to the task's Note, on a line of its own."),
  }),
  response: () => ({ Task: nested(Task) }),
  example: { TaskId: 1, Note: 'Called back; wants the estimate by Friday.' },
  async run({ TaskId, Note }, { store, caller, now }) {
    const before = orNotFound(await findTask(store, TaskId), 'task', 'TaskId', TaskId);
    const outcome = completeTask(before, { note: Note ?? '', by: caller.keyName, at: now.getTime() });
    if (outcome.kind === 'already')
      throw conflict('wrong_state', `Task ${TaskId} is already completed, at ${toUtc(outcome.at)}.`);
    const { record, change } = taskChanges(store, { before, after: outcome.task, now });
    return save([change], { Task: taskToResource(record) });
  },
});
