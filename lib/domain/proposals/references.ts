import { fold } from '../../shared/text.ts';

/** Something named in a request by its Id, its Name or both; 0 and blank name nothing. */
export interface Named {
  readonly Id?: number | null | undefined;
  readonly Name?: string | null | undefined;
}

interface Thing {
  readonly Id: number;
  readonly Name: string;
}

/** What of it is other than what is kept. */
export interface NamedAnew {
  readonly id?: number;
  readonly name?: string;
}

export const isNamed = ({ Id, Name }: Named): boolean => Boolean(Id || Name?.trim());

export const alikeNamed = (one: string, other: string): boolean => fold(one.trim()) === fold(other.trim());

/**
 * Clients send back what they read and change one of the two: that one says what is meant. Kept 3 `State`: 3 `State` is
 * no change, 4 `State` and 4 alone are number 4, 3 `City` and `City` alone the one of that name.
 */
export const namedAnew = ({ Id, Name }: Named, kept: Thing | null): NamedAnew => ({
  ...(Id && Id !== kept?.Id ? { id: Id } : {}),
  ...(Name?.trim() && !alikeNamed(Name, kept?.Name ?? '') ? { name: Name.trim() } : {}),
});

export type Picked<Of> =
  | { readonly kind: 'kept' }
  | { readonly kind: 'picked'; readonly thing: Of }
  | { readonly kind: 'fault'; readonly field: 'Id' | 'Name'; readonly message: string };

/** Which of `things` a request means, where that is another than the one kept. */
export function pick<Of extends Thing>(
  given: Named,
  kept: Thing | null,
  things: readonly Of[],
  what: string,
): Picked<Of> {
  const { id, name } = namedAnew(given, kept);
  if (id === undefined && name === undefined) return { kind: 'kept' };
  const thing = things.find((each) => (id === undefined ? alikeNamed(each.Name, name ?? '') : each.Id === id));
  const field = id === undefined ? 'Name' : 'Id';
  if (!thing) return { kind: 'fault', field, message: `names no ${what} there is` };
  if (name !== undefined && !alikeNamed(thing.Name, name)) {
    return { kind: 'fault', field: 'Name', message: `is not that of ${what} ${thing.Id}: ${thing.Name}` };
  }
  return { kind: 'picked', thing };
}
