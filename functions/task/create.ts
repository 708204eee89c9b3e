import { operation, save } from '../../lib/api/operation.ts';
import { applyTaskInput, blankTask } from '../../lib/domain/tasks.ts';
import { described, id, required, text } from '../../lib/resources/fields.ts';
import { taskFields } from '../../lib/entities/tasks.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';
import { taskChanges } from '../../lib/store/tasks.ts';
import { loadTaskOwner } from '../../lib/workflows/tasks/load-task-owner.ts';

export const create = operation({
  title: 'Create a task',
  summary: 'Creates a task, usually for a contact.',
  rules: [
    'The task belongs to the organization of its contact; without a contact to that of the key, or to the only one ' +
      'of the account.',
    'The response has its TaskId.',
    'A request with TaskId is invalid: task/update changes a task.',
  ],
  access: 'write',
  request: () => ({
    ...taskFields(),
    Description: required(text()),
    TaskId: described(id(), 'The new task; only in responses.'),
  }),
  response: () => ({ TaskId: id() }),
  example: {
    ContactId: 1,
    Description: 'Call back about the estimate.',
    TaskType: 1,
    DurationMinutes: 15,
    Due: '2026-03-09T10:00',
    Category: 'Estimate',
  },
  async run({ TaskId, ContactId = null, ...input }, context) {
    const { store, now } = context;
    if (TaskId) {
      const message = 'is assigned to a new task; change an existing one with task/update';
      throw invalid({ field: 'TaskId', code: 'fixed', message });
    }
    const [{ contactId, organization }, [Id = 0]] = await Promise.all([
      loadTaskOwner(ContactId, context),
      reserveIds(store, 'Task', 1),
    ]);
    const { Id: OrganizationId, Timezone } = organization;
    const blank = blankTask({ Id, OrganizationId, ContactId: contactId, Created: now.getTime() });
    const { task, errors } = applyTaskInput(blank, input, Timezone);
    if (errors.length) throw invalid(...errors);
    return save([taskChanges(store, { before: undefined, after: task, now }).change], { TaskId: Id });
  },
});
