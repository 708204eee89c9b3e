import { fold } from '../../shared/text.ts';

/** Something named in a request by its Id, its Name or both; 0 and blank name nothing. */
export interface NamedReference {
  readonly Id?: number | null | undefined;
  readonly Name?: string | null | undefined;
}

interface Thing {
  readonly Id: number;
  readonly Name: string;
}

/** What of it is other than what is kept. */
export interface NewReference {
  readonly id?: number;
  readonly name?: string;
}

export const hasReference = ({ Id, Name }: NamedReference): boolean => Boolean(Id || Name?.trim());

export const isSameName = (one: string, other: string): boolean => fold(one.trim()) === fold(other.trim());

/**
 * Clients send back what they read and change one of the two: that one says what is meant. Kept 3 `State`: 3 `State` is
 * no change, 4 `State` and 4 alone are number 4, 3 `City` and `City` alone the one of that name.
 */
export const resolveNewReference = ({ Id, Name }: NamedReference, kept: Thing | null): NewReference => ({
  ...(Id && Id !== kept?.Id ? { id: Id } : {}),
  ...(Name?.trim() && !isSameName(Name, kept?.Name ?? '') ? { name: Name.trim() } : {}),
});

export type ResolvedName<Of> =
  | { readonly kind: 'kept' }
  | { readonly kind: 'picked'; readonly record: Of }
  | { readonly kind: 'fault'; readonly field: 'Id' | 'Name'; readonly message: string };

/** Which of `things` a request means, where that is another than the one kept. */
export function resolveReference<Of extends Thing>(
  input: NamedReference,
  kept: Thing | null,
  records: readonly Of[],
  what: string,
): ResolvedName<Of> {
  const { id, name } = resolveNewReference(input, kept);
  if (id === undefined && name === undefined) return { kind: 'kept' };
  const record = records.find((each) => (id === undefined ? isSameName(each.Name, name ?? '') : each.Id === id));
  const field = id === undefined ? 'Name' : 'Id';
  if (!record) return { kind: 'fault', field, message: `names no ${what} there is` };
  if (name !== undefined && !isSameName(record.Name, name)) {
    return { kind: 'fault', field: 'Name', message: `is not that of ${what} ${record.Id}: ${record.Name}` };
  }
  return { kind: 'picked', record };
}
