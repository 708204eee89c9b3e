import type { DownloadRecord } from '../../lib/store/downloads.ts';
import { downloadChange, newDownloadChanges } from '../../lib/store/downloads.ts';
import { testTable } from './stack.ts';

/** The id in the examples of the document. */
const EXAMPLE_ID = '4Vd0kT9mQx2LhW7sRb1ZpE';

/** Stores the ready download that the examples name; nothing makes its file. */
export async function putExampleDownload(account: string): Promise<void> {
  const now = new Date();
  const input = {
    Id: EXAMPLE_ID,
    Account: account,
    Kind: 'contacts',
    Format: 'csv',
    Filter: { spans: {}, settings: {}, organizationId: null, agentId: null },
    FirstId: 1,
    UserId: null,
    Key: 'nobody',
    Slot: 0,
    WithTaxpayer: false,
  } as const;
  const [change] = newDownloadChanges(input, undefined, now);
  const item = (change as { put: unknown }).put as DownloadRecord;
  const ready = { State: 'Ready', ReadyAt: now.getTime() } as const;
  await testTable().commit([{ put: downloadChange(item, ready, now).record as never }]);
}
