import type { Contact } from '../../entities/contacts.ts';
import type { Invoice } from '../../entities/invoices.ts';
import { DAY } from '../../shared/time/time.ts';
import { phoneLink } from '../frame.ts';
import { type Content, type Html, html } from '../html.ts';
import { type OfficeFrame, officePage } from './frame.ts';

export interface MoneyView {
  readonly now: number;
  readonly zone: string;
  readonly invoices: readonly Invoice[];
  /** Whether more invoices are open than these. */
  readonly isCut: boolean;
  /** The newest clients with credit. */
  readonly creditors: readonly Contact[];
  /** Whether there are more than these. */
  readonly hasMoreCreditors: boolean;
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

/** The first cells of a row: a client, who opens, and the phone. */
const clientCells = (id: number, name: string, phone: string): Html =>
  html`<th scope="row"><a href="/office/client/${id}">${name}</a></th>
    <td>${phone && phoneLink(phone)}</td>`;

/** Who has credit, and how much; those who have most first. Credit is below 0 where more was used than is left. */
function creditSection({ wording }: OfficeFrame, { creditors, hasMoreCreditors }: MoneyView): Content {
  if (!creditors.length) return false;
  const sum = creditors.reduce((total, { CreditBalance }) => total + cents(CreditBalance), 0) / 100;
  return html`<section>
    <h2>${wording.say('credit')}</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${wording.say('client')}</th>
            <th scope="col">${wording.say('phone')}</th>
            <th scope="col" class="number">${wording.say('credit')}</th>
          </tr>
        </thead>
        <tbody>
          ${creditors
            .toSorted((one, other) => other.CreditBalance - one.CreditBalance)
            .map(
              ({ Id, Company, Name, Phone, CreditBalance }) =>
                html`<tr>
                  ${clientCells(Id, Company || Name, Phone)}
                  <td class="number">${wording.money(CreditBalance)}</td>
                </tr>`,
            )}
        </tbody>
        ${
          !hasMoreCreditors &&
          html`<tfoot>
            <tr>
              <th scope="row">${wording.say('total')}</th>
              <td></td>
              <td class="number">${wording.money(sum)}</td>
            </tr>
          </tfoot>`
        }
      </table>
    </div>
    ${hasMoreCreditors && html`<p class="hint">${wording.say('moreCreditors')}</p>`}
  </section>`;
}

/** Who owes, by age, and who has credit, with the phone. */
export function moneyPage(frame: OfficeFrame, view: MoneyView): string {
  const { now, invoices, isCut, mayRemind } = view;
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
                      ${clientCells(contactId, name, phone)} ${byAge.map(amount)} ${amount(total)}
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
      creditSection(frame, view),
    ],
  });
}
