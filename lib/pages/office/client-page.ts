import { Status } from '../../domain/appointments/record.ts';
import type { Appointment } from '../../entities/appointments.ts';
import type { Contact } from '../../entities/contacts.ts';
import type { Invoice } from '../../entities/invoices.ts';
import type { ContactMessage } from '../../entities/messages.ts';
import type { Proposal } from '../../entities/proposals.ts';
import type { Task } from '../../entities/tasks.ts';
import { type Notice, field, phoneLink } from '../frame.ts';
import { type Content, type Html, html, paragraphs } from '../html.ts';
import { columns, factList } from '../layout.ts';
import { toVisit } from './day.ts';
import { invoiceForm, paymentForm } from './client-forms.ts';
import { type OfficeFrame, officeForm, officePage } from './frame.ts';
import { visitTimes } from './today-page.ts';
import { taskItem } from './tasks-page.ts';
import { visitState } from './visit-state.ts';

/** What the office knows of a client; `undefined` for what the user's role may not see. */
export interface ClientView {
  readonly contact: Contact;
  readonly tags: readonly string[];
  readonly zone: string;
  readonly now: number;
  readonly visits: readonly Appointment[];
  readonly invoices: readonly Invoice[];
  readonly proposals: readonly Proposal[];
  readonly tasks: readonly Task[];
  readonly messages: readonly ContactMessage[];
  readonly ownerName: string;
  /** Forms that the user's role may send. */
  readonly may: Readonly<
    Record<'note' | 'book' | 'pay' | 'task' | 'invoice' | 'propose' | 'message' | 'merge', boolean>
  >;
}

const MAX_PAST_VISITS = 5;
const MAX_NOTES = 5;

function visitList(frame: OfficeFrame, visits: readonly Appointment[], zone: string): Content {
  const { wording } = frame;
  if (!visits.length) return html`<p class="hint">${wording.say('noVisits')}</p>`;
  return html`<ul class="list">
    ${visits.map((appointment) => {
      const visit = { ...toVisit(appointment), gapMinutes: 0 };
      const when = `${wording.shortDay(visit.start, zone)}, ${visitTimes(visit, wording, zone)}`;
      return html`<li>
        <a href="/office/visit/${visit.id}">${when}</a> ${visit.service} · ${appointment.ServiceAgentName} ·
        ${wording.say(visitState(visit.status))}
      </li>`;
    })}
  </ul>`;
}

function visitSection(frame: OfficeFrame, { visits, zone, now }: ClientView): Html {
  const { wording } = frame;
  const isPast = ({ DateTime }: Appointment) => Date.parse(DateTime) < now;
  const isCanceled = ({ Status: status }: Appointment) => status === Status.Canceled;
  const ahead = visits.filter((each) => !isPast(each));
  const next = ahead.filter((each) => !isCanceled(each));
  const canceled = ahead.filter(isCanceled);
  const past = visits.filter(isPast);
  return html`<section>
    <h2>${wording.say('visits')}</h2>
    <h3>${wording.say('nextVisits')}</h3>
    ${visitList(frame, next, zone)}
    ${canceled.length > 0 && [html`<h3>${wording.say('canceledVisits')}</h3>`, visitList(frame, canceled, zone)]}
    <h3>${wording.say('lastVisits')}</h3>
    ${visitList(frame, past.toReversed().slice(0, MAX_PAST_VISITS), zone)}
  </section>`;
}

/** A search for a place, which phones open in their map. */
function mapLink(place: string): Html {
  const query = new URLSearchParams({ api: '1', query: place });
  return html`<a href="https://www.google.com/maps/search/?${query.toString()}" rel="noreferrer">${place}</a>`;
}

function about(frame: OfficeFrame, { contact, tags, ownerName }: ClientView): Html {
  const { wording } = frame;
  const place = [contact.Address1, contact.Address2, contact.City, contact.State, contact.Zip]
    .filter(Boolean)
    .join(', ');
  const flags = [
    contact.DoNotEmail && wording.say('doNotEmail'),
    contact.DoNotText && wording.say('doNotText'),
    contact.Unsubscribed && wording.say('unsubscribed'),
    contact.EmailProblem && wording.say('emailProblem', { why: contact.EmailProblem }),
  ].filter((flag) => flag !== false && flag !== '');
  return html`<section>
    ${contact.FlashMessage && html`<p class="notice test">${contact.FlashMessage}</p>`}
    ${factList([
      [wording.say('name'), contact.Name],
      [wording.say('company'), contact.Company],
      [wording.say('phone'), contact.Phone && phoneLink(contact.Phone)],
      [wording.say('otherPhone'), contact.AltPhone && phoneLink(contact.AltPhone)],
      [wording.say('email'), contact.Email && html`<a href="mailto:${contact.Email}">${contact.Email}</a>`],
      [wording.say('place'), place && mapLink(place)],
      [wording.say('messageLanguage'), contact.Language],
      [wording.say('category'), contact.Category],
      [wording.say('channel'), [contact.Channel, contact.Campaign].filter(Boolean).join(', ')],
      [wording.say('tags'), tags.join(', ')],
      [wording.say('owner'), ownerName],
      [wording.say('flags'), flags.join(' · ')],
    ])}
  </section>`;
}

const link = (address: string, text: Content): Content => (address ? html`<a href="${address}">${text}</a>` : text);

function invoiceItem(
  { wording }: OfficeFrame,
  { ClientPayUrl, Number: number, Date: date, BalanceDue }: Invoice,
  zone: string,
): Html {
  return html`<li>
    ${link(ClientPayUrl, wording.say('invoice', { number }))}, ${wording.date(Date.parse(date), zone)}:
    ${wording.money(BalanceDue ?? 0)}
  </li>`;
}

