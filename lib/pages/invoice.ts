import type { InvoiceRecord } from '../entities/invoices.ts';
import type { PaymentRecord } from '../entities/payments.ts';
import { type Company, type Frame, type Notice, form, inLanguage, page, phoneLink } from './frame.ts';
import { type Content, type Html, html, paragraphs } from './html.ts';
import type { Wording } from './language.ts';
import { processingNotice, testNotice } from './payment.ts';

/** An invoice as its page and its PDF show it. */
export interface InvoiceView {
  readonly company: Company;
  readonly contactName: string;
  readonly contactAddress: string;
  readonly invoice: InvoiceRecord;
  readonly payments: readonly PaymentRecord[];
  readonly isPaid: boolean;
  /** Whether the client can pay the balance now. */
  readonly canPay: boolean;
  /** Whether a payment is under way. */
  readonly isProcessing: boolean;
  /** Whether a payment would be a test. */
  readonly isTest: boolean;
}

/** A row of the totals: what it is, and the amount. */
export interface Amount {
  readonly label: string;
  readonly amount: string;
  readonly isSum?: boolean;
}

/** `Tax (Virginia, 6 %)`; many rates have the percent in their name. */
export function taxLabel(
  wording: Wording,
  { name, percent }: { readonly name: string; readonly percent: number },
): string {
  if (!name) return wording.text('tax');
  return name.includes('%') ? `${wording.text('tax')} (${name})` : wording.text('taxNamed', { name, percent });
}

/** The totals of an invoice, for the page and the PDF. */
export function invoiceAmounts(wording: Wording, { invoice }: InvoiceView): Amount[] {
  const { Subtotal, Tax, Total, Paid, BalanceDue, RateName, TaxRate } = invoice;
  const tax = taxLabel(wording, { name: RateName, percent: TaxRate });
  return [
    { label: wording.text('subtotal'), amount: wording.money(Subtotal) },
    { label: tax, amount: wording.money(Tax) },
    { label: wording.text('total'), amount: wording.money(Total), isSum: true },
    ...(Paid ? [{ label: wording.text('paid'), amount: wording.money(-Paid) }] : []),
    { label: wording.text('balance'), amount: wording.money(BalanceDue), isSum: true },
  ];
}

export const amountList = (amounts: readonly Amount[]): Html =>
  html`<dl class="totals">
    ${amounts.map(
      ({ label, amount, isSum }) =>
        html`<div${isSum && html` class="sum"`}>
          <dt>${label}</dt>
          <dd>${amount}</dd>
        </div>`,
    )}
  </dl>`;

const lineRow = (wording: Wording, { Description, Qty, Rate, Extended }: InvoiceRecord['Lines'][number]): Html =>
  html`<tr>
    <td>${Description}</td>
    <td class="number">${Qty}</td>
    <td class="number wide">${wording.money(Rate)}</td>
    <td class="number">${wording.money(Extended)}</td>
  </tr>`;

const paymentRow = (wording: Wording, zone: string, { Date: date, Amount: amount, Method }: PaymentRecord): Html =>
  html`<div>
    <dt>
      ${wording.text(amount < 0 ? 'refund' : 'payment')} ${Method && html`(${Method})`}<small
        >${wording.date(date, zone)}</small
      >
    </dt>
    <dd>${wording.money(amount)}</dd>
  </div>`;

function payment(frame: Frame, view: InvoiceView): Content {
  const { wording } = frame;
  const { invoice, isPaid, canPay, isProcessing } = view;
  if (isPaid || isProcessing) return undefined;
  if (!canPay) return howToPay(wording, view);
  return html`<section>
    <h2>${wording.text('howToPay')}</h2>
    ${form(frame, 'pay', [
      html`<button>${wording.text('payAmount', { amount: wording.money(invoice.BalanceDue) })}</button>`,
      html`<p>${wording.text('paySafely')}</p>`,
    ])}
    ${invoice.Terms && paragraphs(invoice.Terms)}
  </section>`;
}

function howToPay(wording: Wording, { company, invoice }: InvoiceView): Content {
  return html`<section>
    <h2>${wording.text('howToPay')}</h2>
    ${invoice.Terms && paragraphs(invoice.Terms)}
    <p>
      ${company.phone ? html`${wording.text('payByPhone')} ${phoneLink(company.phone)}` : wording.text('payByTerms')}
    </p>
  </section>`;
}

/** The page of an invoice. */
export function invoicePage(frame: Frame, view: InvoiceView, notice?: Notice): string {
  const { wording } = frame;
  const { invoice, company, contactName, contactAddress, payments, isPaid, isProcessing, isTest } = view;
  const { Zone, DatePaid } = invoice;
  return page(frame, company, {
    title: wording.text('invoiceNumber', { number: invoice.Number }),
    notices: [
      notice,
      isProcessing && processingNotice(wording),
      isTest && testNotice(wording),
      isPaid && {
        kind: 'good',
        title: wording.text('paid'),
        text: DatePaid === null ? undefined : wording.text('paidOn', { date: wording.date(DatePaid, Zone) }),
      },
    ],
    content: [
      !isPaid &&
        html`<p class="due"><small>${wording.text('balance')}</small> ${wording.money(invoice.BalanceDue)}</p>`,
      html`<p class="facts">
        ${contactName && html`${wording.text('proposalFor', { name: contactName })}<br />`}
        ${contactAddress && html`${contactAddress}<br />`}
        ${wording.text('invoiceDate', { date: wording.date(invoice.Date, Zone) })}
      </p>`,
      invoice.CustomerNotes && html`<section>${paragraphs(invoice.CustomerNotes)}</section>`,
      html`<section>
        <table>
          <thead>
            <tr>
              <th scope="col">${wording.text('description')}</th>
              <th scope="col" class="number">${wording.text('quantity')}</th>
              <th scope="col" class="number wide">${wording.text('price')}</th>
              <th scope="col" class="number">${wording.text('amount')}</th>
            </tr>
          </thead>
          <tbody>
            ${invoice.Lines.map((line) => lineRow(wording, line))}
          </tbody>
        </table>
        ${amountList(invoiceAmounts(wording, view))}
      </section>`,
      payments.length > 0 &&
        html`<section>
          <h2>${wording.text('payments')}</h2>
          <dl class="totals">${payments.map((payment) => paymentRow(wording, Zone, payment))}</dl>
        </section>`,
      payment(frame, view),
      html`<p class="links"><a href="${inLanguage(frame, '/pdf')}">${wording.text('savedPdf')}</a></p>`,
    ],
  });
}
