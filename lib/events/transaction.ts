import type { FeedContact } from '../domain/contacts/record.ts';
import { toUtc } from '../domain/moments-out.ts';
import type { EventPayload } from '../resources/events.ts';

/** What an invoice, appointment or proposal tells beside its Data. */
export interface Transaction {
  /** Milliseconds since 1970; `null` where it has none yet. */
  readonly date: number | null;
  /** Before tax; `null` where that is not kept. */
  readonly subtotal: number | null;
}

/** The fields of an event that belong to a transaction and its contact. */
export type TransactionFields = Pick<
  EventPayload,
  | 'TransactionDate'
  | 'Subtotal'
  | 'LifetimeValue'
  | 'CustomerSince'
  | 'ContactName'
  | 'ContactNickname'
  | 'ContactCompany'
  | 'ContactPhone'
  | 'ContactAltPhone'
>;

/** Those of an event of anything else. */
export const noTransaction: TransactionFields = {
  TransactionDate: null,
  Subtotal: null,
  LifetimeValue: null,
  CustomerSince: null,
  ContactName: null,
  ContactNickname: null,
  ContactCompany: null,
  ContactPhone: null,
  ContactAltPhone: null,
};

/** Those of a transaction; of a contact that is gone nothing is known. */
export const transactionFields = (
  { date, subtotal }: Transaction,
  contact: FeedContact | undefined,
): TransactionFields => ({
  ...noTransaction,
  TransactionDate: date === null ? null : toUtc(date),
  Subtotal: subtotal,
  ...(contact && {
    LifetimeValue: contact.LifetimeValue ?? 0,
    CustomerSince: contact.CustomerSince === undefined ? null : toUtc(contact.CustomerSince),
    ContactName: contact.Name,
    ContactNickname: contact.Nickname,
    ContactCompany: contact.Company,
    ContactPhone: contact.Phone,
    ContactAltPhone: contact.AltPhone,
  }),
});
