import { type RecordOf, entity } from './declaration/entity.ts';
import { decimal, flag, id, moment, numbers, opaque, word } from './declaration/fields.ts';

/** Fields that the contact which stays took from the other one: as they were, and as they are since. */
export type TakenFields = Readonly<Record<string, { readonly before?: unknown; readonly after: unknown }>>;

/**
 * A contact that was merged into another one, or is being parted from it again. It is beside the contact that stays,
 * and tells the erasure of that one what else is of the person.
 */
export const contactMergeEntity = entity('ContactMerge', {
  /** The contact that stays. */
  Id: id(),
  MergedId: id(),
  OrganizationId: id(),
  StartedAt: moment({ required: true }),
  /** While it is moving or parting, records are on their way to the contact that stays, or back. */
  State: word(['moving', 'merged', 'parting'], { required: true }),
  Taken: opaque<TakenFields>(),
  /** The note that says what differed. */
  NoteId: id(),
  /** Notes, tags and files that came with the other one. */
  NoteIds: numbers(),
  TagIds: numbers(),
  FileIds: numbers(),
  /** The credit that came with the other one; an undo gives it back. */
  Credit: decimal(),
  /** Whether it keeps the credit of both from being used while the records are on their way. */
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

/** A record that a merge moved. An undo moves it back, and needs it no longer than it may be undone. */
export const contactMovedEntity = entity('ContactMoved', { Kind: word(movedKinds, { required: true }), Id: id() });
export type ContactMoved = RecordOf<typeof contactMovedEntity>;

/** The older notes of one page that a merge moved. */
export const movedNotesEntity = entity('ContactMovedNotes', { NoteIds: numbers() });
