import { MAX_UPLOAD_BODY } from '../../domain/uploads/limits.ts';
import { readUploadForm } from './read-upload-form.ts';

/** What the operations that take files have in common: the key comes before the files, or in its header. */
export const uploadOperation = {
  access: 'write',
  needs: ['table:write', 'uploads:write'],
  credential: 'header',
  maxBody: MAX_UPLOAD_BODY,
  maxValues: 1_000,
  readForm: readUploadForm,
} as const;
