import { type RecordOf, entity } from './declaration/entity.ts';
import { decimal, flag, id, moment, numbers, opaque, word } from './declaration/fields.ts';

/** Fields that the remaining contact took from the other one, with their values before and since. */
export type TakenFields = Readonly<Record<string, { readonly before?: unknown; readonly after: unknown }>>;

/**
 * A contact that was merged into another one, or is being separated from it. It is stored with the remaining contact,
 * whose erasure learns from it what else belongs to the person.
 */
export const contactMergeEntity = entity('ContactMerge', {
  /** The remaining contact. */
  Id: id(),
  MergedId: id(),
  OrganizationId: id(),
  StartedAt: moment({ required: true }),
  /** While `moving` or `parting`, records are on their way to the remaining contact, or back. */
  State: word(['moving', 'merged', 'parting'], { required: true }),
  Taken: opaque<TakenFields>(),
  /** The note that lists the differences. */
  NoteId: id(),
  /** Notes, tags and files that came from the other contact. */
  NoteIds: numbers(),
  TagIds: numbers(),
  FileIds: numbers(),
  /** The credit that came from the other contact; an undo gives it back. */
  Credit: decimal(),
  /** Whether it blocks the credit of both contacts while the records are on their way. */
  HoldsCredit: flag(),
});
export type ContactMerge = RecordOf<typeof contactMergeEntity>;

/** Records that a merge moves, and the links of contacts that named the merged one as referrer or manager. */
const movedKinds = [
  'Task',
  'Appointment',
  'Proposal',
  'Invoice',
  'Payment',
  'Call',
  'Upload',
  'Referrer',
  'ReferrerHash',
  'Manager',
] as const;
export type MovedKind = (typeof movedKinds)[number];

/** A record that a merge moved. An undo moves it back; it is kept only as long as the merge can be undone. */
export const contactMovedEntity = entity('ContactMoved', { Kind: word(movedKinds, { required: true }), Id: id() });
export type ContactMoved = RecordOf<typeof contactMovedEntity>;

/** The older notes of one page that a merge moved. */
export const movedNotesEntity = entity('ContactMovedNotes', { NoteIds: numbers() });
