import { operation, save } from '../../lib/api/operation.ts';
import { isEqualTask, applyTaskInput, taskToResource } from '../../lib/domain/tasks.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { nested } from '../../lib/resources/resource.ts';
import { Task, taskFields } from '../../lib/resources/tasks.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { toUtc } from '../../lib/shared/format-moments.ts';
import { getRecentOrganization } from '../../lib/store/organizations.ts';
import { findTask, taskChanges } from '../../lib/store/tasks.ts';
import { loadTaskOrganization } from '../../lib/workflows/tasks/task-organization.ts';

export const update = operation({
  name: 'task/update',
  summary: 'Changes a task that is not completed.',
  description:
    'An absent field stays as it is, null clears it (TaskType becomes To-do; Description cannot be cleared). With another ContactId the task moves to ' +
    "that contact's organization. What changes nothing is no change. A completed task is 409.",
  access: 'write',
  needs: ['table:write'],
  request: () => ({ TaskId: required(id()), ...taskFields() }),
  response: () => ({ Task: nested(Task) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { TaskId: 1, Due: '2026-03-10', Category: 'Follow-up' },
  async run({ TaskId, ContactId, ...input }, { caller, table, now }) {
    const [before, moved] = await Promise.all([
      findTask(table, caller, TaskId),
      ContactId ? loadTaskOrganization(table, caller, ContactId, now) : undefined,
    ]);
    if (!before) throw notFound('task', 'TaskId', TaskId);
    if (before.CompletedAt !== null)
      throw conflict(`Task ${TaskId} was completed at ${toUtc(before.CompletedAt)}; a completed task is not changed.`);
    const organization = moved ?? (await getRecentOrganization(table, caller.accountId, before.OrganizationId, now));
    const placed = ContactId === undefined ? before : { ...before, ContactId, OrganizationId: organization.Id };
    const { task, errors } = applyTaskInput(placed, input, organization.Timezone);
    if (errors.length) throw invalid(...errors);
    if (isEqualTask(before, task)) return save([], { Task: taskToResource(before) });
    const { record, change } = taskChanges(caller.accountId, { before, after: task, now });
    return save([change], { Task: taskToResource(record) });
  },
});
