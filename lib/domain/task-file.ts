import type { Fault } from './faults.ts';
import { mergeTask, readMoment, taskTypes, type TaskInput, type TaskRecord } from './tasks.ts';
import { fold } from './words.ts';

/** A task of the company file: also what no operation brings. A completed one has the moment it was completed. */
export interface FileTask extends TaskInput {
  readonly Description: string;
  readonly Note?: string | undefined;
  readonly AssignedTo?: string | undefined;
  readonly AssignedToUserId?: number | null | undefined;
  readonly CompletedAt?: string | undefined;
  readonly CompletedBy?: string | undefined;
}

const identity = (ContactId: number | null, Description: string): string =>
  `${ContactId ?? ''}#${fold(Description.trim())}`;

/**
 * The tasks that the file's tasks are, of those there are: the same contact and description, whatever its case. Of
 * several that are alike the first in the file is the oldest there is, and so on, so that a file imported again finds
 * each of them. `undefined` is a new one.
 */
export function pairTasks(
  existing: readonly TaskRecord[],
  wanted: readonly { readonly ContactId: number | null; readonly Description: string }[],
): (TaskRecord | undefined)[] {
  const known = Map.groupBy(
    [...existing].sort((a, b) => a.Id - b.Id),
    ({ ContactId, Description }) => identity(ContactId, Description),
  );
  return wanted.map(({ ContactId, Description }) => known.get(identity(ContactId, Description))?.shift());
}

/**
 * A task as the file says. What the file leaves out is empty, so that the file is the whole of it; moments are read in
 * the zone.
 */
export function mergeFileTask(
  task: TaskRecord,
  given: FileTask,
  zone: string,
): { readonly task: TaskRecord; readonly faults: readonly Fault[] } {
  const { Description, TaskType = 0, DurationMinutes = null, Due = null, Category = '' } = given;
  const { task: merged, faults } = mergeTask(task, { Description, TaskType, DurationMinutes, Due, Category }, zone);
  const completed = readMoment('CompletedAt', given.CompletedAt, zone);
  const known = TaskType === null || taskTypes[TaskType] !== undefined;
  return {
    task: {
      ...merged,
      Note: given.Note ?? '',
      AssignedTo: given.AssignedTo ?? '',
      AssignedToUserId: given.AssignedToUserId ?? null,
      CompletedAt: completed.at,
      CompletedBy: given.CompletedBy ?? '',
    },
    faults: [...faults, ...(known ? [] : [{ field: 'TaskType', message: 'must be 0 to 5' }]), ...completed.faults],
  };
}
