import { group } from '../../lib/api/group.ts';
import { downloadOperations } from './operations.ts';

export const download = group(
  'download',
  'Files of all rows of a kind, of one organization.',
  Object.values(downloadOperations('download')),
);
export const { handler } = download;
