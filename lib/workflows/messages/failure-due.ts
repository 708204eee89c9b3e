import { failureDueOf } from '../../domain/messages/failed-attempts.ts';
import { listCheckouts } from '../../store/client-payments.ts';
import type { StoreReader } from '../../store/store.ts';

/**
 * When the client of an invoice hears of the last attempt to pay that failed; `undefined` if no attempt
 * failed, or it is paid meanwhile. One query.
 */
export const findFailureDue = async (store: StoreReader, invoice: number): Promise<number | undefined> =>
  failureDueOf(await listCheckouts(store, { Page: 'invoice', RecordId: invoice }));
