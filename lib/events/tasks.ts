import { taskOf, type TaskRecord } from '../domain/tasks.ts';
import type { EntityKind } from './kinds.ts';

const isDone = (image: Readonly<Record<string, unknown>> | undefined): boolean =>
  typeof image?.['CompletedAt'] === 'number';

/** Changes of tasks. */
export const task: EntityKind = {
  kinds: { created: 'task.created', updated: 'task.updated', deleted: 'task.deleted' },
  resource: (image) => taskOf(image as unknown as TaskRecord),
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
  updated: ({ before, after }) => (isDone(after) && !isDone(before) ? 'task.completed' : undefined),
};
