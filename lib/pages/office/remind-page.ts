import type { Invoice } from '../../entities/invoices.ts';
import type { MessagePreview } from '../../resources/messages.ts';
import { DAY } from '../../shared/time/time.ts';
import { type Content, html } from '../html.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import { previewOf } from './message-page.ts';

/** A debtor and the oldest invoice, of which the message is. */
export interface Reminder {
  readonly contactId: number;
  readonly invoiceId: number;
  /** The date of the invoice, milliseconds since 1970. */
  readonly at: number;
  readonly name: string;
}

/** Who is reminded: invoices that are younger are not overdue everywhere. */
const MIN_DAYS = 30;

/** A reminder for each debtor with an invoice of more than 30 days, about the oldest one; the oldest first. */
export function toReminders(invoices: readonly Invoice[], now: number): Reminder[] {
  const dateOf = ({ Date: date }: Invoice) => Date.parse(date);
  const due = invoices
    .filter((invoice) => (invoice.BalanceDue ?? 0) > 0 && now - dateOf(invoice) > MIN_DAYS * DAY)
    .sort((one, other) => dateOf(one) - dateOf(other) || (one.Id ?? 0) - (other.Id ?? 0));
  const oldest = [...Map.groupBy(due, ({ ContactId }) => ContactId).values()].flatMap(([first]) => first ?? []);
  return oldest.map((invoice) => ({
    contactId: invoice.ContactId,
    invoiceId: invoice.Id ?? 0,
    at: dateOf(invoice),
    name: invoice.Contact?.Company || invoice.Contact?.Name || '',
  }));
}

/** Where a reminder is in the list, which payments shorten meanwhile: by date, then invoice. */
export const placeOf = ({ at, invoiceId }: Reminder): string => `${at}-${invoiceId}`;

/** The reminders behind a place. */
export function behind(reminders: readonly Reminder[], place: string): readonly Reminder[] {
  const [at = 0, invoice = 0] = /^\d{1,15}-\d{1,10}$/.test(place) ? place.split('-').map(Number) : [];
  return reminders.filter((each) => each.at > at || (each.at === at && each.invoiceId > invoice));
}

export interface RemindView {
  /** Those who would be reminded. */
  readonly reminders: readonly Reminder[];
  /** The last one before them, and of them if others follow: `{at}-{invoice}`; `''` for none. */
  readonly after: string;
  readonly next: string;
  /** Whether more invoices are open than were read. */
  readonly isCut: boolean;
  /** The message to the first. */
  readonly preview?: MessagePreview | undefined;
  /** Names the work on the list: whatever is sent twice, each message goes out once. */
  readonly run: string;
  /** What became of each, with the reason why it was not sent, after the form was sent. */
  readonly sent?: readonly (Reminder & { readonly why: string })[];
}

const clientLink = ({ contactId, name }: Reminder): Content =>
  html`<a href="/office/client/${contactId}">${name || contactId}</a>`;

function results({ wording }: OfficeFrame, sent: NonNullable<RemindView['sent']>): Content {
  const refused = sent.filter(({ why }) => why !== '');
  return [
    html`<p role="status">${wording.say('areReminded', { count: sent.length - refused.length })}</p>`,
    refused.length > 0 &&
      html`<section>
        <h2>${wording.say('notReminded', { count: refused.length })}</h2>
        <ul class="list">
          ${refused.map((each) => html`<li>${clientLink(each)} <small lang="en">${each.why}</small></li>`)}
        </ul>
      </section>`,
  ];
}

/** Reminds all who owe for more than 30 days: how many, what the first gets, and then what became of each. */
export function remindPage(
  frame: OfficeFrame,
  { reminders, after, next, isCut, preview, run, sent }: RemindView,
): string {
  const { wording } = frame;
  const offer = reminders.length
    ? [
        html`<p>${wording.say('toRemind', { count: reminders.length })}</p>
          <details>
            <summary>${wording.say('whom')}</summary>
            <ul class="list">
              ${reminders.map((each) => html`<li>${clientLink(each)}</li>`)}
            </ul>
          </details>`,
        preview &&
          html`<section>
            <h2>${wording.say('firstMessage')}</h2>
            ${previewOf(wording, preview)}
          </section>`,
        officeForm(frame, 'remind', [
          hidden('run', run),
          hidden('after', after),
          html`<button>${wording.say('remindAll', { count: reminders.length })}</button>`,
        ]),
      ]
    : html`<p>${wording.say('nobodyToRemind')}</p>`;
  return officePage(frame, {
    title: wording.say('remindTitle'),
    place: '/office/money',
    notices: [isCut && { kind: 'bad', title: wording.say('moneyIsCut') }],
    content: [
      sent ? results(frame, sent) : offer,
      next && html`<p><a href="/office/remind?after=${next}&run=${run}">${wording.say('nextToRemind')}</a></p>`,
      html`<p><a href="/office/money">${wording.say('whoOwes')}</a></p>`,
    ],
  });
}
