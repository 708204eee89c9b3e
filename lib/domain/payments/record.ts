/** A payment as it is kept; below 0 it is a refund. Moments in milliseconds since 1970, money with 2 decimals. */
export interface PaymentRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  readonly InvoiceId: number;
  readonly InvoiceNumber: string;
  readonly Reference: string;
  /** `""` for none. */
  readonly TransactionId: string;
  readonly Date: number;
  readonly Amount: number;
  readonly Method: string;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}
