import type { InvoiceRecord } from '../../entities/invoices.ts';
import { dayNumber, toDate, toLocalDate, toLocalDay } from '../../shared/time/time.ts';

/** `Net 30`, `30 days net`. `Net 30 EOM` counts from the end of a month, so it states no day. */
const NET = /\bnet[\s-]*(\d{1,3})(?![.,]?[\d%])(?!(?: days?)? (?:EOM|end of|prox))|\b(\d{1,3}) days?,? net\b/i;

/** `Due in 30 days`, `Payable within 30 days`; words in another sentence do not count. */
const DUE_WITHIN = /\b(?:due|pay(?:able|ment)?)\b[^.;\n\d]{0,40}?(\d{1,3}) days?\b/i;

/** `30 days`, `30 days from the date of invoice`, and nothing else. */
const DAYS_ALONE =
  /^(\d{1,3}) days?(?: (?:from|after|of) (?:the )?(?:invoice(?: date)?|date of (?:the )?invoice|receipt))?\.?$/i;

const ON_RECEIPT = /\b(?:due|payable|payment)(?: is| due| in full)* (?:up)?on receipt\b|^(?:up)?on receipt\.?$/i;

/**
 * How many days after its date an invoice is due by its Terms; `undefined` if they do not say. The net term takes
 * precedence over a discount (`2/10 net 30` is 30); among several others the first counts.
 */
export function dueDays(terms: string): number | undefined {
  const text = terms.trim().replaceAll(/[ \t]+/g, ' ');
  const net = NET.exec(text);
  if (net) return Number(net[1] ?? net[2]);
  const [within, onReceipt] = [DUE_WITHIN.exec(text) ?? DAYS_ALONE.exec(text), ON_RECEIPT.exec(text)];
  if (onReceipt && !(within && within.index < onReceipt.index)) return 0;
  return within ? Number(within[1]) : undefined;
}

/** The day on which an invoice is due, in its zone: `2026-06-18` for June 3 with `Net 15`, or `null`. */
export function dueDate({ Terms, Date: at, Day, Zone }: Pick<InvoiceRecord, 'Terms' | 'Date' | 'Day' | 'Zone'>) {
  const days = dueDays(Terms);
  return days === undefined ? null : toDate((Day ? dayNumber(Day) : toLocalDay(at, Zone)) + days);
}

/** Whether something is unpaid after the day on which the invoice was due. */
export function isOverdue(
  invoice: Pick<InvoiceRecord, 'Terms' | 'Date' | 'Day' | 'Zone' | 'BalanceDue'>,
  now: number,
): boolean {
  const due = dueDate(invoice);
  return due !== null && invoice.BalanceDue > 0 && toLocalDate(now, invoice.Zone) > due;
}
