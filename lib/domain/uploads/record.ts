import type { ContactDocument, ContactPicture } from '../../resources/contacts.ts';
import type { Output } from '../../resources/resource.ts';
import { toUtc } from '../../shared/time/format-moments.ts';

/** What is known of a file before its content. */
interface UploadTarget {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  /** The proposal that the file belongs to; `null` for a file of the contact itself. */
  readonly ProposalId: number | null;
  readonly AppointmentId: number | null;
  readonly Filename: string;
  readonly Notes: string;
  readonly Bytes: number;
}

/** A file that people uploaded and that was checked. Moments in milliseconds since 1970. */
export interface UploadRecord extends UploadTarget {
  /** As found in the content. */
  readonly ContentType: string;
  /** Pixels; 0 for a document, and for pictures of types without a known size. */
  readonly Width: number;
  readonly Height: number;
  readonly IsPicture: boolean;
  /** The unguessable end of its keys in the bucket. */
  readonly Handle: string;
  /** Whether the file lies under uploads/; until then it is under incoming/, where it would expire. */
  readonly IsKept: boolean;
  /** Signs its addresses (lib/domain/uploads/address.ts). */
  readonly Secret: string;
  /** The queue of the worker that keeps the file (infra/queues.ts). */
  readonly Queue: 'copies';
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

/** A file whose content its sender puts into the bucket, until a second call checks it. */
export interface PendingUpload extends UploadTarget {
  /** As declared. */
  readonly ContentType: string;
  readonly Handle: string;
}

/** Where a signed address for sending puts a file. */
export const sentFileKey = (account: string, { Id, Handle }: Pick<PendingUpload, 'Id' | 'Handle'>): string =>
  `incoming/${account}/${Id}/sent-${Handle}`;

/** Where a checked file lies until its record is committed and a worker copied it. */
export const incomingFileKey = (account: string, { Id, Handle }: Pick<UploadRecord, 'Id' | 'Handle'>): string =>
  `incoming/${account}/${Id}/${Handle}`;

/** Where a file lies for good. */
export const keptFileKey = (account: string, { Id, Handle }: Pick<UploadRecord, 'Id' | 'Handle'>): string =>
  `uploads/${account}/${Id}/${Handle}`;

/** Where a file can be read now. */
export const fileKey = (account: string, upload: UploadRecord): string =>
  upload.IsKept ? keptFileKey(account, upload) : incomingFileKey(account, upload);

const common = ({ Id, Filename, AppointmentId, Notes, Created, Updated }: UploadRecord) => ({
  Id,
  Filename,
  AppointmentId,
  Notes,
  CreatedAt: toUtc(Created),
  UpdatedAt: toUtc(Updated),
});

export const toContactDocument = (upload: UploadRecord): Output<typeof ContactDocument> => common(upload);

export const toContactPicture = (upload: UploadRecord): Output<typeof ContactPicture> => ({
  ...common(upload),
  Width: upload.Width,
  Height: upload.Height,
});

/** The path of a file, below the address of the API. */
export const filePath = (id: number): string => `/files/${id}`;

/** A file as its event has it. */
export function uploadToResource(upload: UploadRecord): Readonly<Record<string, unknown>> {
  const { ContactId, ProposalId, ContentType, Bytes, Width, Height, Id } = upload;
  return { ...common(upload), ContactId, ProposalId, ContentType, Bytes, Width, Height, Path: filePath(Id) };
}
