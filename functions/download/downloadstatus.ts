import { operation } from '../../lib/api/operation.ts';
import { downloadId, downloadStatusFields } from '../../lib/resources/downloads.ts';
import { required } from '../../lib/resources/fields.ts';
import { findDownloadStatus } from '../../lib/workflows/downloads/get-download.ts';

export const downloadstatus = operation({
  name: 'download/downloadstatus',
  summary: 'Returns how far a download is.',
  description: 'A download that failed is 409, and Message says why.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ DownloadId: required(downloadId()) }),
  response: downloadStatusFields,
  failures: ['notFound', 'conflict'],
  example: { DownloadId: '4Vd0kT9mQx2LhW7sRb1ZpE' },
  async run({ DownloadId }, context) {
    return findDownloadStatus(context, DownloadId);
  },
});
