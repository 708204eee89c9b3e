import { operation } from '../../lib/api/operation.ts';
import { downloadId, downloadLinkFields, formatParameter } from '../../lib/resources/downloads.ts';
import { required } from '../../lib/resources/fields.ts';
import { type DownloadLink, FILE_TYPES, linkDownload } from '../../lib/workflows/downloads/get-download.ts';

export const getdownload = operation({
  name: 'download/getdownload',
  summary: 'Returns the address of the file of a download.',
  description:
    'Asked with Accept: text/csv (application/x-ndjson for jsonl), it answers 303 to the file. For a caller who ' +
    'sends Accept-Encoding: gzip the file has Content-Encoding: gzip; Bytes and Sha256 are those of the content. ' +
    'Before the download is ready it is 409. Files are kept for 7 days; then it is 404.',
  access: 'read',
  needs: ['table:read', 'downloads:read'],
  query: formatParameter,
  redirect: { types: FILE_TYPES, location: ({ Url }: DownloadLink) => Url },
  request: () => ({ DownloadId: required(downloadId()) }),
  response: downloadLinkFields,
  failures: ['notFound', 'conflict'],
  example: { DownloadId: '4Vd0kT9mQx2LhW7sRb1ZpE' },
  async run({ DownloadId }, context) {
    const { query, acceptsGzip } = context;
    return linkDownload(context, DownloadId, { format: query['format'], isGzip: acceptsGzip });
  },
});
