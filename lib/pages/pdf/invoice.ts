import { type InvoiceView, dueText, invoiceAmounts, paymentName } from '../invoice.ts';
import type { Wording } from '../language.ts';
import { ClientDocument, type ClientPdf } from './document.ts';

/** An invoice as a PDF, with the figures of its page. */
export async function invoicePdf(wording: Wording, view: InvoiceView, logo?: Buffer): Promise<ClientPdf> {
  const { invoice, company, contactName, contactAddress, payments, isPaid } = view;
  const { Zone, DatePaid } = invoice;
  const title = wording.text('invoiceNumber', { number: invoice.Number });
  const document = await ClientDocument.open(wording, { title, date: new Date(invoice.Date), company, logo });
  document.text(wording.text('invoiceDate', { date: wording.date(invoice.Date, Zone) }));
  if (contactName) document.text(wording.text('proposalFor', { name: contactName }));
  if (contactAddress) document.text(contactAddress);
  if (!isPaid) document.lead(`${wording.text('balance')}: ${wording.money(invoice.BalanceDue)}`);
  else if (DatePaid !== null) document.lead(wording.text('paidOn', { date: wording.date(DatePaid, Zone) }));
  const due = dueText(wording, view);
  if (due) document.text(due);
  document.space().table(
    [
      { title: wording.text('description'), width: 0 },
      { title: wording.text('quantity'), width: 70 },
      { title: wording.text('price'), width: 90 },
      { title: wording.text('amount'), width: 100 },
    ],
    invoice.Lines.map(({ Description, Qty, Rate, Extended }) => [
      Description,
      wording.quantity(Qty),
      wording.money(Rate),
      wording.money(Extended),
    ]),
  );
  document.space().amounts(invoiceAmounts(wording, view));
  if (payments.length) {
    document.heading(wording.text('payments'));
    for (const payment of payments) {
      const { Date: date, Amount } = payment;
      document.text(`${paymentName(wording, payment)}, ${wording.date(date, Zone)}: ${wording.money(Amount)}`);
    }
  }
  if (invoice.CustomerNotes) document.heading(wording.text('notes')).text(invoice.CustomerNotes);
  if (invoice.Terms) document.heading(wording.text('terms')).text(invoice.Terms);
  return document.end();
}
