import { group } from '../../lib/api/group.ts';
import { downloadstatus } from './downloadstatus.ts';
import { getdownload } from './getdownload.ts';
import { startdownload } from './startdownload.ts';

export const download = group('download', 'Files of all rows of a kind, of one organization.', {
  startdownload,
  downloadstatus,
  getdownload,
});
export const { handler } = download;
