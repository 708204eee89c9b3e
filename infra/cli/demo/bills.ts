import type { Client, Office } from './office.ts';
import { settle, type Line, type Paid } from './payments.ts';
import type { Tale } from './tale.ts';

/** An invoice that was written elsewhere, and brought in. Days count from today. */
export interface Bill {
  readonly day: number;
  readonly number: string;
  readonly type?: 'Standard' | 'Recurring' | 'Credit';
  readonly terms?: string;
  readonly lines: readonly Line[];
  /** Not sent before somebody has looked at it. */
  readonly unapproved?: true;
  readonly voided?: { readonly day: number; readonly note: string };
  readonly paid?: readonly Paid[];
}

/** An invoice from its import to what came of it. */
export async function* billOf(office: Office, client: Client, bill: Bill): Tale {
  const { day, number, type = 'Standard', terms = 'Due on receipt', lines, unapproved, voided, paid = [] } = bill;
  const at = yield office.moment(day, '17:00', client);
  const { InvoiceId } = await office.act(at, 'invoice/import', {
    Invoice: {
      ContactId: client.id,
      Number: number,
      InvoiceType: type,
      Terms: terms,
      Lines: lines,
      Status: unapproved ? 'Unapproved' : 'Open',
    },
  });
  if (voided) {
    const on = yield office.moment(voided.day, '9:15', client);
    await office.act(on, 'invoice/import', { InvoiceId, Invoice: { Status: 'Voided', CustomerNotes: voided.note } });
  }
  yield* settle(office, InvoiceId as number, paid);
}
