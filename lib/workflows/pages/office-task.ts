import type { TaskRecord } from '../../entities/tasks.ts';
import { applyTaskInput, blankTask } from '../../domain/tasks.ts';
import { DAY } from '../../shared/time/time.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { taskChanges } from '../../store/tasks.ts';
import type { ClientContext } from './client.ts';

/** The task type of a call. */
const CALL = 1;

interface OfficeTask {
  readonly OrganizationId: number;
  /** `null` if the contact is unknown. */
  readonly ContactId: number | null;
  readonly Description: string;
  readonly Category?: string;
  /** Defaults to a call. */
  readonly TaskType?: number;
}

/** The context that identifies the office: that of a page call or of a provider's report. */
type OfficeContext = Pick<ClientContext, 'store' | 'now'>;

/** A task for the office, due in a day, and the change that stores it. */
export async function newOfficeTask(
  { store, now }: OfficeContext,
  { Description, Category, TaskType = CALL, ...of }: OfficeTask,
): Promise<{ readonly record: TaskRecord; readonly change: Change }> {
  const [Id = 0] = await reserveIds(store, 'Task', 1);
  const blank = blankTask({ Id, ...of, Created: now.getTime() });
  const due = new Date(now.getTime() + DAY).toISOString();
  const { task } = applyTaskInput(blank, { Description, Category, TaskType, Due: due }, 'UTC');
  return taskChanges(store, { before: undefined, after: task, now });
}

/** The change that creates a task for the office. */
export const officeTaskChange = async (context: OfficeContext, task: OfficeTask): Promise<Change> =>
  (await newOfficeTask(context, task)).change;
