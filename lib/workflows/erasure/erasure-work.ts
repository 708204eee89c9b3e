import type { ErasureCount, ErasureRecord } from '../../entities/erasures.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type Person, personOf, withoutShared } from '../../domain/contacts/person.ts';
import type { Identity } from '../../domain/contacts/former.ts';
import type { Files } from '../../files/s3.ts';
import type { PatientStore } from '../../store/store.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { chunks } from '../../store/dynamodb/table.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { erasureProgressChange, listSharing } from '../../store/contacts/erasures.ts';
import type { Key } from '../../store/keys.ts';

/** An erasure under way. */
export interface Work {
  readonly store: PatientStore;
  readonly contactId: number;
  /** `undefined` on a stack without a bucket. */
  readonly files: Files | undefined;
  /** Where Lambda writes the batches that it discards. */
  readonly discardedPrefix: string;
  /** How long it waits for the event queue. */
  readonly patience: number;
  /** Calls that began before this run may still write, so a second pass follows after this time. */
  readonly settleMilliseconds: number;
  readonly now: () => Date;
  readonly erasure: ErasureRecord;
  readonly contact: ContactRecord;
  readonly person: Person;
  readonly former: readonly Identity[];
  readonly redactsMentions: boolean;
  /** The secret of the account, for business keys that name the person. */
  readonly secret: string;
}

/** The contact, and those that were merged into it. */
export const idsOf = ({ contactId, erasure }: Work): number[] => [contactId, ...(erasure.Merged ?? [])];

/** Other contacts that share an e-mail or a phone with the person. */
export const findSharing = ({ store, contact, former }: Work): Promise<ContactRecord[]> =>
  listSharing(store, contact.Id, [contact, ...former]);

/** The person as others identify them: without a mailbox or phone that other contacts share, which remains theirs. */
export function personToOthers({ contact, former }: Work, sharing: readonly ContactRecord[]): Person {
  return personOf(
    withoutShared(contact, sharing),
    former.map((state) => withoutShared(state, sharing)),
  );
}

/** Commits a part of the work with its count. */
export async function commit(
  { store, erasure }: Work,
  changes: readonly Change[],
  counts: Partial<Record<ErasureCount, number>>,
  written: readonly string[] = [],
): Promise<void> {
  if (!changes.length && !Object.values(counts).some(Boolean)) return;
  await store.table.commit([...changes, erasureProgressChange(store, erasure, counts, written)]);
}

/** Changes per transaction, besides the count. */
export const REMOVALS_AT_ONCE = 90;

export async function removeKeys(work: Work, keys: readonly Key[], count?: ErasureCount): Promise<void> {
  for (const some of chunks(keys, REMOVALS_AT_ONCE))
    await retryUnavailable(() =>
      commit(
        work,
        some.map((remove) => ({ remove })),
        count ? { [count]: some.length } : {},
      ),
    );
}
