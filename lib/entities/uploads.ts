import { type RecordOf, entity } from './declaration/entity.ts';
import { computed, flag, history, id, moment, number, text, word } from './declaration/fields.ts';
import { resourceOf } from './declaration/resource.ts';

/** What is known about a file before its content. */
const target = {
  Id: id({ resource: true }),
  OrganizationId: id(),
  ContactId: id({ resource: true }),
  /** The proposal that the file belongs to; `null` for a file of the contact itself. */
  ProposalId: id({ nullable: true, resource: true }),
  AppointmentId: id({ nullable: true, resource: true }),
  Filename: text({ resource: true, personal: 'named' }),
  Notes: text({ resource: true, personal: 'written' }),
};

const bytes = number({ min: 0, required: true, resource: true });

/** The path of a file below the API's address. */
export const filePath = (id: number): string => `/files/${id}`;

/** An uploaded file whose content was checked: of a contact, or of a proposal if it has a ProposalId. */
export const uploadEntity = entity(
  'Upload',
  {
    ...target,
    ContentType: text({ required: true, resource: true, description: 'As found in the content.' }),
    Bytes: bytes,
    /** Also 0 for pictures of types whose size is not known. */
    Width: number({ min: 0, resource: true, description: 'Pixels; 0 for a document.' }),
    Height: number({ min: 0, resource: true, description: 'Pixels; 0 for a document.' }),
    Path: computed(text({ description: 'The path of the file, below the address of the API.' })),
    IsPicture: flag(),
    /** The unguessable end of its keys in the bucket. */
    Handle: text({ required: true }),
    /** Whether the file is under uploads/; before, it is under incoming/, where files expire. */
    IsKept: flag(),
    /** Signs its URLs (lib/workflows/uploads/load-file.ts). */
    Secret: text({ required: true }),
    /** The queue of the worker that keeps the file (infra/queues.ts). */
    Queue: word(['copies']),
    ...history,
    Created: moment({ required: true, resource: 'CreatedAt' }),
    Updated: moment({ required: true, resource: 'UpdatedAt' }),
  },
  { computed: { Path: ({ Id }) => filePath(Id) } },
);
export type UploadRecord = RecordOf<typeof uploadEntity>;

export const UploadEventData = /* @__PURE__ */ resourceOf(uploadEntity, { title: 'UploadEventData' });

/** A file whose sender puts the content into the bucket, until a second call checks it. */
export const pendingUploadEntity = entity('PendingUpload', {
  ...target,
  /** As declared by the sender. */
  ContentType: text({ required: true }),
  Bytes: bytes,
  Handle: text({ required: true }),
});
export type PendingUpload = RecordOf<typeof pendingUploadEntity>;
