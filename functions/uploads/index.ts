import { separateGroup } from '../../lib/api/group.ts';
import { upload as contactUpload } from '../contacts/upload.ts';
import { upload as proposalUpload } from '../proposal/upload.ts';

/**
 * The only function with the S3 client, the libraries that read files, and the permission to put files into the bucket.
 */
export const uploads = separateGroup('uploads', 'Pictures and documents of contacts, and files of proposals.', {
  'contacts/upload': contactUpload,
  'proposal/upload': proposalUpload,
});
export const { handler } = uploads;
