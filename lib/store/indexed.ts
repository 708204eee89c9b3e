import type { Change } from './changes.ts';
import { nextVersion, type Versioned } from './entities.ts';
import type { Facts } from './facts.ts';
import { indexKeys } from './indexes.ts';
import type { Key } from './layout.ts';

/** Where a thing stands in the table and its four indexes. */
interface Place {
  readonly kind: string;
  readonly key: Key;
  readonly of: {
    readonly Id: number;
    readonly OrganizationId: number;
    readonly ContactId: number | null;
    /** When it was last changed, in milliseconds since 1970. */
    readonly Updated: number;
  };
  /** By which lists of the kind are ordered. */
  readonly date: number | null;
  readonly facts: Facts;
}

/**
 * The change that stores a thing in its next version, in the table and in its indexes, and the thing with that version,
 * as it is kept.
 */
export function storeIndexed<Thing extends Versioned>(
  account: string,
  { kind, key, of, date, facts }: Place,
  { before, after }: { before: Thing | undefined; after: Thing },
): { thing: Thing; change: Change } {
  const { Id: id, OrganizationId: organization, ContactId: contact, Updated: updated } = of;
  const indexes = indexKeys({ account, kind, id, organization, contact, date, updated, facts });
  return nextVersion(kind, key, { before, after, indexes });
}
