import type { Task } from '../resources/tasks.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { toUtc } from '../shared/format-moments.ts';
import { parseMoment } from '../shared/read-moments.ts';

/** A task as it is kept; moments in milliseconds since 1970. */
export interface TaskRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number | null;
  /** A place in taskTypes. */
  readonly TaskType: number;
  readonly Description: string;
  readonly Note: string;
  readonly Category: string;
  readonly Due: number | null;
  /** Minutes. */
  readonly Duration: number | null;
  /** The name or e-mail of the user; only the company file assigns. */
  readonly AssignedTo: string;
  readonly AssignedToUserId: number | null;
  readonly CompletedAt: number | null;
  readonly CompletedBy: string;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

/** What TaskType means. */
export const taskTypes = ['To-do', 'Call', 'E-mail', 'Text', 'Meeting', 'Visit'] as const;

/** A task of which nothing is known but whose it is. */
export const blankTask = (input: Pick<TaskRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Created'>): TaskRecord => ({
  TaskType: 0,
  Description: '',
  Note: '',
  Category: '',
  Due: null,
  Duration: null,
  AssignedTo: '',
  AssignedToUserId: null,
  CompletedAt: null,
  CompletedBy: '',
  Updated: input.Created,
  V: 0,
  ...input,
});

const utc = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** The task in its complete form. */
export const taskToResource = (task: TaskRecord): Task => ({
  Id: task.Id,
  ContactId: task.ContactId,
  TaskType: task.TaskType,
  TaskTypeDisplay: taskTypes[task.TaskType] ?? '',
  Description: task.Description,
  Note: task.Note,
  TaskCategory: task.Category,
  Due: utc(task.Due),
  Duration: task.Duration,
  AssignedTo: task.AssignedTo,
  AssignedToUserId: task.AssignedToUserId,
  CompletedAt: utc(task.CompletedAt),
  CompletedBy: task.CompletedBy,
  UpdatedAt: toUtc(task.Updated),
});

type Given<Value> = Value | null | undefined;

/** What task/create and task/update bring: `undefined` leaves a field as it is, `null` clears it. */
export interface TaskInput {
  readonly Description?: Given<string>;
  readonly TaskType?: Given<number>;
  readonly DurationMinutes?: Given<number>;
  readonly Due?: Given<string>;
  readonly Category?: Given<string>;
}

/** A moment as text in the zone; with a fault where it is none. */
export function readMoment(
  field: string,
  text: Given<string>,
  zone: string,
): { readonly at: number | null; readonly errors: readonly FieldError[] } {
  if (!text) return { at: null, errors: [] };
  const parsed = parseMoment(text, zone);
  return parsed.ok
    ? { at: parsed.at, errors: [] }
    : { at: null, errors: [{ field, message: `cannot be read: ${parsed.reason}` }] };
}

/**
 * A task with what a request brings laid over it. A task always has a description; a type that is cleared is To-do. Due
 * is read in the zone.
 */
export function applyTaskInput(
  task: TaskRecord,
  input: TaskInput,
  zone: string,
): { readonly task: TaskRecord; readonly errors: readonly FieldError[] } {
  const due = readMoment('Due', input.Due, zone);
  const merged: TaskRecord = {
    ...task,
    ...(input.Description === undefined ? {} : { Description: (input.Description ?? '').trim() }),
    ...(input.TaskType === undefined ? {} : { TaskType: input.TaskType ?? 0 }),
    ...(input.DurationMinutes === undefined ? {} : { Duration: input.DurationMinutes }),
    ...(input.Due === undefined ? {} : { Due: due.at }),
    ...(input.Category === undefined ? {} : { Category: (input.Category ?? '').trim() }),
  };
  return {
    task: merged,
    errors: [...(merged.Description ? [] : [{ field: 'Description', message: 'must not be empty' }]), ...due.errors],
  };
}

/** Whether two states of a task are the same, bookkeeping aside. */
export const isEqualTask = (one: TaskRecord, other: TaskRecord): boolean =>
  (Object.keys(one) as (keyof TaskRecord)[]).every(
    (name) => name === 'V' || name === 'Updated' || one[name] === other[name],
  );

/** A task done, its note appended to those there are on a line of its own; `already` when it was done before. */
export function completeTask(
  task: TaskRecord,
  { note, by, at }: { note: string; by: string; at: number },
): { readonly kind: 'already'; readonly at: number } | { readonly kind: 'completed'; readonly task: TaskRecord } {
  if (task.CompletedAt !== null) return { kind: 'already', at: task.CompletedAt };
  const Note = [task.Note, note.trim()].filter(Boolean).join('\n');
  return { kind: 'completed', task: { ...task, Note, CompletedAt: at, CompletedBy: by } };
}
