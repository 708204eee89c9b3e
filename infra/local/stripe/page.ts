import { html } from '../../../lib/pages/html.ts';
import { standInPage } from '../stand-in-page.ts';
import type { StoredSession } from './objects.ts';

const style = `
  body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 26rem; padding: 1rem; color: #1a1a1a;
    background: #fff; }
  .test { background: #8a1c1c; color: #fff; padding: 0.75rem; font-weight: 700; text-align: center; }
  button { display: block; width: 100%; min-height: 3rem; margin: 0.75rem 0; font: inherit; cursor: pointer; }
`;

const document = (title: string, body: ReturnType<typeof html>): string =>
  standInPage(
    title,
    html`<p class="test" role="status">TEST — no money moves</p>
      <main>${body}</main>`,
    '/style.css',
  );

export const pageStyle = style;

/** The stand-in for Stripe's checkout page: it asks for no card, and every button does what its text says. */
export function checkoutPage({ session, title }: StoredSession): string {
  if (session.status !== 'open')
    return document(
      'This page is over',
      html`<h1>This page is over</h1>
        <p>It was ${session.status === 'complete' ? 'completed' : 'ended'}.</p>`,
    );
  const amount = ((session.amount_total ?? 0) / 100).toFixed(2);
  const isPayment = session.mode === 'payment';
  return document(
    'Test checkout',
    html`<h1>${title}</h1>
      ${isPayment && html`<p><strong>${amount} ${(session.currency ?? '').toUpperCase()}</strong></p>`}
      ${session.failed_charge !== undefined && html`<p role="alert">The card was declined.</p>`}
      <p>This page of your local stack stands in for Stripe's.</p>
      <form method="post">
        <button name="action" value="card">
          ${isPayment ? 'Pay with the test card Visa 4242' : 'Save the test card'}
        </button>
        ${isPayment && html`<button name="action" value="declined">Pay with a card that is declined</button>`}
        ${isPayment && html`<button name="action" value="bank">Pay from a bank account (confirmed later)</button>`}
        <button name="action" value="cancel">Cancel</button>
      </form>`,
  );
}
