import { wantsKind } from '../../domain/callbacks/webhook.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';
import type { StoreReader } from '../../store/store.ts';

/**
 * Whether a program of the company is notified of each booking, with the link that confirms it, and so can send that
 * link: this product sends no e-mails to clients.
 */
export const sendsLinks = async (store: StoreReader): Promise<boolean> =>
  (await listWebhooks(store, { consistent: false })).some(
    (webhook) => webhook.Disabled === null && wantsKind(webhook, 'appointment.booked'),
  );
