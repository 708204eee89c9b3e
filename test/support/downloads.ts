import type { DownloadRecord } from '../../lib/store/downloads.ts';
import { HOUR } from '../../lib/shared/time/time.ts';
import { bulkRead } from '../../lib/store/dynamodb/bulk-read.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/client.ts';
import { layout } from '../../lib/store/keys.ts';
import { downloadChange, newDownloadChanges } from '../../lib/store/downloads.ts';
import { contactItem } from './contact-items.ts';
import { testStack, testTable } from './stack/stack.ts';

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

/** The table as the worker of downloads opens it. */
export function workerTable(): PatientTable {
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  testTable();
  return openTable({ tableName, endpoint, bulkRead, deadline: Date.now() + HOUR });
}

/** Contacts 1 to `count` as a download reads them, put without their index entries and events; then the counter. */
export async function putContacts(account: string, count: number): Promise<void> {
  const table = workerTable();
  const BATCH = 100;
  for (let first = 1; first <= count; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => first + index);
    await table.putMany(ids.map((id) => contactItem(account, id)));
  }
  await table.update({ update: layout.lease.key({ account, kind: 'Contact' }), add: { Last: count } });
}

/** What a run of the worker is ended by: it does nothing any longer. */
class Killed extends Error {}

/** A clock of operations: the process is killed at the operation of this number, before or behind its effect. */
export interface Death {
  remaining: number;
  readonly isBehind: boolean;
}

/** An object whose methods die with the process. */
export function mortal<Of extends object>(of: Of, death: Death): Of {
  const methods = Object.entries(of).map(([name, method]) => {
    if (typeof method !== 'function') return [name, method] as const;
    const call = method as (...args: unknown[]) => Promise<unknown>;
    const dying = async (...args: unknown[]) => {
      const operation = death.remaining--;
      if (operation < 0 || (operation === 0 && !death.isBehind)) throw new Killed('killed');
      const result = await call.apply(of, args);
      if (operation === 0) throw new Killed('killed');
      return result;
    };
    return [name, dying] as const;
  });
  return Object.fromEntries(methods) as Of;
}
