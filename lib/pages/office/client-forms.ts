import type { Invoice } from '../../entities/invoices.ts';
import { field } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { options } from './controls.ts';
import { type OfficeFrame, officeForm } from './frame.ts';

/** Forms on the page of a client. */

/** How a payment is taken by hand, in the words of the interface. */
export const PAYMENT_METHODS = ['Cash', 'Check', 'Card', 'Other'] as const;

/** Lines of an invoice that is written by hand; the form leaves out those without a price. */
export const INVOICE_LINES = [1, 2, 3] as const;

/** A payment of an open invoice, or one that becomes credit. */
export const paymentForm = (frame: OfficeFrame, open: readonly Invoice[]): Html => {
  const { wording } = frame;
  return html`<details>
    <summary>${wording.say('takePayment')}</summary>
    ${officeForm(frame, 'pay', [
      field(
        'invoice',
        wording.say('forInvoice'),
        (attributes) =>
          html`<select ${attributes}>
            ${options([
              ...open.map(
                ({ Id, Number: number, BalanceDue }) =>
                  [String(Id), `${number}: ${wording.money(BalanceDue ?? 0)}`] as const,
              ),
              ['', wording.say('asCredit')],
            ])}
          </select>`,
      ),
      field(
        'amount',
        wording.say('amount'),
        (attributes) => html`<input ${attributes} type="text" inputmode="decimal" required />`,
      ),
      field(
        'method',
        wording.say('method'),
        (attributes) =>
          html`<select ${attributes}>
            ${options(PAYMENT_METHODS.map((method) => [method, wording.say(`pay${method}`)]))}
          </select>`,
      ),
      html`<button>${wording.say('takePayment')}</button>`,
    ])}
  </details>`;
};

/** An invoice of one to three lines, for what no visit or proposal bills. */
export function invoiceForm(frame: OfficeFrame): Html {
  const { wording } = frame;
  const line = (number: (typeof INVOICE_LINES)[number]): Html =>
    html`<fieldset>
      <legend>${wording.say('line', { number })}</legend>
      ${field(`what${number}`, wording.say('what'), (attributes) =>
        number === 1
          ? html`<input ${attributes} type="text" maxlength="500" required />`
          : html`<input ${attributes} type="text" maxlength="500" />`,
      )}
      ${field(
        `quantity${number}`,
        wording.say('quantity'),
        (attributes) => html`<input ${attributes} type="text" inputmode="decimal" value="1" />`,
      )}
      ${field(`rate${number}`, wording.say('rate'), (attributes) =>
        number === 1
          ? html`<input ${attributes} type="text" inputmode="decimal" required />`
          : html`<input ${attributes} type="text" inputmode="decimal" />`,
      )}
    </fieldset>`;
  return html`<details>
    <summary>${wording.say('newInvoice')}</summary>
    ${officeForm(frame, 'invoice', [
      INVOICE_LINES.map(line),
      field(
        'tax',
        wording.say('taxRate'),
        (attributes) => html`<input ${attributes} type="text" inputmode="decimal" />`,
      ),
      html`<button>${wording.say('createInvoice')}</button>`,
    ])}
  </details>`;
}
