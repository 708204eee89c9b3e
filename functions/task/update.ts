import { operation, save } from '../../lib/api/operation.ts';
import { applyTaskInput, isEqualTask, taskToResource } from '../../lib/domain/tasks.ts';
import { id, nested, required } from '../../lib/resources/fields.ts';
import { Task, taskFields } from '../../lib/entities/tasks.ts';
import { conflict, invalid, orNotFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/time/time.ts';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { findTask, taskChanges } from '../../lib/store/tasks.ts';
import { loadTaskOwner } from '../../lib/workflows/tasks/load-task-owner.ts';

export const update = operation({
  title: 'Change a task',
  summary: 'Changes a task that is not completed.',
  rules: [
    'An absent field stays as it is; null clears it (TaskType becomes To-do; Description cannot be cleared).',
    "With another ContactId the task moves to that contact's organization.",
    'A request without any difference changes nothing.',
    'A completed task is 409.',
  ],
  access: 'write',
  request: () => ({ TaskId: required(id()), ...taskFields() }),
  response: () => ({ Task: nested(Task) }),
  example: { TaskId: 1, Due: '2026-03-10', Category: 'Follow-up' },
  async run({ TaskId, ContactId, ...input }, context) {
    const { store, now } = context;
    const [found, owner] = await Promise.all([
      findTask(store, TaskId),
      ContactId ? loadTaskOwner(ContactId, context) : undefined,
    ]);
    const before = orNotFound(found, 'task', 'TaskId', TaskId);
    if (before.CompletedAt !== null)
      throw conflict('wrong_state', `Task ${TaskId} was completed at ${toUtc(before.CompletedAt)} and cannot change.`);
    const organization = owner?.organization ?? (await getOrganization(store, before.OrganizationId));
    const contactId = owner?.contactId ?? null;
    const reassigned =
      ContactId === undefined ? before : { ...before, ContactId: contactId, OrganizationId: organization.Id };
    const { task, errors } = applyTaskInput(reassigned, input, organization.Timezone);
    if (errors.length) throw invalid(...errors);
    if (isEqualTask(before, task)) return save([], { Task: taskToResource(before) });
    const { record, change } = taskChanges(store, { before, after: task, now });
    return save([change], { Task: taskToResource(record) });
  },
});
