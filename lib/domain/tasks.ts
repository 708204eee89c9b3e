import { type Task, type TaskFields, type TaskRecord, taskEntity } from '../entities/tasks.ts';
import { applyText, applyValue } from '../resources/fields.ts';
import { isEqual, omit } from '../shared/objects.ts';
import { type RecordDate, toRecordDate } from './record-dates.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { parseMoment } from '../shared/time/read-moments.ts';

/** A new task, without a description. */
export const blankTask = (of: Pick<TaskRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Created'>): TaskRecord =>
  taskEntity.blank(of);

export const taskToResource = (task: TaskRecord): Task => taskEntity.toResource(task);

/**
 * The fields of task/create and task/update besides the contact: `undefined` leaves a field as it is, `null` clears it.
 */
export type TaskInput = Omit<TaskFields, 'ContactId'>;

/** An optional moment in a field, read in the zone. */
export function readMoment(
  field: string,
  text: string | null | undefined,
  zone: string,
): { readonly at: number | null; readonly errors: readonly FieldError[] } {
  if (!text) return { at: null, errors: [] };
  const parsed = parseMoment(text, zone);
  if (parsed.ok) return { at: parsed.at, errors: [] };
  return { at: null, errors: [{ field, code: 'format', message: `cannot be read: ${parsed.reason}` }] };
}

/**
 * Applies an input; Due is read in the zone. A task always has a description, so an empty one is ignored. A cleared
 * type becomes To-do.
 */
export function applyTaskInput(
  task: TaskRecord,
  input: TaskInput,
  zone: string,
): { readonly task: TaskRecord; readonly errors: readonly FieldError[] } {
  const due = input.Due === undefined ? dueOf(task) : readDue(task, input.Due, zone);
  const merged: TaskRecord = {
    ...task,
    Description: input.Description?.trim() || task.Description,
    TaskType: applyValue(input.TaskType, task.TaskType, 0),
    Duration: applyValue(input.DurationMinutes, task.Duration, null),
    Due: due.at,
    Day: due.Day,
    Zone: due.Zone,
    Category: applyText(input.Category, task.Category),
  };
  const errors = collectErrors(['Description', !merged.Description && 'must not be empty', 'required']);
  return { task: merged, errors: [...errors, ...due.errors] };
}

type Due = RecordDate & { readonly errors: readonly FieldError[] };

const dueOf = ({ Due, Day, Zone }: TaskRecord): Due => ({ at: Due, Day, Zone, errors: [] });

function readDue(task: TaskRecord, text: string | null, zone: string): Due {
  if (!text) return { at: null, Day: '', Zone: '', errors: [] };
  const parsed = parseMoment(text, zone);
  const before = dueOf(task);
  if (parsed.ok) return { ...toRecordDate(parsed, zone, before), errors: [] };
  return { ...before, errors: [{ field: 'Due', code: 'format', message: `cannot be read: ${parsed.reason}` }] };
}

/** Whether two states of a task are equal, except for V and Updated. */
export const isEqualTask = (one: TaskRecord, other: TaskRecord): boolean =>
  isEqual(omit(one, 'V', 'Updated'), omit(other, 'V', 'Updated'));

/** Completes a task and appends the note on a line of its own; `already` if it had been completed before. */
export function completeTask(
  task: TaskRecord,
  { note, by, at }: { note: string; by: string; at: number },
): { readonly kind: 'already'; readonly at: number } | { readonly kind: 'completed'; readonly task: TaskRecord } {
  if (task.CompletedAt !== null) return { kind: 'already', at: task.CompletedAt };
  const Note = [task.Note, note.trim()].filter(Boolean).join('\n');
  return { kind: 'completed', task: { ...task, Note, CompletedAt: at, CompletedBy: by } };
}
