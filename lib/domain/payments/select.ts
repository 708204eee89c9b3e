import type { Moments } from '../spans.ts';
import type { PaymentRecord } from './record.ts';

/** What payments of one invoice are asked for; every criterion given must hold. */
export interface PaymentCriteria {
  /** The one that the caller sees, `null` for all. */
  readonly organization: number | null;
  readonly contact?: number | undefined;
  readonly date: Moments;
  readonly created: Moments;
}

const within = (at: number, { from = -Infinity, through = Infinity }: Moments): boolean => at >= from && at <= through;

/** The payments that meet the criteria, by date, then id. */
export const selectPayments = (
  payments: readonly PaymentRecord[],
  { organization, contact, date, created }: PaymentCriteria,
): PaymentRecord[] =>
  payments
    .filter(
      (payment) =>
        (organization === null || payment.OrganizationId === organization) &&
        (contact === undefined || payment.ContactId === contact) &&
        within(payment.Date, date) &&
        within(payment.Created, created),
    )
    .sort((one, other) => one.Date - other.Date || one.Id - other.Id);
