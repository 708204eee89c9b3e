import { operation, save } from '../../lib/api/operation.ts';
import { downloadId, formatParameter, startDownloadFields } from '../../lib/resources/downloads.ts';
import { startDownload } from '../../lib/workflows/downloads/start-download.ts';
import { requireAccountKey } from '../../lib/workflows/events/subscriber-queue.ts';

export const startdownload = operation({
  name: 'datasubscriber/startdownload',
  summary: 'Starts a download of all rows of a kind.',
  description:
    'Of all organizations of the account, or of OrganizationId. Keys that are bound to an organization get 403. ' +
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
  example: { Kind: 'contacts', Contacts: { WithEmails: true } },
  async run(request, context) {
    requireAccountKey(context.caller);
    const format = context.query['format'] === 'jsonl' ? 'jsonl' : 'csv';
    const { id, changes } = await startDownload(context, request, { scope: 'account', format });
    return save(changes, { DownloadId: id });
  },
});
