import type { FieldError } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { fold } from '../../shared/text/text.ts';

/** A record given in a request by its Id, its Name or both; 0 and blank mean nothing. */
export interface NamedReference {
  readonly Id?: number | null | undefined;
  readonly Name?: string | null | undefined;
}

interface NamedRecord {
  readonly Id: number;
  readonly Name: string;
}

export const hasReference = ({ Id, Name }: NamedReference): boolean => Boolean(Id || Name?.trim());

/** Names are the same if their folded forms are. */
export const foldName = (name: string): string => fold(name.trim());

export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

/**
 * The parts of a reference that differ from the current record. Clients send back what they read and change either
 * part: the changed one counts. If the current record is 3 `State`: 3 `State` is not a change, 4 `State` and 4 alone
 * are number 4, 3 `City` and `City` alone are the record named City.
 */
export const resolveNewReference = (
  { Id, Name }: NamedReference,
  current: NamedRecord | null,
): { readonly id?: number; readonly name?: string } => ({
  ...(Id && Id !== current?.Id ? { id: Id } : {}),
  ...(Name?.trim() && !isSameName(Name, current?.Name ?? '') ? { name: Name.trim() } : {}),
});

export type ResolvedReference<Named> =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'found'; readonly record: Named }
  | { readonly kind: 'invalid'; readonly error: FieldError };

/** The record that a reference selects instead of the current one. */
export function resolveReference<Named extends NamedRecord>(
  input: NamedReference,
  current: NamedRecord | null,
  records: readonly Named[],
  noun: string,
): ResolvedReference<Named> {
  const { id, name } = resolveNewReference(input, current);
  if (id === undefined && name === undefined) return { kind: 'unchanged' };
  const record = records.find((each) => (id === undefined ? isSameName(each.Name, name ?? '') : each.Id === id));
  if (!record) {
    const field = id === undefined ? 'Name' : 'Id';
    const hint =
      name === undefined || id !== undefined
        ? ''
        : didYouMean(
            name,
            records.map((each) => each.Name),
          );
    const message = `must be an existing ${noun}; ${id ?? JSON.stringify(name)} is not${hint && `. ${hint}`}`;
    return { kind: 'invalid', error: { field, code: 'not_found', message } };
  }
  if (name !== undefined && !isSameName(record.Name, name)) {
    const message = `must be the name of ${noun} ${record.Id}: ${record.Name}`;
    return { kind: 'invalid', error: { field: 'Name', code: 'mismatch', message } };
  }
  return { kind: 'found', record };
}
