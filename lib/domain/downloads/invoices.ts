import { type PaymentRecord, paymentEntity } from '../../entities/payments.ts';
import {
  type InvoiceLineRecord,
  type InvoiceRecord,
  invoiceEntity,
  INVOICE_STATUSES,
  INVOICE_TYPES,
  InvoiceType,
} from '../../entities/invoices.ts';
import { dueDate } from '../invoices/due-date.ts';
import { taxPartsText } from '../pricing/tax-parts.ts';
import { acceptsPayment, lineToResource } from '../invoices/record.ts';
import { column, contactColumns, organizationColumns, recordColumns } from './columns.ts';
import { type DownloadFilter, defineKind, isOptionOn, itself } from './kind.ts';

/** Whether the flag of the status (Open, Paid, Voided, Unapproved) is set; without any flag, all count. */
function hasRequestedStatus({ Status }: Pick<InvoiceRecord, 'Status'>, filter: DownloadFilter): boolean {
  const requested = INVOICE_STATUSES.filter((name) => isOptionOn(filter, name));
  return requested.length === 0 || requested.some((name) => INVOICE_STATUSES[Status] === name);
}

const invoiceMoments = {
  Created: ({ Created }: InvoiceRecord) => Created,
  Updated: ({ Updated }: InvoiceRecord) => Updated,
  Date: ({ Date: date }: InvoiceRecord) => date,
};

const givenDay = ({ Day }: { readonly Day: string }) => Day;

const ofOrganization = ({ OrganizationId }: { readonly OrganizationId: number }) => OrganizationId;
const ofContact = ({ ContactId }: { readonly ContactId: number }) => ContactId;

export const invoices = defineKind<InvoiceRecord, InvoiceRecord>({
  kind: 'invoices',
  rows: 'An invoice of any type.',
  settings: 'Invoices',
  source: 'Invoice',
  entity: invoiceEntity,
  optionAttributes: { IncludeLines: ['Lines'] },
  moments: invoiceMoments,
  calendarDate: givenDay,
  organizationOf: ofOrganization,
  contactIdOf: ofContact,
  selects: hasRequestedStatus,
  items: itself,
  ...recordColumns(
    invoiceEntity,
    [
      'Id',
      'Number',
      ...organizationColumns<InvoiceRecord>(),
      ...contactColumns<InvoiceRecord>(),
      'Status',
      'InvoiceType',
      'Date',
      'DatePaid',
      'Subtotal',
      'Tax',
      'Total',
      'Paid',
      'BalanceDue',
      'TaxRate',
      'RateName',
      'Terms',
      'ProposalId',
      'AppointmentId',
      column('text')(
        'AssociatedAppointmentIds',
        ({ item }) => item.AssociatedAppointmentIds.join('; '),
        'separated by ; ',
      ),
      'IncludedInEop',
      column('flag')('CanAcceptClientPayment', ({ item, takesPayments }) => acceptsPayment(item, takesPayments)),
      'CustomerNotes',
      'Created',
      'Updated',
      column('text')('DueDate', ({ item }) => dueDate(item), 'by Date and Terms; empty where they name no days'),
      column('text')('TaxParts', ({ item }) => taxPartsText(item.TaxParts), 'such as GST 5 %: 0.51; QST 9.975 %: 1.01'),
    ],
    {
      reads: ['Day', 'Zone', 'AssociatedAppointmentIds', 'CanAcceptClientPayment', 'TaxParts'],
      options: [
        column('list')(
          'Lines',
          ({ item: { Lines, TaxRate } }) => Lines.map((line) => lineToResource(line, TaxRate)),
          'the lines, as invoice/get returns them',
          'IncludeLines',
        ),
      ],
    },
  ),
});

interface LineItem extends Pick<InvoiceRecord, 'ContactId'> {
  readonly invoice: InvoiceRecord;
  readonly line: InvoiceLineRecord;
}

