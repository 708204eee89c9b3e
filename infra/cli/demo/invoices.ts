import type { Client, Office, DemoLog } from './office.ts';
import { DAY } from '../../../lib/shared/time.ts';

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
export async function* billOf(office: Office, client: Client, bill: Bill): DemoLog {
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

const HOUR = 3_600_000;

/** A payment of an invoice: all that is due, unless said otherwise. */
export interface Paid {
  /** Days after the invoice's date. */
  readonly after: number;
  readonly method: 'Card' | 'Check' | 'Cash';
  readonly reference?: string;
  /** So much of what is due, from 0 to 1. */
  readonly part?: number;
  /** All that was paid is given back. */
  readonly refund?: true;
}

/** A line of an invoice that is written by hand. */
export interface Line {
  readonly Description: string;
  readonly Rate: number;
  readonly Qty: number;
  readonly Taxable?: boolean;
}

/** An invoice is paid, or paid back, as the days go by. */
export async function* settle(office: Office, InvoiceId: number, paid: readonly Paid[]): DemoLog {
  for (const { after, method, reference = '', part = 1, refund = false } of paid) {
    const { Invoice } = await office.look('invoice/get', { InvoiceId });
    const { BalanceDue, Total, Date: date } = Invoice as { BalanceDue: number; Total: number; Date: string };
    const Amount = refund ? BalanceDue - Total : Math.round(BalanceDue * part * 100) / 100;
    const at = yield Date.parse(date) + after * DAY + 2 * HOUR;
    const Payment = { InvoiceId, Amount, Method: method, Reference: reference };
    await office.act(at, 'payment/import', { Payment });
  }
}

/** An invoice is made, and settled. */
export async function* issue(office: Office, at: number, Invoice: object, paid: readonly Paid[]): DemoLog {
  const { InvoiceId } = await office.act(at, 'invoice/import', { Invoice });
  yield* settle(office, InvoiceId as number, paid);
}
