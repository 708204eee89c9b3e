import type { DownloadRecord } from '../../lib/store/downloads.ts';
import { HOUR } from '../../lib/shared/time/time.ts';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { downloadChange, newDownloadChanges } from '../../lib/store/downloads.ts';
import { contactItem } from './contact-items.ts';
import type { TestTable } from './stack/engine.ts';
import { testTable } from './stack/stack.ts';

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

/** The table of an engine as the worker of downloads opens it. */
export const workerTable = ({ tableName, endpoint }: TestTable): PatientTable =>
  openTable({ tableName, endpoint, deadline: Date.now() + HOUR });

/**
 * Contacts 1 to `count` as a download reads them, without their index entries and events, and the counter: the engine
 * takes 4 ms for a contact with its stream, the loader 10 µs.
 */
export const loadContacts = (engine: TestTable, account: string, count: number): Promise<void> =>
  engine.load(async (loader) => {
    for (let id = 1; id <= count; id++) loader.put([contactItem(account, id)]);
    loader.put([{ ...layout.lease.key({ account, kind: 'Contact' }), Last: count }]);
  });

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
