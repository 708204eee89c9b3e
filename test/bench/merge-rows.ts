import { openTable } from '../../lib/store/dynamodb/table.ts';
import { type Key, layout, accountOfKey } from '../../lib/store/keys.ts';
import { goOnWithMerge } from '../../lib/workflows/contacts/move-merged-records.ts';
import type { CostRow } from './cost-rows.ts';
import { newContact, newInvoice } from './money-rows.ts';
import { accountStore } from '../../lib/store/store.ts';

/** Records of a contact that is merged: invoices, each with a payment. */
const PAIRS = 5;

/** A merge that is begun, or undone, and whose records are on their way. */
const begun =
  (isUndone: boolean): CostRow['body'] =>
  async (_, call) => {
    const [id, merged] = [await newContact(call), await newContact(call)];
    for (let each = 0; each < PAIRS; each++)
      await call('payment/import', { Payment: { InvoiceId: await newInvoice(call, merged), Amount: 10 } });
    const { body } = await call('test/whoami', {});
    const key = layout.contactMerge.key({ account: String(body['AccountId']), id, merged });
    await call('contacts/merge', { ContactId: id, MergeId: merged });
    if (!isUndone) return key;
    await goOn(key);
    await call('contacts/unmerge', { MergeId: merged });
    return key;
  };

const goOn = (key: Key) => {
  const now = new Date();
  return goOnWithMerge(accountStore(openTable(), accountOfKey(key) ?? ''), key, {
    now,
    deadline: Date.now() + 60_000,
    settleMilliseconds: 0,
  });
};

const moving: Pick<CostRow, 'operation' | 'send'> = {
  operation: 'workers/merges',
  send: async (key) => ({ status: (await goOn(key as Key)).kind === 'done' ? 200 : 500, body: {} }),
};

export const mergeRows: readonly CostRow[] = [
  {
    name: 'contacts/duplicates, 25 contacts',
    operation: 'contacts/duplicates',
    body: () => ({}),
    budget: { rounds: 8, readUnits: 350, writeUnits: 5 },
    // At most 200 contacts of each street are looked at, which a small account does not have.
    perThousand: { rounds: 0, readUnits: 6, writeUnits: 0 },
  },
  {
    name: 'contacts/duplicates of a contact',
    operation: 'contacts/duplicates',
    body: () => ({ ContactId: 500 }),
    budget: { rounds: 4, readUnits: 30, writeUnits: 0 },
  },
  {
    name: 'contacts/merge',
    operation: 'contacts/merge',
    body: async (_, call) => ({ ContactId: await newContact(call), MergeId: await newContact(call) }),
    budget: { rounds: 3, writeUnits: 24 },
  },
  // Each record in a transaction of its own, with both contacts, the merge and what remembers the move.
  { name: 'merges worker, 10 records', body: begun(false), ...moving, budget: { rounds: 50, writeUnits: 10 * 30 } },
  { name: 'merges worker, 10 records back', body: begun(true), ...moving, budget: { rounds: 60, writeUnits: 10 * 30 } },
];
