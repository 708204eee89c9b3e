import { type RecordOf, entity } from './declaration/entity.ts';
import { flag, history, id, number, text, word } from './declaration/fields.ts';

/** What is known of a file before its content. */
const target = {
  Id: id({ resource: true }),
  OrganizationId: id(),
  ContactId: id({ resource: true }),
  /** The proposal that the file belongs to; `null` for a file of the contact itself. */
  ProposalId: id({ nullable: true, resource: true }),
  AppointmentId: id({ nullable: true, resource: true }),
  Filename: text({ resource: true, personal: 'named' }),
  Notes: text({ resource: true, personal: 'written' }),
  Bytes: number({ required: true, resource: true }),
};

/** A file that people uploaded and that was checked. */
export const uploadEntity = entity('Upload', {
  ...target,
  /** As found in the content. */
  ContentType: text({ required: true, resource: true }),
  /** Pixels; 0 for a document, and for pictures of types without a known size. */
  Width: number({ resource: true }),
  Height: number({ resource: true }),
  IsPicture: flag(),
  /** The unguessable end of its keys in the bucket. */
  Handle: text({ required: true }),
  /** Whether the file lies under uploads/; until then it is under incoming/, where it would expire. */
  IsKept: flag(),
  /** Signs its addresses (lib/workflows/uploads/load-file.ts). */
  Secret: text({ required: true }),
  /** The queue of the worker that keeps the file (infra/queues.ts). */
  Queue: word(['copies']),
  ...history,
});
export type UploadRecord = RecordOf<typeof uploadEntity>;

/** A file whose content its sender puts into the bucket, until a second call checks it. */
export const pendingUploadEntity = entity('PendingUpload', {
  ...target,
  /** As declared. */
  ContentType: text({ required: true }),
  Handle: text({ required: true }),
});
export type PendingUpload = RecordOf<typeof pendingUploadEntity>;
