import { isTooLargeToPay } from '../domain/invoices/record.ts';
import type { PhoneCheck } from '../domain/phone-check.ts';
import type { InvoiceRecord } from '../entities/invoices.ts';
import type { TaxPartAmount } from '../domain/pricing/tax-parts.ts';
import type { PaymentRecord } from '../entities/payments.ts';
import { type Company, type Frame, type Notice, form, inLanguage, page } from './frame.ts';
import { type Content, type Html, html, paragraphs } from './html.ts';
import type { Wording } from './language.ts';
import { columns, contactLine, factList } from './layout.ts';
import { processingNotice, testNotice } from './payment.ts';
import { phoneDigits, phoneMissing } from './phone-digits.ts';

/** An invoice as its page and its PDF show it. */
export interface InvoiceView {
  readonly company: Company;
  readonly contactName: string;
  readonly contactAddress: string;
  readonly invoice: InvoiceRecord;
  readonly payments: readonly PaymentRecord[];
  readonly isPaid: boolean;
  /** `YYYY-MM-DD`; `null` if its Terms state no days. */
  readonly dueDate: string | null;
  readonly isOverdue: boolean;
  /** Whether the client can pay the balance now. */
  readonly canPay: boolean;
  /** Applies to paying the balance. */
  readonly phoneCheck: PhoneCheck;
  /** Whether a payment is in progress. */
  readonly isProcessing: boolean;
  /** Whether a payment would be a test. */
  readonly isTest: boolean;
}

/** A row of the totals: a label and an amount. */
export interface Amount {
  readonly label: string;
  readonly amount: string;
  readonly isSum?: boolean;
}

/** `Tax (Virginia, 6%)`; many rates already have the percentage in their name. */
function taxLabel(wording: Wording, { name, percent }: { readonly name: string; readonly percent: number }): string {
  if (!name) return wording.text('tax');
  return name.includes('%') ? `${wording.text('tax')} (${name})` : wording.text('taxNamed', { name, percent });
}

/** Subtotal and tax, with a row for each part of the tax and the company's number; no row without tax. */
export const taxAmounts = (
  wording: Wording,
  { Subtotal, Tax }: { readonly Subtotal: number; readonly Tax: number },
  { parts, ...rate }: Parameters<typeof taxLabel>[1] & { readonly parts: readonly TaxPartAmount[] },
): Amount[] => [
  { label: wording.text('subtotal'), amount: wording.money(Subtotal) },
  ...(Tax === 0 || parts.length ? [] : [{ label: taxLabel(wording, rate), amount: wording.money(Tax) }]),
  ...parts.map(({ Name, TaxRate: percent, RegistrationNumber, Amount: amount }) => ({
    label: taxLabel(wording, { name: [Name, RegistrationNumber].filter(Boolean).join(' '), percent }),
    amount: wording.money(amount),
  })),
];

/** The company's notes to the client. */
export const notesSection = (wording: Wording, notes: string): Content =>
  notes &&
  html`<section>
    <h2>${wording.text('notes')}</h2>
    ${paragraphs(notes)}
  </section>`;

