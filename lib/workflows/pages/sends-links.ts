import { wantsKind } from '../../domain/callbacks/webhook.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';

/**
 * Whether a program of the company hears of each booking, with the link that confirms it, and so can send that: nothing
 * of ours writes e-mails to clients.
 */
export const sendsLinks = async (table: TableReader, account: string): Promise<boolean> =>
  (await listWebhooks(table, account, { consistent: false })).some(
    (webhook) => webhook.Disabled === null && wantsKind(webhook, 'appointment.booked'),
  );
