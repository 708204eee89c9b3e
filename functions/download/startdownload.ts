import { operation, save } from '../../lib/api/operation.ts';
import { downloadId, formatParameter, startDownloadFields } from '../../lib/resources/downloads.ts';
import { startDownload } from '../../lib/workflows/downloads/start-download.ts';

export const startdownload = operation({
  name: 'download/startdownload',
  summary: 'Starts a download of all rows of a kind.',
  description:
    'Of the organization of the key; a key of the account names OrganizationId unless the account has only one. ' +
    'The file is made in the background: ask downloadstatus until Ready is true, then getdownload. ' +
    'Only the settings object of the Kind applies. Rows are in the order of their ids; every row that exists from ' +
    'start to end is in the file exactly once. A filter that the Kind does not have is 400. ' +
    'A key has at most 100 downloads that are not ready; one more is 429.',
  access: 'write',
  needs: ['table:write'],
  query: formatParameter,
  request: startDownloadFields,
  response: () => ({ DownloadId: downloadId() }),
  failures: ['notFound'],
  example: { OrganizationId: 1, Kind: 'contacts', Contacts: { WithEmails: true } },
  async run(request, context) {
    const format = context.query['format'] === 'jsonl' ? 'jsonl' : 'csv';
    const { id, changes } = await startDownload(context, request, { scope: 'organization', format });
    return save(changes, { DownloadId: id });
  },
});
