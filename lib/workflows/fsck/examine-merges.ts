import { contactEntity } from '../../entities/contacts.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import { type PersonalKind, listContactRecordIds } from '../../store/contacts/erasures.ts';
import { findMerge, resumedMergeChanges } from '../../store/contacts/merges.ts';
import { listContactUploads } from '../../store/uploads.ts';
import type { Problem } from './problem.ts';
import type { StoreReader } from '../../store/store.ts';

const KINDS: readonly PersonalKind[] = ['Task', 'Appointment', 'Proposal', 'Invoice', 'Payment', 'Call'];

/** Records that name a merged contact although all were moved: a version from before merges has made them since. */
export async function examineMerged(store: StoreReader, item: Item, now: Date): Promise<Problem[]> {
  const { Id, MergedInto } = contactEntity.part('Id', 'MergedInto').read(item);
  const merge = MergedInto && (await findMerge(store, { Id: MergedInto, MergedId: Id }));
  if (!merge || merge.State !== 'merged') return [];
  const lists = await Promise.all([
    ...KINDS.map((kind) => listContactRecordIds(store, Id, kind)),
    listContactUploads(store, Id),
  ]);
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (!count) return [];
  const naming = count === 1 ? '1 record names' : `${count} records name`;
  const message = `is merged into contact ${MergedInto}, and ${naming} it`;
  const changes = resumedMergeChanges(store, merge, now);
  const repair = { message: 'has the worker move what names it', changes };
  // If the index of records is behind, the worker finds nothing to move.
  return [{ kind: 'summary', key: { PK: item.PK, SK: item.SK }, message, version: Number(item['V']), repair }];
}
