import { isErased } from '../../entities/erased-contacts.ts';
import { type MergedContacts, mergeContact, partContact } from '../../domain/contacts/merge.ts';
import { contactSizeErrors, notesError } from '../../domain/contacts/record.ts';
import { LIST_LIMITS, describeLimit, exceedsLimit } from '../../domain/list-limits.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { ContactMerge } from '../../entities/merges.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { formatMoney } from '../../shared/money.ts';
import { DAY } from '../../shared/time/time.ts';
import { contactChanges, findGuard, newGuardRanges } from '../../store/contacts/contacts.ts';
import { UNDO_DAYS, findMerge, listMerges, mergeChanges } from '../../store/contacts/merges.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { layout } from '../../store/keys.ts';
import { isVisible } from '../../store/visibility.ts';
import { settingsOf } from '../../store/settings.ts';
import type { WriteContext } from '../context.ts';
import type { StoreReader } from '../../store/store.ts';

/** The contact to return, and the changes that begin a merge or an undo. */
export interface BegunMerge {
  readonly contact: ContactRecord;
  readonly changes: readonly Change[];
}

interface Pair {
  readonly kept: ContactRecord;
  readonly merged: ContactRecord;
}

/**
 * Merges a contact into another one: from the commit on, every call that names it gets the other one. A worker moves
 * its records. Throws conflict if one of the two is merged or being merged already, or if they have too many notes or
 * files together; invalid for the same contact twice, and for contacts of two organizations.
 */
export async function mergeContacts(keptId: number, mergedId: number, context: WriteContext): Promise<BegunMerge> {
  const { store, now } = context;
  if (keptId === mergedId) throw invalid({ field: 'MergeId', code: 'mismatch', message: 'must be another contact' });
  const [pair, customFields, [noteId = 0]] = await Promise.all([
    loadPair(keptId, mergedId, context),
    settingsOf<CustomField>(store, 'CustomField'),
    reserveIds(store, 'Note', 1),
  ]);
  requireFree(pair);
  await requireRest(pair, context);
  const result = mergeContact(pair.kept, pair.merged, { customFields, noteId, at: now.getTime() });
  requireRoom(pair, result.kept);
  return { contact: result.kept, changes: await storeBoth(pair, result, undefined, context) };
}

/** A stored contact, merged or not, if it exists for the caller. */
async function loadStored(store: StoreReader, id: number, field: string): Promise<ContactRecord> {
  const item = await store.table.get(layout.contact.key({ account: store.account, id }));
  if (!item || isErased(item) || !isVisible(store, item)) throw notFound('contact', field, id);
  return contactEntity.read(item);
}

async function loadPair(keptId: number, mergedId: number, { store }: WriteContext): Promise<Pair> {
  const [kept, merged] = await Promise.all([
    loadStored(store, keptId, 'ContactId'),
    loadStored(store, mergedId, 'MergeId'),
  ]);
  return { kept, merged };
}

function requireFree({ kept, merged }: Pair): void {
  if (merged.MergedInto !== undefined)
    throw conflict('wrong_state', `Contact ${merged.Id} is merged into contact ${merged.MergedInto} already.`);
  if (kept.MergedInto !== undefined)
    throw conflict(
      'wrong_state',
      `Contact ${kept.Id} is merged into contact ${kept.MergedInto}. Send that one as ContactId.`,
    );
  if (kept.OrganizationId !== merged.OrganizationId)
    throw invalid({
      field: 'MergeId',
      code: 'mismatch',
      message:
        `is of organization ${merged.OrganizationId}, and contact ${kept.Id} of organization ${kept.OrganizationId}. ` +
        'Only contacts of one organization are merged',
    });
}

/** Throws conflict while an earlier merge still moves records to or from one of the two. */
async function requireRest({ kept, merged }: Pair, { store }: WriteContext): Promise<void> {
  const [own, earlier] = await Promise.all([
    listMerges(store, merged.Id),
    findMerge(store, { Id: kept.Id, MergedId: merged.Id }),
  ]);
  const busy = [...own.filter(({ State }) => State !== 'merged'), ...(earlier ? [earlier] : [])];
  const [first] = busy;
  if (first) throw onItsWay(first);
}

