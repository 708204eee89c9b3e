import type { Invoice } from '../../entities/invoices.ts';
import { DAY } from '../../shared/time/time.ts';
import { phoneLink } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';

export interface MoneyView {
  readonly now: number;
  readonly zone: string;
  readonly invoices: readonly Invoice[];
  /** Whether more invoices are open than these. */
  readonly isCut: boolean;
  /** Whether the user may remind by message. */
  readonly mayRemind: boolean;
}

/** What somebody owes, by the age of the invoices in days: 0–30, 31–60, 61–90, over 90. */
interface Debtor {
  readonly contactId: number;
  readonly name: string;
  readonly phone: string;
  /** The oldest invoice, of which a reminder is. */
  readonly oldestId: number;
  readonly byAge: readonly number[];
  readonly total: number;
}

const AGES = [30, 60, 90] as const;

const bracketOf = (days: number): number => {
  const bracket = AGES.findIndex((age) => days <= age);
  return bracket < 0 ? AGES.length : bracket;
};

const cents = (amount: number): number => Math.round(amount * 100);

/** The debtors of open invoices, those who owe most first. An invoice of 31 days is in the second bracket. */
export function toDebtors(invoices: readonly Invoice[], now: number): Debtor[] {
  const byContact = Map.groupBy(invoices, ({ ContactId }) => ContactId);
  const debtors = [...byContact].map(([contactId, owed]) => {
    const byAge = [0, 0, 0, 0];
    for (const { Date: date, BalanceDue } of owed) {
      const bracket = bracketOf(Math.floor((now - Date.parse(date)) / DAY));
      byAge[bracket] = (byAge[bracket] ?? 0) + cents(BalanceDue ?? 0);
    }
    const contact = owed[0]?.Contact;
    const total = byAge.reduce((sum, each) => sum + each, 0);
    const name = contact?.Company || contact?.Name || '';
    const [oldest] = owed.toSorted((one, other) => Date.parse(one.Date) - Date.parse(other.Date));
    const oldestId = oldest?.Id ?? 0;
    return {
      contactId,
      name,
      phone: contact?.Phone ?? '',
      oldestId,
      byAge: byAge.map((each) => each / 100),
      total: total / 100,
    };
  });
  return debtors.filter(({ total }) => total > 0).sort((one, other) => other.total - one.total);
}

/** Who owes, by age, with the phone. */
export function moneyPage(frame: OfficeFrame, { now, invoices, isCut, mayRemind }: MoneyView): string {
  const { wording } = frame;
  const debtors = toDebtors(invoices, now);
  const sums = [0, 1, 2, 3].map((age) => debtors.reduce((sum, { byAge }) => sum + cents(byAge[age] ?? 0), 0) / 100);
  const ages = ['0–30', '31–60', '61–90', '> 90'];
  const amount = (value: number): Html => html`<td class="number">${value > 0 ? wording.money(value) : '–'}</td>`;
  return officePage(frame, {
    title: wording.say('whoOwes'),
    place: '/office/money',
    notices: [isCut && { kind: 'bad', title: wording.say('moneyIsCut') }],
    content: [
      html`<p class="actions">
        <a class="button quiet" href="/office/payments">${wording.say('payments')}</a>
        ${mayRemind && html`<a class="button quiet" href="/office/remind">${wording.say('remindTitle')}</a>`}
      </p>`,
      debtors.length
        ? html`<section class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">${wording.say('client')}</th>
                  <th scope="col">${wording.say('phone')}</th>
                  ${ages.map((age) => html`<th scope="col" class="number">${wording.say('ageInDays', { age })}</th>`)}
                  <th scope="col" class="number">${wording.say('total')}</th>
                  ${mayRemind && html`<td></td>`}
                </tr>
              </thead>
              <tbody>
                ${debtors.map(
                  ({ contactId, name, phone, oldestId, byAge, total }) =>
                    html`<tr>
                      <th scope="row"><a href="/office/client/${contactId}">${name}</a></th>
                      <td>${phone && phoneLink(phone)}</td>
                      ${byAge.map(amount)} ${amount(total)}
                      ${
                        mayRemind &&
                        html`<td>
                          <a
                            href="/office/message/${contactId}?about=InvoiceOverdue+${oldestId}"
                            aria-label="${wording.say('remindClient', { name })}"
                            >${wording.say('remind')}</a
                          >
                        </td>`
                      }
                    </tr>`,
                )}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">${wording.say('total')}</th>
                  <td></td>
                  ${sums.map(amount)} ${amount(sums.reduce((sum, each) => sum + cents(each), 0) / 100)}
                  ${mayRemind && html`<td></td>`}
                </tr>
              </tfoot>
            </table>
          </section>`
        : html`<p>${wording.say('nobodyOwes')}</p>`,
    ],
  });
}