function moneySection(frame: OfficeFrame, { contact, invoices, proposals, zone, may }: ClientView): Html {
  const { wording } = frame;
  const open = invoices.filter(({ BalanceDue }) => (BalanceDue ?? 0) > 0);
  const due = open.reduce((sum, { BalanceDue }) => sum + (BalanceDue ?? 0), 0);
  return html`<section>
    <h2>${wording.say('money')}</h2>
    ${factList([
      [wording.say('balance'), wording.money(due)],
      [wording.say('credit'), contact.CreditBalance > 0 && wording.money(contact.CreditBalance)],
    ])}
    ${
      open.length > 0 &&
      html`<ul class="list">
        ${open.map((invoice) => invoiceItem(frame, invoice, zone))}
      </ul>`
    }
    ${
      proposals.length > 0 &&
      html`<h3>${wording.say('openProposals')}</h3>
        <ul class="list">
          ${proposals.map(
            ({ ClientUrl, Id, Title, ServiceName, Subtotal }) =>
              html`<li>${link(ClientUrl, Title || ServiceName || String(Id))}: ${wording.money(Subtotal ?? 0)}</li>`,
          )}
        </ul>`
    }
    ${may.pay && paymentForm(frame, open)} ${may.invoice && invoiceForm(frame)}
  </section>`;
}

function noteSection(frame: OfficeFrame, { contact, may }: ClientView): Html {
  const { wording } = frame;
  const newest = contact.Notes.toReversed().slice(0, MAX_NOTES);
  return html`<section>
    <h2>${wording.say('notes')}</h2>
    ${newest.map(({ Title, Body }) => [Title && html`<h3>${Title}</h3>`, paragraphs(Body)])}
    ${
      may.note &&
      html`<details>
        <summary>${wording.say('addNote')}</summary>
        ${officeForm(frame, 'note', [
          field(
            'body',
            wording.say('note'),
            (attributes) => html`<textarea ${attributes} rows="3" required></textarea>`,
          ),
          html`<p>
            <label><input type="checkbox" name="call" value="1" /> ${wording.say('wasCall')}</label>
          </p>`,
          html`<button>${wording.say('save')}</button>`,
        ])}
      </details>`
    }
  </section>`;
}

function taskSection(frame: OfficeFrame, { tasks, zone, now, may }: ClientView): Html {
  const { wording } = frame;
  return html`<section>
    <h2>${wording.say('tasks')}</h2>
    <ul class="list">
      ${tasks.map((task) => taskItem(frame, task, { zone, now, mayComplete: may.task }))}
    </ul>
    ${
      may.task &&
      html`<details>
        <summary>${wording.say('addTask')}</summary>
        ${officeForm(frame, 'task', [
          field(
            'description',
            wording.say('what'),
            (attributes) => html`<input ${attributes} type="text" maxlength="500" required />`,
          ),
          field('due', wording.say('due'), (attributes) => html`<input ${attributes} type="date" />`),
          html`<button>${wording.say('save')}</button>`,
        ])}
      </details>`
    }
  </section>`;
}

function messageSection({ wording }: OfficeFrame, { messages, zone }: ClientView): Content {
  return (
    messages.length > 0 &&
    html`<section>
      <h2>${wording.say('messages')}</h2>
      <ul class="list">
        ${messages.map(
          ({ Kind, Channel, State, Due, Reason }) =>
            html`<li>
              ${wording.shortDay(Date.parse(Due), zone)}, ${wording.time(Date.parse(Due), zone)}: ${Kind}, ${Channel},
              ${State}${Reason && ` (${Reason})`}
            </li>`,
        )}
      </ul>
    </section>`
  );
}

/** Pictures and documents, newest first. Each opens as a download. */
function fileSection({ wording }: OfficeFrame, { contact, zone }: ClientView): Content {
  const files = [...contact.ContactPictures, ...contact.ContactDocuments].toSorted((one, other) => other.Id - one.Id);
  return (
    files.length > 0 &&
    html`<section>
      <h2>${wording.say('files')}</h2>
      <ul class="list">
        ${files.map(
          ({ Id, Filename, Notes, CreatedAt }) =>
            html`<li>
              <a href="/office/file/${Id}">${Filename}</a>
              <small>${[wording.date(Date.parse(CreatedAt), zone), Notes].filter(Boolean).join(' · ')}</small>
            </li>`,
        )}
      </ul>
    </section>`
  );
}

const actionTexts = { book: 'newVisit', propose: 'newProposal', message: 'newMessage', merge: 'mergeTitle' } as const;

/** The pages on which more is done for the client. */
function actions({ wording }: OfficeFrame, { contact, may }: ClientView): Content {
  const links = (['book', 'propose', 'message', 'merge'] as const).filter((page) => may[page]);
  return (
    links.length > 0 &&
    html`<p class="actions">
      ${links.map(
        (page) =>
          html`<a class="button ${page === 'book' ? '' : 'quiet'}" href="/office/${page}/${contact.Id}"
            >${wording.say(actionTexts[page])}</a
          >`,
      )}
    </p>`
  );
}

/** A client on one page, and what can be done for one. */
export function clientPage(
  frame: OfficeFrame,
  view: ClientView,
  notices: readonly (Notice | undefined)[] = [],
): string {
  return officePage(frame, {
    title: view.contact.Company || view.contact.Name,
    place: '/office/clients',
    notices,
    content: columns({
      about: [actions(frame, view), about(frame, view), visitSection(frame, view), noteSection(frame, view)],
      beside: [
        moneySection(frame, view),
        taskSection(frame, view),
        fileSection(frame, view),
        messageSection(frame, view),
      ],
      first: 'about',
    }),
  });
}
