import { isDeepStrictEqual } from 'node:util';
import type { Example } from './release.ts';

/** Ids in answers to changes, by the name of their field; of `Id` by the group. */
export type KnownIds = Map<string, Set<number>>;

/** The first records of a company, which the examples name. */
const FIRST_IDS = [1, 2, 3];

/** How records are found of which the examples of reads name no id. */
export const readsById: readonly Example[] = [
  { name: 'contacts/locate', access: 'read', example: { IdSearch: 1 } },
  { name: 'appointments/find', access: 'read', example: { AppointmentId: 1 } },
  { name: 'invoice/query', access: 'read', example: { ContactId: 1 } },
  { name: 'proposal/query', access: 'read', example: { ContactId: 1 } },
  { name: 'task/query', access: 'read', example: { TaskId: 1 } },
  { name: 'task/query', access: 'read', example: { ContactId: 1 } },
  { name: 'datasubscriber/fetch', access: 'read', example: { EventCount: 1_000 } },
];

const isIdName = (field: string): boolean => field === 'IdSearch' || field.endsWith('Id');

const keyOf = (operation: string, field: string): string =>
  field === 'Id' || field === 'IdSearch' ? `${operation.split('/')[0]}.Id` : field;

/** Notes every id of an answer. */
export function noteIds(ids: KnownIds, operation: string, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  for (const [field, value] of Object.entries(answer)) {
    if (isIdName(field) && typeof value === 'number' && value > 0) {
      const key = keyOf(operation, field);
      ids.set(key, (ids.get(key) ?? new Set(FIRST_IDS)).add(value));
    } else noteIds(ids, operation, value);
  }
}

/** What is asked of an operation: its example, and the same of every record that is known. */
export function requestsFor({ name: operation, example }: Example, ids: KnownIds): object[] {
  const [field, first] =
    Object.entries(example).find(([name, value]) => isIdName(name) && Number.isInteger(Number(value))) ?? [];
  if (!field) return [example];
  const known = [...(ids.get(keyOf(operation, field)) ?? FIRST_IDS)];
  return [example, ...known.map((id) => ({ ...example, [field]: typeof first === 'string' ? String(id) : id }))];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Where an answer lacks what another one says, or says otherwise, but for fields with these names. What it says besides
 * does not matter.
 */
export function differences(
  said: unknown,
  answer: unknown,
  { path = '', besides = {} }: { readonly path?: string; readonly besides?: object } = {},
): string[] {
  if (isDeepStrictEqual(said, answer)) return [];
  if (!isObject(said) || !isObject(answer)) return [`${path}: ${JSON.stringify(said)} and ${JSON.stringify(answer)}`];
  if (Array.isArray(said) && Array.isArray(answer) && said.length !== answer.length)
    return [`${path}: ${said.length} and ${answer.length} entries`];
  return Object.entries(said).flatMap(([name, value]) =>
    name in besides ? [] : differences(value, answer[name], { path: path ? `${path}.${name}` : name, besides }),
  );
}
