import type { TaskRecord } from '../domain/tasks.ts';
import { fold } from '../domain/words.ts';
import type { Change } from './changes.ts';
import type { TablePager, TableReader } from './client.ts';
import { nextVersion, thingOf } from './entities.ts';
import type { Span } from './facts.ts';
import { indexKeys } from './indexes.ts';
import { layout } from './layout.ts';
import { list } from './listing.ts';

const KIND = 'Task';

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** The task, where it exists for a caller who sees one organization, or all (`null`). */
export async function findTask(
  table: TableReader,
  { accountId, organizationId }: Viewer,
  id: number,
): Promise<TaskRecord | undefined> {
  const item = await table.get(layout.task.key({ account: accountId, id }));
  return item && (organizationId === null || item['OrganizationId'] === organizationId)
    ? thingOf<TaskRecord>(item)
    : undefined;
}

/** T its type, C its category however written, D whether it is done. */
const factsOf = ({ TaskType, Category, CompletedAt }: TaskRecord) => ({
  T: TaskType,
  C: fold(Category),
  D: CompletedAt !== null,
});

/** The change that stores a task as it is now, and the task with its new version. */
export function storeTask(
  account: string,
  { before, after, now }: { before: TaskRecord | undefined; after: TaskRecord; now: Date },
): { thing: TaskRecord; change: Change } {
  const task = { ...after, Updated: now.getTime() };
  const { Id, OrganizationId, ContactId, Due, Updated } = task;
  const indexes = indexKeys({
    account,
    kind: KIND,
    id: Id,
    organization: OrganizationId,
    contact: ContactId,
    date: Due,
    updated: Updated,
    facts: factsOf(task),
  });
  return nextVersion(KIND, layout.task.key({ account, id: Id }), { before, after: task, indexes });
}

/** What tasks are asked for; every criterion given must hold. */
export interface TaskQuery {
  readonly id?: number | undefined;
  readonly contact?: number | undefined;
  readonly type?: number | undefined;
  /** However written. */
  readonly category?: string | undefined;
  readonly due: Span;
  readonly updated: Span;
  /** `true` and `false` for those that are done and those that are not; both when not given. */
  readonly done?: boolean | undefined;
  readonly skip: number;
  readonly take: number;
}

/** A page of tasks by due date, then id, those without one last; and how many there are in all. */
export async function queryTasks(
  table: TablePager,
  { accountId, organizationId }: Viewer,
  asked: TaskQuery,
  now: Date,
): Promise<{ count: number; tasks: TaskRecord[] }> {
  const { id, contact, type, category, due, updated, done, skip, take } = asked;
  const { count, items } = await list(
    table,
    {
      account: accountId,
      organization: organizationId,
      kind: KIND,
      id,
      contact,
      date: due,
      updated,
      skip,
      take,
      where: { T: type, C: category === undefined ? undefined : fold(category), D: done },
      key: (task) => layout.task.key({ account: accountId, id: task }),
    },
    now,
  );
  return { count, tasks: items.map((item) => thingOf<TaskRecord>(item)) };
}
