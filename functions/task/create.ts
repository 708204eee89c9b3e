import { operation, save } from '../../lib/api/operation.ts';
import { blankTask, applyTaskInput } from '../../lib/domain/tasks.ts';
import { described, id, required, text } from '../../lib/resources/fields.ts';
import { taskFields } from '../../lib/resources/tasks.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { reserveIds } from '../../lib/store/dynamodb/ids.ts';
import { taskChanges } from '../../lib/store/tasks.ts';
import { loadTaskOrganization } from '../../lib/workflows/tasks/task-organization.ts';

export const create = operation({
  name: 'task/create',
  summary: 'Makes a task, mostly for a contact.',
  description:
    "The task belongs to its contact's organization; without a contact to the key's, or to the account's only one. TaskId is the answer: a request that " +
    'names one is refused, since task/update changes a task.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({
    ...taskFields(),
    Description: required(text()),
    TaskId: described(id(), 'The task made; not for requests.'),
  }),
  response: () => ({ TaskId: id() }),
  failures: ['invalid', 'notFound'],
  example: {
    ContactId: 1,
    Description: 'Call back about the estimate.',
    TaskType: 1,
    DurationMinutes: 15,
    Due: '2026-03-09T10:00',
    Category: 'Estimate',
  },
  async run({ TaskId, ContactId = null, ...input }, { caller, table, now }) {
    if (TaskId)
      throw invalid({
        field: 'TaskId',
        message: 'is what a new task is given; a task there is already is changed with task/update',
      });
    const [{ Id: OrganizationId, Timezone }, [Id = 0]] = await Promise.all([
      loadTaskOrganization(table, caller, ContactId, now),
      reserveIds(table, caller.accountId, 'Task', 1),
    ]);
    const { task, errors } = applyTaskInput(
      blankTask({ Id, OrganizationId, ContactId, Created: now.getTime() }),
      input,
      Timezone,
    );
    if (errors.length) throw invalid(...errors);
    return save([taskChanges(caller.accountId, { before: undefined, after: task, now }).change], { TaskId: Id });
  },
});
