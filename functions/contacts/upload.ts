import { operation, save } from '../../lib/api/operation.ts';
import { ContactUpload, uploadFiles, uploadFormDocument, uploadUrls } from '../../lib/resources/contacts.ts';
import { nested, required } from '../../lib/resources/fields.ts';
import { uploadOperation } from '../../lib/workflows/uploads/upload-operation.ts';
import { uploadToContact } from '../../lib/workflows/uploads/upload-files.ts';

export const upload = operation({
  title: 'Upload files of a contact',
  summary: 'Stores pictures and documents of a contact.',
  rules: [
    'Send multipart/form-data, with upload as JSON or its fields as parts of their own and each part with a file ' +
      'name as a file; or JSON with the files in base64.',
    'A call takes at most 20 files of 4,500,000 bytes together. A larger file, up to 100 MB, is sent to an address ' +
      'of UploadUrls: [files](/docs#description/files).',
    'The content decides what a file is: JPEG, PNG, GIF, WebP and other pictures are in ContactPictures, all others ' +
      'in ContactDocuments.',
    'Programs, scripts, HTML and SVG are 400.',
    'A contact has at most 200 files.',
    'The key comes in the header X-Api-Key, or in a form field ApiKey before the files.',
    'GET /files/{UploadId} returns a file.',
  ],
  ...uploadOperation,
  request: () => ({ upload: required(nested(ContactUpload)), ...uploadFiles() }),
  response: () => ({ upload: nested(ContactUpload), ...uploadUrls() }),
  failures: ['notFound'],
  document: () => uploadFormDocument('ContactId'),
  example: {
    upload: { ContactId: 1, Note: 'Before the work' },
    files: [{ Filename: 'meter.txt', ContentType: 'text/plain', Content: 'MTggNDIx' }],
  },
  async run(request, context) {
    const { form, urls, message, changes, undo } = await uploadToContact(request, context);
    const { ContactId, AppointmentId } = request.upload;
    const upload = { ContactId: ContactId ?? 0, AppointmentId: AppointmentId ?? null, ...form };
    return save(changes, { upload, UploadUrls: urls, Message: message }, {}, undo);
  },
});