const onItsWay = ({ Id, MergedId, State }: ContactMerge) =>
  conflict(
    'not_ready',
    State === 'parting'
      ? `The merge of contact ${MergedId} into contact ${Id} is being undone. Try again in a minute.`
      : `The records of contact ${MergedId} are still on their way to contact ${Id}. Try again in two minutes.`,
  );

/** Throws conflict if the two together have more than one contact may have. */
function requireRoom({ kept, merged }: Pair, after: ContactRecord): void {
  const filesOf = ({ ContactPictures, ContactDocuments }: ContactRecord) => [...ContactPictures, ...ContactDocuments];
  if (exceedsLimit(LIST_LIMITS.contactFiles, filesOf(kept), filesOf(after)))
    throw conflict(
      'limit_reached',
      `The two contacts have ${filesOf(after).length} files. A contact has ${describeLimit(LIST_LIMITS.contactFiles)}.`,
    );
  const NotePages = after.NotePages + merged.NotePages - (merged.NotePagesRemoved ?? 0);
  const tooMany = notesError({ ...after, NotePages });
  if (tooMany) throw conflict('limit_reached', `The notes of the two contacts ${tooMany}.`);
  const [tooLarge] = contactSizeErrors([after]);
  if (tooLarge) throw conflict('limit_reached', `The fields of the two contacts ${tooLarge.message}.`);
}

async function storeBoth(
  before: Pair,
  { kept, merged, merge }: MergedContacts,
  earlier: ContactMerge | undefined,
  { store, now }: WriteContext,
): Promise<Change[]> {
  const writes = await Promise.all(
    [
      { before: before.kept, after: kept },
      { before: before.merged, after: merged },
    ].map(async (write) => {
      const ranges = newGuardRanges(store, write);
      const guards = ranges.map((range) => findGuard(store, range, write.after.OrganizationId, []));
      return { ...write, guards: await Promise.all(guards) };
    }),
  );
  const beside = mergeChanges(store, { before: earlier, after: merge, now });
  return contactChanges(store, writes, { now, beside });
}

/** Throws conflict if the remaining contact has used credit that came with the other one. */
function requireCredit({ Id, CreditBalance = 0 }: ContactRecord, { MergedId, Credit }: ContactMerge): void {
  if (Credit <= 0 || CreditBalance >= Credit) return;
  throw conflict(
    'overpayment',
    `Contact ${Id} has ${formatMoney(CreditBalance)} of the ${formatMoney(Credit)} credit that came with contact ` +
      `${MergedId}. Give back what was used, then undo the merge: payment/import with the invoice that it paid, a ` +
      'negative Amount and Method Credit.',
  );
}

/**
 * Undoes the merge of a contact: it is itself again, and a worker moves back what came with it and is still there.
 * Throws conflict if it is not merged, after 30 days, while the other one is merged itself, and if that one has used
 * credit that came with it.
 */
export async function unmergeContact(mergedId: number, context: WriteContext): Promise<BegunMerge> {
  const { store, now } = context;
  const merged = await loadStored(store, mergedId, 'MergeId');
  if (merged.MergedInto === undefined) throw conflict('wrong_state', `Contact ${mergedId} is not merged.`);
  const [kept, merge] = await Promise.all([
    loadStored(store, merged.MergedInto, 'MergeId'),
    findMerge(store, { Id: merged.MergedInto, MergedId: mergedId }),
  ]);
  if (kept.MergedInto !== undefined)
    throw conflict(
      'wrong_state',
      `Contact ${kept.Id} has been merged into contact ${kept.MergedInto} since. Undo that merge first.`,
    );
  if (!merge || now.getTime() > merge.StartedAt + UNDO_DAYS * DAY)
    throw conflict('wrong_state', `The merge of contact ${mergedId} is older than ${UNDO_DAYS} days and stays.`);
  requireCredit(kept, merge);
  const result = partContact(kept, merged, merge);
  return { contact: result.merged, changes: await storeBoth({ kept, merged }, result, merge, context) };
}
