import { Contact } from './contacts.ts';
import { TaxPart } from './settings.ts';
import {
  type Output,
  CLIENT_LINK,
  date,
  moment,
  decimal,
  described,
  double,
  extension,
  flag,
  id,
  list,
  many,
  nested,
  nullable,
  resource,
  text,
  without,
  word,
} from './fields.ts';

/** A request may send the number instead of the word (interface, section 8). */
export const invoiceStatus = () =>
  described(word(['Unapproved', 'Open', 'Paid', 'Voided']), '0 Unapproved, 1 Open, 2 Paid, 3 Voided.');

export const invoiceType = () =>
  described(word(['Standard', 'Deposit', 'Recurring', 'Credit']), '0 Standard, 1 Deposit, 2 Recurring, 3 Credit.');

/** Extended is Rate × Qty, rounded half-up to 2 decimals. */
export const InvoiceLine = resource('InvoiceLine', () => ({
  Id: id(),
  ServiceId: nullable(id()),
  PartId: nullable(id()),
  Description: text(),
  Rate: decimal(),
  Qty: double(),
  Extended: decimal(),
  Taxable: flag(),
  Tax: extension(nullable(described(decimal(), 'Of a visit of a subscription it may be a cent beside TaxRate.'))),
}));
export type InvoiceLine = Output<typeof InvoiceLine>;

/** A new line in invoice/import; InvoiceLine is accepted too. */
export const InvoiceLineReduced = resource('InvoiceLineReduced', () => without(InvoiceLine, 'Id'));

export const Invoice = resource(
  'Invoice',
  () => ({
    Id: nullable(id()),
    Number: described(text(100), 'Unique in the organization.'),
    Date: moment(),
    DatePaid: nullable(moment()),
    Status: invoiceStatus(),
    InvoiceType: invoiceType(),
    ContactId: id(),
    ProposalId: nullable(id()),
    AppointmentId: nullable(id()),
    Subtotal: decimal(),
    Tax: decimal(),
    Total: decimal(),
    BalanceDue: decimal(),
    IncludedInEop: described(flag(), 'Counted in an end-of-period closing.'),
    TaxRate: described(double(), 'Percent.'),
    RateName: text(100),
    Terms: text(1000),
    CustomerNotes: text(),
    CanAcceptClientPayment: described(
      flag(),
      'Whether the client can pay on the page now: a provider is connected, the invoice is Open, and you allow it.',
    ),
    ClientPayUrl: described(text(2048), `The page of an Open or Paid invoice. ${CLIENT_LINK}`),
    ClientPdfUrl: described(text(2048), `The invoice as a PDF. ${CLIENT_LINK}`),
    Lines: many(InvoiceLine),
    Contact: nested(Contact),
    AssociatedAppointmentIds: list(id()),
    TaxParts: extension(described(many(TaxPart), 'The parts of Tax, where the rate has several.')),
    DueDate: extension(
      nullable(described(date(), 'By Date and Terms, such as `Net 15`; null where they name no days.')),
    ),
  }),
  { computed: ['DatePaid', 'DueDate', 'TaxParts', 'BalanceDue', 'ClientPayUrl', 'ClientPdfUrl', 'Contact'] },
);
export type Invoice = Output<typeof Invoice>;

export const Payment = resource('Payment', () => ({
  Id: id(),
  InvoiceId: id(),
  ContactId: id(),
  InvoiceNumber: text(100),
  Reference: text(200),
  TransactionId: described(text(200), 'A repeated id returns the first payment and adds nothing.'),
  Date: moment(),
  Amount: described(decimal(), 'Negative for a refund.'),
  Method: described(text(100), 'Credit pays by the credit of the contact, or gives back to it.'),
  SplitOf: extension(nullable(described(id(), 'The first part of the same money, where it was divided.'))),
}));
export type Payment = Output<typeof Payment>;

/** What an invoice gets of a payment; in answers InvoiceId is 0 for what became credit. */
export const PaymentAllocation = resource(
  'PaymentAllocation',
  () => ({ InvoiceId: id(), Amount: decimal(), PaymentId: described(id(), 'The payment that has this part.') }),
  { computed: ['PaymentId'] },
);
export type PaymentAllocation = Output<typeof PaymentAllocation>;

/** The minimum of payment/import, with the invoice by id; Payment is accepted too. */
export const PaymentReduced = resource('PaymentReduced', () =>
  without(Payment, 'Id', 'ContactId', 'InvoiceNumber', 'TransactionId', 'SplitOf'),
);