/** The totals of an invoice, for the page and the PDF. */
export function invoiceAmounts(wording: Wording, { invoice }: InvoiceView): Amount[] {
  const { Total, Paid, BalanceDue, RateName, TaxRate, Tax, TaxParts } = invoice;
  return [
    ...taxAmounts(wording, invoice, { name: RateName, percent: TaxRate, parts: Tax === 0 ? [] : TaxParts }),
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
    <td class="number">${wording.quantity(Qty)}</td>
    <td class="number wide">${wording.money(Rate)}</td>
    <td class="number">${wording.money(Extended)}</td>
  </tr>`;

/** How a payment provider names a card. */
const CARD = /^[A-Z][A-Za-z ]{2,30} \d{4}$/;

/** `Payment (Check)`; for a card its kind and last digits: `Payment (Visa 4242)` */
export function paymentName(
  wording: Wording,
  { Amount: amount, Method, Reference, FromCredit }: PaymentRecord,
): string {
  const by = FromCredit ? wording.text('credit') : CARD.test(Reference) ? Reference : Method;
  return `${wording.text(amount < 0 ? 'refund' : 'payment')}${by && ` (${by})`}`;
}

const paymentRow = (wording: Wording, zone: string, payment: PaymentRecord): Html =>
  html`<div>
    <dt>${paymentName(wording, payment)}<small>${wording.date(payment.Date, zone)}</small></dt>
    <dd>${wording.money(payment.Amount)}</dd>
  </div>`;

/** `Due June 18, 2026` */
export const dueDayText = (wording: Wording, day: string, isOverdue: boolean): string =>
  wording.text(isOverdue ? 'wasDueOn' : 'dueOn', { date: wording.calendarDate(day) });

/** The due date of an invoice; `undefined` if nothing is due, or its Terms state no days. */
export function dueText(wording: Wording, { invoice, dueDate, isOverdue, isPaid }: InvoiceView): string | undefined {
  if (isPaid || dueDate === null || invoice.BalanceDue <= 0) return undefined;
  return dueDayText(wording, dueDate, isOverdue);
}

/** The balance, with the button to pay it if possible: clients look for both first. */
function summary(frame: Frame, view: InvoiceView, phoneError: string | undefined): Html {
  const { wording } = frame;
  const { company, contactName, contactAddress, invoice, isPaid, isOverdue } = view;
  const [label, amount] = isPaid ? (['total', invoice.Total] as const) : (['balance', invoice.BalanceDue] as const);
  const due = dueText(wording, view);
  return html`<section>
    <p class="due"><small>${wording.text(label)}</small> ${wording.money(amount)}</p>
    ${due && html`<p${isOverdue && html` class="error"`}>${due}</p>`} ${payForm(frame, view, phoneError)}
    ${factList([
      [wording.text('from'), company.name],
      [wording.text('for'), contactName && [contactName, contactAddress && html`<br />${contactAddress}`]],
      [wording.text('date'), wording.date(invoice.Date, invoice.Zone)],
    ])}
  </section>`;
}

function payForm(frame: Frame, view: InvoiceView, phoneError: string | undefined): Content {
  const { wording } = frame;
  const { company, invoice, canPay, isProcessing, phoneCheck } = view;
  if (!canPay || isProcessing) return undefined;
  if (phoneCheck === 'missing') return phoneMissing(wording, company);
  return form(frame, 'pay', [
    phoneDigits(wording, phoneCheck, phoneError),
    html`<button>${wording.text('payAmount', { amount: wording.money(invoice.BalanceDue) })}</button>`,
    html`<p class="hint">${wording.text('paySafely')}</p>`,
  ]);
}

/** How to pay if the page itself takes no payment. */
function howToPay(wording: Wording, { company, invoice, isPaid, canPay, isProcessing }: InvoiceView): Content {
  if (isPaid || canPay || isProcessing) return undefined;
  return html`<section>
    <h2>${wording.text('howToPay')}</h2>
    ${invoice.Terms && paragraphs(invoice.Terms)}
    ${invoice.CanAcceptClientPayment && isTooLargeToPay(invoice) && html`<p>${wording.text('tooLargeToPay')}</p>`}
    ${contactLine(wording, company, 'payByPhone')}
  </section>`;
}

function terms(wording: Wording, { invoice, canPay }: InvoiceView): Content {
  if (!canPay || !invoice.Terms) return undefined;
  return html`<section>
    <h2>${wording.text('terms')}</h2>
    ${paragraphs(invoice.Terms)}
  </section>`;
}

/** The page of an invoice. */
export function invoicePage(
  frame: Frame,
  view: InvoiceView,
  { notice, phoneError }: { notice?: Notice | undefined; phoneError?: string | undefined } = {},
): string {
  const { wording } = frame;
  const { invoice, company, payments, isPaid, isProcessing, isTest } = view;
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
    content: columns({
      first: 'beside',
      beside: [
        summary(frame, view, phoneError),
        howToPay(wording, view),
        html`<p class="links">
          <a class="button quiet" href="${inLanguage(frame, '/pdf')}">${wording.text('savedPdf')}</a>
        </p>`,
      ],
      about: [
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
        notesSection(wording, invoice.CustomerNotes),
        terms(wording, view),
      ],
    }),
  });
}
