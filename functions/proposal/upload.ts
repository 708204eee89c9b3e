import { operation, save } from '../../lib/api/operation.ts';
import { ProposalUpload, uploadFiles, uploadFormDocument, uploadUrls } from '../../lib/resources/contacts.ts';
import { nested, required } from '../../lib/resources/fields.ts';
import { uploadOperation } from '../../lib/workflows/uploads/upload-operation.ts';
import { uploadToProposal } from '../../lib/workflows/uploads/upload-files.ts';

export const upload = operation({
  title: 'Upload files of a proposal',
  summary: 'Stores files of a proposal.',
  rules: [
    'Files come as in contacts/upload: in multipart/form-data, in base64, or by an address of UploadUrls ' +
      '([files](/docs#description/files)).',
    'The files belong to the proposal, in any status, and are not listed with the contact. The event upload.created ' +
      'names them.',
    'A proposal has at most 100 files.',
    'Tags are those of the contact.',
    'The key comes in the header X-Api-Key, or in a form field ApiKey before the files.',
    'GET /files/{UploadId} returns a file.',
  ],
  ...uploadOperation,
  request: () => ({ upload: required(nested(ProposalUpload)), ...uploadFiles() }),
  response: () => ({ upload: nested(ProposalUpload), ...uploadUrls() }),
  failures: ['notFound'],
  document: () => uploadFormDocument('ProposalId'),
  example: {
    upload: { ProposalId: 1, Note: 'Measured on site' },
    files: [{ Filename: 'measures.csv', ContentType: 'text/csv', Content: 'cm9vbSxzcSBmdAo=' }],
  },
  async run(request, context) {
    const { form, urls, message, changes, undo } = await uploadToProposal(request, context);
    const upload = { ProposalId: request.upload.ProposalId ?? 0, ...form };
    return save(changes, { upload, UploadUrls: urls, Message: message }, {}, undo);
  },
});
