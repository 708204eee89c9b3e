import { type TaskRecord, taskEntity } from '../entities/tasks.ts';
import type { DateSpan } from '../shared/time/read-moments.ts';
import { fold } from '../shared/text/text.ts';
import type { Change } from './dynamodb/changes.ts';
import { findByIds, listIdChunks } from './dynamodb/records.ts';
import { type Query, type Transition, listRecords, listedChange } from './indexes.ts';
import { layout } from './keys.ts';
import { finderOf } from './visibility.ts';
import type { StoreAccount, StorePager, StoreReader } from './store.ts';

export const findTask = finderOf(taskEntity, layout.task);

/** The change that stores a task, and the task in its new version. */
export const taskChanges = (
  store: StoreAccount,
  transition: Transition<TaskRecord>,
): { record: TaskRecord; change: Change } => listedChange(store, taskEntity, layout.task, transition);

/** The change that removes a task, with its entries in the indexes. */
export const removedTaskChange = ({ account }: StoreAccount, { Id: id, V }: TaskRecord): Change => ({
  remove: layout.task.key({ account, id }),
  if: { equals: { V } },
});

/** All tasks of the account by id, for an export. */
export async function listAllTasks(store: StoreReader): Promise<TaskRecord[]> {
  const { table, account } = store;
  const tasks: TaskRecord[] = [];
  for await (const ids of listIdChunks(store, 'Task'))
    tasks.push(...(await findByIds(table, taskEntity, ids, (id) => layout.task.key({ account, id }))));
  return tasks;
}

/** Every criterion must hold. */
interface TaskQuery extends Omit<Query, 'date'> {
  readonly type?: number | undefined;
  /** Compared without case and accents. */
  readonly category?: string | undefined;
  readonly due: DateSpan;
  /** Whether the tasks are completed; both if absent. */
  readonly done?: boolean | undefined;
}

/** A page of tasks by due date, then id, those without a due date last; and the count of all matches. */
export async function listTasks(
  store: StorePager,
  { type, category, due, done, ...query }: TaskQuery,
  now: Date,
): Promise<{ count: number; tasks: TaskRecord[] }> {
  const where = { type, category: category === undefined ? undefined : fold(category), done };
  const list = { ...query, date: due, open: done === false, where, key: layout.task.key };
  const { count, records } = await listRecords(store, taskEntity, list, now);
  return { count, tasks: records };
}