export const invoiceLines = defineKind<LineItem, InvoiceRecord>({
  kind: 'invoicelines',
  rows: 'A line of an invoice; those of an invoice in their order.',
  settings: 'InvoiceLines',
  source: 'Invoice',
  entity: invoiceEntity,
  attributes: [
    'Id',
    'OrganizationId',
    'ContactId',
    'Number',
    'Status',
    'InvoiceType',
    'Date',
    'Day',
    'Lines',
    'Created',
    'Updated',
  ],
  moments: invoiceMoments,
  calendarDate: givenDay,
  organizationOf: ofOrganization,
  contactIdOf: ofContact,
  selects: hasRequestedStatus,
  items: (invoice) => invoice.Lines.map((line) => ({ invoice, line, ContactId: invoice.ContactId })),
  columns: [
    column('integer')('Id', ({ item }) => item.invoice.Id, 'the id of the invoice, which its lines share'),
    column('integer')('InvoiceId', ({ item }) => item.invoice.Id),
    column('integer')('LineId', ({ item }) => item.line.Id),
    column('text')('InvoiceNumber', ({ item }) => item.invoice.Number),
    ...organizationColumns<LineItem>(),
    ...contactColumns<LineItem>(),
    column('text')(
      'InvoiceStatus',
      ({ item }) => INVOICE_STATUSES[item.invoice.Status],
      'Unapproved, Open, Paid or Voided',
    ),
    column('text')(
      'InvoiceType',
      ({ item }) => INVOICE_TYPES[item.invoice.InvoiceType],
      'Standard, Deposit, Recurring or Credit',
    ),
    column('moment')('InvoiceDate', ({ item }) => item.invoice.Date),
    column('integer')('ServiceId', ({ item }) => item.line.ServiceId),
    column('integer')('PartId', ({ item }) => item.line.PartId),
    column('text')('Description', ({ item }) => item.line.Description),
    column('decimal')('Rate', ({ item }) => item.line.Rate),
    column('decimal')('Qty', ({ item }) => item.line.Qty),
    column('decimal')('Extended', ({ item }) => item.line.Extended),
    column('flag')('Taxable', ({ item }) => item.line.Taxable),
    column('moment')('InvoiceCreatedAt', ({ item }) => item.invoice.Created),
    column('moment')('InvoiceUpdatedAt', ({ item }) => item.invoice.Updated),
  ],
});

export const deposits = defineKind<InvoiceRecord, InvoiceRecord>({
  kind: 'deposits',
  rows: 'A deposit: an invoice of type Deposit, which an accepted proposal made.',
  settings: 'Deposits',
  source: 'Invoice',
  entity: invoiceEntity,
  moments: invoiceMoments,
  calendarDate: givenDay,
  organizationOf: ofOrganization,
  contactIdOf: ofContact,
  selects: (invoice) => invoice.InvoiceType === InvoiceType.Deposit,
  items: itself,
  ...recordColumns(
    invoiceEntity,
    [
      column('integer')('Id', ({ item }) => item.Id, 'the id of the invoice'),
      'Number',
      ...organizationColumns<InvoiceRecord>(),
      ...contactColumns<InvoiceRecord>(),
      'ProposalId',
      'Status',
      'Date',
      'DatePaid',
      column('decimal')('Amount', ({ item }) => item.Total),
      'Paid',
      'BalanceDue',
      'Created',
      'Updated',
    ],
    { reads: ['Id', 'InvoiceType', 'Day', 'Total'], isWhole: false },
  ),
});

export const payments = defineKind<PaymentRecord, PaymentRecord>({
  kind: 'payments',
  rows: 'A payment; a refund has a negative Amount.',
  settings: undefined,
  source: 'Payment',
  entity: paymentEntity,
  moments: { Created: ({ Created }) => Created, Updated: ({ Updated }) => Updated, Date: ({ Date: date }) => date },
  calendarDate: givenDay,
  organizationOf: ofOrganization,
  contactIdOf: ofContact,
  items: itself,
  ...recordColumns(
    paymentEntity,
    [
      'Id',
      'InvoiceId',
      'InvoiceNumber',
      ...organizationColumns<PaymentRecord>(),
      ...contactColumns<PaymentRecord>(),
      'Date',
      'Amount',
      'Method',
      'Reference',
      'TransactionId',
      'Created',
      'Updated',
    ],
    { reads: ['Day'] },
  ),
});
