import { operation, save } from '../lib/api/operation.ts';
import { MAX_DIRECT_BYTES } from '../lib/domain/uploads/limits.ts';
import {
  downloadId,
  downloadLinkFields,
  downloadStatusFields,
  getDownloadParameters,
  startDownloadFields,
  startDownloadParameters,
} from '../lib/resources/downloads.ts';
import { required } from '../lib/resources/fields.ts';
import type { Caller } from '../lib/store/requests/caller.ts';
import {
  type DownloadLink,
  FILE_TYPES,
  findDownloadStatus,
  linkDownload,
} from '../lib/workflows/downloads/get-download.ts';
import { requireAccountKey } from '../lib/workflows/events/subscriber-queue.ts';
import { startDownload } from '../lib/workflows/downloads/start-download.ts';

type Group = 'download' | 'datasubscriber';

/** The group `download` has the operations for one organization, `datasubscriber` those for the whole account. */
const isOfAccount = (group: Group): boolean => group === 'datasubscriber';

/** Downloads of the whole account require a key that is not bound to an organization. */
function checkKey(group: Group, caller: Caller): void {
  if (isOfAccount(group)) requireAccountKey(caller);
}

const ofDownload = {
  access: 'read',
  request: () => ({ DownloadId: required(downloadId()) }),
  failures: ['notFound', 'conflict'],
  example: { DownloadId: '4Vd0kT9mQx2LhW7sRb1ZpE' },
  beforeExample: 'Start a download, and send its DownloadId.',
} as const;

export const startDownloadOperation = (group: Group) =>
  operation({
    title: isOfAccount(group) ? 'Start a download of the account' : 'Start a download',
    summary: 'Starts a download of all rows of a kind.',
    rules: [
      isOfAccount(group)
        ? 'The file has the rows of all organizations of the account, or of OrganizationId.'
        : 'The file has the rows of the organization of the key; a key of the account names OrganizationId unless ' +
          'the account has only one.',
      ...(isOfAccount(group) ? ['Keys of one organization get 403.'] : []),
      'The file is made in the background: ask downloadstatus until Ready is true, then getdownload ' +
        '([downloads](/docs#description/downloads)).',
      'Only the settings object of the Kind applies; a filter that the Kind does not have is 400, or with a lenient ' +
        'key ignored and named in Message.',
      'Without a status flag, appointments has all but canceled ones.',
      'Rows are in the order of their ids; every row that exists from start to end is in the file exactly once.',
      'A key has at most 100 downloads that are not ready; one more is 429.',
    ],
    access: 'write',
    query: startDownloadParameters,
    request: startDownloadFields,
    response: () => ({ DownloadId: downloadId() }),
    example: { ...(isOfAccount(group) ? {} : { OrganizationId: 1 }), Kind: 'contacts', Contacts: { WithEmails: true } },
    async run(request, context) {
      checkKey(group, context.caller);
      const { format, bom } = context.query;
      const { id, changes } = await startDownload(context, request, {
        scope: isOfAccount(group) ? 'account' : 'organization',
        format: format === 'jsonl' ? 'jsonl' : 'csv',
        hasBom: bom === '1',
      });
      return save(changes, { DownloadId: id });
    },
  });

export const downloadStatusOperation = (group: Group) =>
  operation({
    ...ofDownload,
    title: isOfAccount(group) ? 'Get the state of a download of the account' : 'Get the state of a download',
    summary: 'Returns how far a download is.',
    rules: ['A download that failed is 409, and Message says why.'],
    needs: ['table:read'],
    response: downloadStatusFields,
    async run({ DownloadId }, context) {
      checkKey(group, context.caller);
      return findDownloadStatus(context, DownloadId);
    },
  });

export const getDownloadOperation = (group: Group) =>
  operation({
    ...ofDownload,
    title: isOfAccount(group) ? 'Get a download of the account' : 'Get a download',
    summary: 'Returns the address of the file of a download.',
    rules: [
      'A call with Accept: text/csv (application/x-ndjson for jsonl) is answered by 303 to the file.',
      'A lenient key gets the file itself, up to 4,000,000 bytes, and above them 303, unless Accept has ' +
        'application/json.',
      'The file behind the 303 has Content-Encoding: gzip for a caller who sends Accept-Encoding: gzip, and so has ' +
        'that at Url with ?gzip=1; Bytes and Sha256 are those of the content.',
      'A download that is not ready is 409. Files are kept for 7 days; then the download is 404.',
    ],
    needs: ['table:read', 'downloads:read'],
    query: getDownloadParameters,
    redirect: {
      types: FILE_TYPES,
      location: ({ Url }: DownloadLink) => Url,
      fits: ({ Bytes }: DownloadLink) => Bytes <= MAX_DIRECT_BYTES,
    },
    response: downloadLinkFields,
    async run({ DownloadId }, context) {
      checkKey(group, context.caller);
      const { query, acceptsGzip } = context;
      const isGzip = acceptsGzip || query['gzip'] === '1';
      return linkDownload(context, DownloadId, { format: query['format'], isGzip });
    },
  });
