import type { Payment } from '../../entities/payments.ts';
import { cents, fromCents } from '../../shared/money.ts';
import { type Notice, field } from '../frame.ts';
import { html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';

export interface PaymentsView {
  /** `2026-12-05` */
  readonly from: string;
  readonly through: string;
  readonly payments: readonly Payment[];
  /** Whether the period has more payments than these. */
  readonly isCut: boolean;
}

/** What came in by one method: payments minus refunds. */
export interface MethodSum {
  readonly method: string;
  readonly count: number;
  readonly amount: number;
}

/** The sums by method, the largest first. Credit pays with money that came in before, so it is left out. */
export function sumsByMethod(payments: readonly Payment[]): MethodSum[] {
  const moved = payments.filter(({ Method }) => Method !== 'Credit');
  return [...Map.groupBy(moved, ({ Method }) => Method)]
    .map(([method, own]) => {
      const amount = fromCents(own.reduce((sum, { Amount }) => sum + cents(Amount ?? 0), 0));
      return { method, count: own.length, amount };
    })
    .sort((one, other) => other.amount - one.amount);
}

/** The payments of a period by method. */
export function paymentsPage(
  frame: OfficeFrame,
  { from, through, payments, isCut }: PaymentsView,
  notices: readonly (Notice | undefined)[] = [],
): string {
  const { wording, path } = frame;
  const sums = sumsByMethod(payments);
  const date = (name: 'from' | 'through', value: string) =>
    field(name, wording.say(name), (attributes) => html`<input ${attributes} type="date" value="${value}" required />`);
  return officePage(frame, {
    title: wording.say('payments'),
    place: '/office/money',
    notices: [...notices, isCut && { kind: 'bad', title: wording.say('paymentsAreCut') }],
    content: [
      html`<form class="search" method="get" action="${path}">
        ${date('from', from)} ${date('through', through)}
        <button class="quiet">${wording.say('show')}</button>
      </form>`,
      sums.length
        ? html`<section class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">${wording.say('method')}</th>
                  <th scope="col" class="number">${wording.say('payments')}</th>
                  <th scope="col" class="number">${wording.say('total')}</th>
                </tr>
              </thead>
              <tbody>
                ${sums.map(
                  ({ method, count, amount }) =>
                    html`<tr>
                      <th scope="row">${method || wording.say('noMethod')}</th>
                      <td class="number">${count}</td>
                      <td class="number">${wording.money(amount)}</td>
                    </tr>`,
                )}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">${wording.say('total')}</th>
                  <td class="number">${sums.reduce((sum, { count }) => sum + count, 0)}</td>
                  <td class="number">
                    ${wording.money(fromCents(sums.reduce((sum, { amount }) => sum + cents(amount), 0)))}
                  </td>
                </tr>
              </tfoot>
            </table>
          </section>`
        : html`<p>${wording.say('noPayments')}</p>`,
    ],
  });
}
