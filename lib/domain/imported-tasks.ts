import { type TaskRecord, taskTypes } from '../entities/tasks.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { fold } from '../shared/text/text.ts';
import { isSameSecond } from '../shared/time/read-moments.ts';
import { type TaskInput, applyTaskInput, readMoment } from './tasks.ts';

/** A task of a company file, which also has fields that no operation sets. */
export interface ImportedTask extends TaskInput {
  readonly Note?: string | null | undefined;
  readonly AssignedTo?: string | null | undefined;
  readonly AssignedToUserId?: number | null | undefined;
  readonly CompletedAt?: string | null | undefined;
  readonly CompletedBy?: string | null | undefined;
}

/** Tasks are the same if contact and description are, ignoring case. */
type TaskIdentity = Pick<TaskRecord, 'ContactId' | 'Description'>;

const identityOf = ({ ContactId, Description }: TaskIdentity): string =>
  `${ContactId ?? ''}#${fold(Description.trim())}`;

/**
 * The existing record of each imported task; `undefined` for a new task. Among equal ones the first in the file is the
 * oldest record, and so on.
 */
export function matchImportedTasks(
  existing: readonly TaskRecord[],
  imported: readonly TaskIdentity[],
): (TaskRecord | undefined)[] {
  const byIdentity = Map.groupBy(
    [...existing].sort((a, b) => a.Id - b.Id),
    identityOf,
  );
  return imported.map((task) => byIdentity.get(identityOf(task))?.shift());
}

/**
 * The task as the file describes it: omitted fields are empty. Moments are read in the zone. The file has them to the
 * second, so an equal one keeps its milliseconds.
 */
export function applyImportedTask(
  before: TaskRecord,
  imported: ImportedTask,
  zone: string,
): { readonly task: TaskRecord; readonly errors: readonly FieldError[] } {
  const { Description = '', TaskType = 0, DurationMinutes = null, Due = null, Category = '' } = imported;
  const { task, errors } = applyTaskInput(before, { Description, TaskType, DurationMinutes, Due, Category }, zone);
  const completed = readMoment('CompletedAt', imported.CompletedAt, zone);
  return {
    task: {
      ...task,
      Note: imported.Note ?? '',
      AssignedTo: imported.AssignedTo ?? '',
      AssignedToUserId: imported.AssignedToUserId ?? null,
      CompletedAt: isSameSecond(before.CompletedAt, completed.at) ? before.CompletedAt : completed.at,
      CompletedBy: imported.CompletedBy ?? '',
    },
    errors: [
      ...errors,
      ...collectErrors(['TaskType', TaskType !== null && !taskTypes[TaskType] && 'must be 0 to 5', 'unknown_value']),
      ...completed.errors,
    ],
  };
}
