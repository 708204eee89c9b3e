import { spendCredit } from '../../domain/credits.ts';
import { blankPayment } from '../../domain/payments.ts';
import type { StreamRecord } from '../../events/change.ts';
import type { BatchOptions, BatchOutcome } from '../../shared/batch.ts';
import { Failure } from '../../shared/failure.ts';
import { cents, fromCents, sum } from '../../shared/money.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { runStreamTasks } from '../queues/stream-tasks.ts';
import { saveNewPayment } from './record-payment.ts';
import type { StoreWriter } from '../../store/store.ts';

/**
 * Pays open invoices from the credit of their contact, for a batch of the stream, if the organization wants that. Both
 * a new credit and a new invoice change the contact.
 */
export const runCreditTasks = (
  table: TableWriter,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> =>
  runStreamTasks(table, records, options, {
    entity: 'Contact',
    isDue: (image) => Number(image['CreditBalance']?.N) > 0 && Object.keys(image['OpenInvoices']?.M ?? {}).length > 0,
    run: (store, id) => spendCreditOf(store, id, options.now),
  });

/** Open invoices read at once. The contact change that this makes triggers the payment of more. */
const MAX_INVOICES = 20;

/**
 * Pays the oldest invoices of a contact from its credit, in one transaction. Writes at once, for the worker. Safe to
 * repeat, also concurrently: the transaction requires the credit and the balances to be unchanged.
 */
async function spendCreditOf(store: StoreWriter, id: number, now: Date): Promise<number> {
  const caller = accountCaller(store.account);
  return retryOnConflict(async () => {
    const [contact] = await findContacts(store, [id]);
    const credit = contact?.CreditBalance ?? 0;
    if (!contact || credit <= 0) return 0;
    const organization = await findOrganization(store, contact.OrganizationId);
    if (!organization?.ApplyCredit) return 0;
    const oldest = Object.entries(contact.OpenInvoices)
      .toSorted(([one, { Date: first }], [other, { Date: second }]) =>
        first === second ? Number(one) - Number(other) : first < second ? -1 : 1,
      )
      .slice(0, MAX_INVOICES);
    const found = await Promise.all(oldest.map(([invoice]) => findInvoice(store, Number(invoice))));
    const shares = spendCredit(
      credit,
      found.flatMap((invoice) => invoice ?? []),
    );
    const [first] = shares;
    if (!first) return 0;
    const Amount = fromCents(sum(shares.map(({ amount }) => cents(amount))));
    const payment = { ...blankPayment(first.invoice, now), Method: 'Credit', FromCredit: true, Amount };
    try {
      const { changes } = await saveNewPayment(payment, { shares, isAllocated: true }, { store, caller, now });
      await store.table.commit(changes);
    } catch (error) {
      // The credit is lower than a moment ago, or a merge holds it; the change that causes or ends that comes here too.
      if (error instanceof Failure && (error.code === 'overpayment' || error.code === 'not_ready')) return 0;
      throw error;
    }
    return shares.length;
  });
}
