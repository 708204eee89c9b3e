import type { ContactDocument, ContactPicture } from '../../entities/contact-parts.ts';
import { type PendingUpload, type UploadRecord, uploadEntity } from '../../entities/uploads.ts';
import type { Output } from '../../resources/fields.ts';
import { toUtc } from '../../shared/time/time.ts';

/** The key under which a sender puts a file with a signed address. */
export const sentFileKey = (account: string, { Id, Handle }: Pick<PendingUpload, 'Id' | 'Handle'>): string =>
  `incoming/${account}/${Id}/sent-${Handle}`;

/** The key of a checked file until its record is committed and a worker has copied it. */
export const incomingFileKey = (account: string, { Id, Handle }: Pick<UploadRecord, 'Id' | 'Handle'>): string =>
  `incoming/${account}/${Id}/${Handle}`;

/** The permanent key of a file. */
export const keptFileKey = (account: string, { Id, Handle }: Pick<UploadRecord, 'Id' | 'Handle'>): string =>
  `uploads/${account}/${Id}/${Handle}`;

/** The key under which a file can be read now. */
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

/** A file as in its event. */
export const uploadToResource = (upload: UploadRecord) => uploadEntity.toResource(upload);
