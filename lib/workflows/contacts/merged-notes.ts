import { oldestOf, sortedNotes, splitByIds } from '../../domain/contacts/merge.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ContactMerge } from '../../entities/merges.ts';
import { contactChanges, findContacts, listOlderNotePages } from '../../store/contacts/contacts.ts';
import { listMovedNotes, movedNotesChange, unchangedMerge } from '../../store/contacts/merges.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { PatientStore } from '../../store/store.ts';

/** Moves older notes of merged contacts, which have pages of their own: the newest went with the merge itself. */

interface NoteWork {
  readonly store: PatientStore;
  readonly now: () => Date;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Both contacts in their current state, if both still exist. */
async function findBoth({ store }: NoteWork, { Id, MergedId }: ContactMerge) {
  const [kept, merged] = await findContacts(store, [Id, MergedId], { asRecorded: true });
  return kept && merged && { kept, merged };
}

/** Repeats a step until nothing is left or the deadline has passed; returns whether nothing is left. */
async function repeatUntil(deadline: number, step: () => Promise<boolean>): Promise<boolean> {
  while (Date.now() < deadline) if (!(await retryOnConflict(step))) return true;
  return false;
}

/** Moves page after page to the remaining contact. Returns whether all were moved before the deadline. */
export const moveOlderNotes = (work: NoteWork, merge: ContactMerge): Promise<boolean> =>
  repeatUntil(work.deadline, async () => {
    const { store } = work;
    const both = await findBoth(work, merge);
    const [first] = both ? await listOlderNotePages(store, both.merged) : [];
    if (!both || !first) return false;
    const { kept, merged } = both;
    const { own } = splitByIds(first.notes, idsOf(kept));
    const Notes = sortedNotes([...own, ...kept.Notes]);
    await commitBoth(
      work,
      merge,
      [
        { before: kept, after: { ...kept, ...oldestOf(kept, merged), Notes } },
        { before: merged, after: { ...merged, NotePagesRemoved: first.page } },
      ],
      [
        { remove: first.key },
        movedNotesChange(store, merge.MergedId, { page: first.page, ids: first.notes.map(({ Id }) => Id) }, work.now()),
      ],
    );
    return true;
  });

const idsOf = ({ Notes }: ContactRecord): number[] => Notes.map(({ Id }) => Id);

const commitBoth = (
  { store, now }: NoteWork,
  merge: ContactMerge,
  writes: readonly { readonly before: ContactRecord; readonly after: ContactRecord }[],
  beside: readonly Change[],
): Promise<void> =>
  store.table.commit([
    ...contactChanges(
      store,
      writes.map((write) => ({ ...write, guards: [] })),
      { now: now(), beside },
    ),
    unchangedMerge(store, merge),
  ]);

/** Moves the other contact's notes back in their current state. Returns whether all were moved before the deadline. */
export async function returnOlderNotes(work: NoteWork, merge: ContactMerge): Promise<boolean> {
  const { store } = work;
  const pages = await listMovedNotes(store, merge.MergedId);
  const ids = [...merge.NoteIds, ...pages.flatMap(({ noteIds }) => noteIds)];
  const isThrough = await repeatUntil(work.deadline, async () => {
    const both = await findBoth(work, merge);
    if (!both) return false;
    const { kept, merged } = both;
    const stored = await listOlderNotePages(store, kept);
    const page = stored
      .map((each) => ({ ...each, ...splitByIds(each.notes, [...ids, merge.NoteId]) }))
      .find(({ others }) => others.length);
    const inItem = splitByIds(kept.Notes, ids);
    const found = [...inItem.others, ...(page?.others ?? [])].filter(({ Id }) => Id !== merge.NoteId);
    if (!page && !inItem.others.length) return false;
    const { own } = splitByIds(found, idsOf(merged));
    const Notes = sortedNotes([...own, ...merged.Notes]);
    await commitBoth(
      work,
      merge,
      [
        { before: kept, after: { ...kept, Notes: inItem.own } },
        { before: merged, after: { ...merged, ...oldestOf(merged, kept), Notes } },
      ],
      page ? [page.own.length ? { put: { ...page.key, Notes: page.own } } : { remove: page.key }] : [],
    );
    return true;
  });
  if (isThrough)
    await store.table.putMany(
      [],
      pages.map(({ key }) => key),
    );
  return isThrough;
}
