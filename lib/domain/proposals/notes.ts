import type { Proposal } from '../../resources/proposals.ts';
import type { Input } from '../../resources/resource.ts';
import type { Fault } from '../faults.ts';
import type { ProposalNoteRecord } from './record.ts';

type NoteInput = NonNullable<Input<typeof Proposal>['ProposalNotes']>[number];

/** The notes with those a request brings: by Id those there are, the others new, as of now. */
export function mergeNotes(
  before: readonly ProposalNoteRecord[],
  given: readonly NoteInput[],
  { ids, now, isNew }: { ids: readonly number[]; now: number; isNew: boolean },
): { notes: ProposalNoteRecord[]; faults: Fault[] } {
  const notes = new Map(before.map((note) => [note.Id, note]));
  const fresh = ids.values();
  const faults = given.flatMap(({ Id, Note }, index): Fault[] => {
    const kept = notes.get(Id ?? 0);
    const path = `ProposalNotes[${index}]`;
    const text = Note === undefined ? kept?.Note : Note?.trim();
    if (Id && !kept && !isNew)
      return [{ field: `${path}.Id`, message: `names no note of the proposal: there is no ${Id}` }];
    if (!text) return [{ field: `${path}.Note`, message: 'must not be empty' }];
    const id = kept?.Id ?? fresh.next().value ?? 0;
    notes.set(id, { Id: id, Note: text, CreatedAt: kept?.CreatedAt ?? now });
    return [];
  });
  return { notes: [...notes.values()], faults };
}
