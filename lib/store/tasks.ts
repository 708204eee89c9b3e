import type { TaskRecord } from '../domain/tasks.ts';
import { fold } from '../shared/text.ts';
import { type CallerScope, findVisible } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TablePager, TableReader } from './dynamodb/client.ts';
import type { Span } from './dynamodb/filters.ts';
import { toRecord } from './dynamodb/records.ts';
import { type Query, indexedRecordChange, listRecords } from './indexes.ts';
import { layout } from './keys.ts';

const KIND = 'Task';

/** The task, where it exists for a caller who sees one organization, or all (`null`). */
export async function findTask(table: TableReader, scope: CallerScope, id: number): Promise<TaskRecord | undefined> {
  const item = await findVisible(table, scope, layout.task.key({ account: scope.accountId, id }));
  return item && toRecord<TaskRecord>(item);
}

const factsOf = ({ TaskType, Category, CompletedAt }: TaskRecord) => ({
  type: TaskType,
  category: fold(Category),
  done: CompletedAt !== null,
});

/** The change that stores a task as it is now, and the task with its new version. */
export function taskChanges(
  account: string,
  { before, after, now }: { before: TaskRecord | undefined; after: TaskRecord; now: Date },
): { record: TaskRecord; change: Change } {
  const task = { ...after, Updated: now.getTime() };
  const key = layout.task.key({ account, id: task.Id });
  const at = { kind: KIND, of: task, key, date: task.Due, facts: factsOf(task) };
  return indexedRecordChange(account, at, { before, after: task });
}

/** What tasks are asked for; every criterion given must hold. */
export interface TaskQuery extends Omit<Query, 'date'> {
  readonly type?: number | undefined;
  /** However written. */
  readonly category?: string | undefined;
  readonly due: Span;
  /** `true` and `false` for those that are done and those that are not; both when not given. */
  readonly done?: boolean | undefined;
}

/** A page of tasks by due date, then id, those without one last; and how many there are in all. */
export async function listTasks(
  table: TablePager,
  scope: CallerScope,
  { type, category, due, done, ...asked }: TaskQuery,
  now: Date,
): Promise<{ count: number; tasks: TaskRecord[] }> {
  const where = { type, category: category === undefined ? undefined : fold(category), done };
  const question = { ...asked, date: due, kind: KIND, where, key: layout.task.key };
  const { count, records } = await listRecords<TaskRecord>(table, scope, question, now);
  return { count, tasks: records };
}
