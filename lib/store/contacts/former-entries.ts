import type { ContactRecord } from '../../entities/contacts.ts';
import { type FormerState, restoreFormer } from '../../domain/contacts/former.ts';
import { contactEntryKeys, guardRanges } from './contact-index.ts';
import { writtenEmail } from '../../shared/text/text.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Key, layout } from '../keys.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

/** Lets the erasure of a person find what former names, addresses and phones have left in the index. */

/** What changes of a contact have left behind. */
interface Former {
  /** The state before a change. */
  readonly Was?: FormerState;
  /** Stored by earlier versions instead: entries, and partitions of guards. */
  readonly Keys?: readonly Key[];
  readonly Partitions?: readonly string[];
}

const listFormer = async ({ table, account }: StoreReader, id: number): Promise<readonly Former[]> =>
  (await listRange(table, {
    partition: layout.contactFormer.of({ account, id }),
    from: 'FORMER#',
    to: 'FORMER#~',
    consistent: true,
  })) as Former[];

/** The states that a contact once had, oldest first. */
export async function listFormerStates(store: StoreReader, contact: ContactRecord): Promise<ContactRecord[]> {
  const former = await listFormer(store, contact.Id);
  return former.flatMap(({ Was }) => (Was ? [restoreFormer(contact, Was)] : []));
}

/**
 * Keys of search entries of a contact's former states, without numbered ones. Most of the entries are already removed.
 */
export async function listFormerEntries(store: StoreReader, contact: ContactRecord): Promise<Key[]> {
  const former = await listFormer(store, contact.Id);
  return former.flatMap(({ Was, Keys = [] }) => [
    ...Keys,
    ...(Was ? contactEntryKeys(store, restoreFormer(contact, Was)) : []),
  ]);
}

/** Earlier versions kept the domain of an e-mail as written, in Unicode or as `xn--`. */
const writtenEmailPartition = ({ account }: StoreAccount, Email: string): string =>
  layout.contactEmail.of({ account, email: writtenEmail(Email) });

/** Partitions in which a contact has or had numbered entries. */
export async function listGuardPartitions(store: StoreReader, contact: ContactRecord): Promise<string[]> {
  const former = await listFormer(store, contact.Id);
  const states = [contact, ...former.flatMap(({ Was }) => (Was ? [restoreFormer(contact, Was)] : []))];
  return [
    ...new Set([
      ...states.flatMap((state) => guardRanges(store, state).map(({ partition }) => partition)),
      ...states.flatMap(({ Email }) => (Email ? [writtenEmailPartition(store, Email)] : [])),
      ...former.flatMap(({ Partitions = [] }) => Partitions),
    ]),
  ];
}
