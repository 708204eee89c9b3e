import { operation } from '../../lib/api/operation.ts';
import { taskToResource } from '../../lib/domain/tasks.ts';
import { moment, described, flag, id, int32, many, text } from '../../lib/resources/fields.ts';
import { PAGES, pageFields, pageOf, through, updatedFields } from '../../lib/resources/queries.ts';
import { Task, taskFields } from '../../lib/entities/tasks.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { parseTimeSpan } from '../../lib/shared/time/read-moments.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { listTasks } from '../../lib/store/tasks.ts';
import { boundedQuery } from '../../lib/workflows/bounded.ts';

export const query = operation({
  title: 'List tasks',
  summary: 'Lists the tasks that meet every criterion, by due date, then id; those without a due date come last.',
  rules: [
    'Completed tasks are included only with IncludeCompleted or by TaskId.',
    'DueFrom and DueThrough exclude tasks without a due date.',
    ...PAGES,
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    TaskId: id(),
    ContactId: id(),
    TaskType: taskFields().TaskType,
    Category: described(text(100), 'The whole category; case and accents do not count.'),
    DueFrom: moment(),
    DueThrough: through(),
    ...updatedFields(),
    IncludeCompleted: flag(),
    ...pageFields(),
  }),
  response: () => ({ Count: int32(0), Tasks: many(Task) }),
  example: { DueFrom: '2026-03-09', DueThrough: '2026-03-13', TaskType: 1 },
  async run(request, { store, now }) {
    const { Timezone } = await callerOrganization(store);
    const due = parseTimeSpan(['DueFrom', 'DueThrough'], request, Timezone);
    const updated = parseTimeSpan(['UpdatedFrom', 'UpdatedThrough'], request, Timezone);
    const errors = [...due.errors, ...updated.errors];
    if (errors.length) throw invalid(...errors);
    const criteria = {
      id: request.TaskId ?? undefined,
      contact: request.ContactId ?? undefined,
      type: request.TaskType ?? undefined,
      category: request.Category?.trim() || undefined,
      due: due.span,
      updated: updated.span,
      done: request.IncludeCompleted || request.TaskId ? undefined : false,
      ...pageOf(request),
    };
    const filter = {
      fields: ['DueFrom', 'DueThrough'] as const,
      isGiven: Boolean(request.DueFrom || request.DueThrough),
    };
    const { count, tasks } = await boundedQuery(filter, () => listTasks(store, criteria, now));
    return { Count: count, Tasks: tasks.map(taskToResource) };
  },
});
