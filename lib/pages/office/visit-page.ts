import type { Appointment } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import { phoneLink, type Notice } from '../frame.ts';
import { type Content, type Html, html, paragraphs } from '../html.ts';
import { columns, factList } from '../layout.ts';
import { toVisit } from './day.ts';
import { type FreeTime, timeChoices } from './free-times.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import { visitTimes } from './today-page.ts';
import { visitState } from './visit-state.ts';

export interface MoveSearch {
  /** `2026-12-05` */
  readonly from: string;
  /** 0 for any. */
  readonly agentId: number;
  readonly agents: readonly { readonly Id: number; readonly Name: string }[];
  readonly times: readonly FreeTime[];
  /** Why there are none. */
  readonly why: string;
}

export interface OfficeVisitView {
  readonly appointment: Appointment;
  readonly notes: string;
  readonly zone: string;
  /** Whether the user may change it. */
  readonly mayChange: boolean;
  /** Whether the user may move and cancel it, which service agents may not. */
  readonly mayPlan: boolean;
  readonly cancelReasons: readonly { readonly Id: number; readonly Reason: string }[];
  readonly search?: MoveSearch | undefined;
}

/** The start and agent that the form was shown with: the change is refused if the visit has others since. */
export const seenFields = ({ DateTime, ServiceAgentId }: Appointment): readonly Html[] => [
  hidden('seen', DateTime),
  hidden('seenAgent', ServiceAgentId),
];
const seen = ({ appointment }: OfficeVisitView): Content => seenFields(appointment);

const quickForm = (frame: OfficeFrame, view: OfficeVisitView, action: 'start' | 'finish' | 'confirm', quiet = false) =>
  officeForm(frame, action, [
    seen(view),
    html`<button class="${quiet ? 'quiet' : ''}">${frame.wording.say(action)}</button>`,
  ]);

const OPEN: readonly number[] = [Status.Scheduled, Status.Tentative, Status.Started];

function quickActions(frame: OfficeFrame, view: OfficeVisitView): Content {
  const { Status: status } = view.appointment;
  if (!view.mayChange || status === null) return false;
  return html`<div class="actions plain">
    ${status === Status.Tentative && view.mayPlan && quickForm(frame, view, 'confirm')}
    ${status === Status.Scheduled && quickForm(frame, view, 'start')}
    ${OPEN.includes(status) && quickForm(frame, view, 'finish', status !== Status.Started)}
  </div>`;
}

const following = ({ wording }: OfficeFrame, { SeriesId }: Appointment): Content =>
  SeriesId > 0 &&
  html`<p>
    <label><input type="checkbox" name="scope" value="following" /> ${wording.say('moveFollowing')}</label>
  </p>`;

function moveForms(frame: OfficeFrame, view: OfficeVisitView, search: MoveSearch): Html {
  const { wording, path } = frame;
  const { from, agentId, agents, times } = search;
  const choice = (id: number, name: string): Html =>
    id === agentId
      ? html`<option value="${id}" selected>${name}</option>`
      : html`<option value="${id}">${name}</option>`;
  return html`<section>
    <h2>${wording.say('moveTitle')}</h2>
    <form class="search" method="get" action="${path}">
      <input type="hidden" name="move" value="1" />
      <div class="field">
        <label for="from">${wording.say('from')}</label>
        <input type="date" id="from" name="from" value="${from}" required />
      </div>
      <div class="field">
        <label for="agent">${wording.say('technician')}</label>
        <select id="agent" name="agent">
          ${choice(0, wording.say('anyTechnician'))} ${agents.map(({ Id, Name }) => choice(Id, Name))}
        </select>
      </div>
      <button class="quiet">${wording.say('search')}</button>
    </form>
    ${officeForm(frame, 'move', [
      seen(view),
      timeChoices(wording, search, view.zone),
      times.length > 0 && [following(frame, view.appointment), html`<button>${wording.say('move')}</button>`],
    ])}
  </section>`;
}

function planning(frame: OfficeFrame, view: OfficeVisitView): Content {
  const { wording, path } = frame;
  const { appointment, cancelReasons, search } = view;
  if (!view.mayPlan || appointment.Status === Status.Completed || appointment.Status === Status.Canceled) return false;
  return [
    search
      ? moveForms(frame, view, search)
      : html`<p><a class="button quiet" href="${path}?move=1">${wording.say('findTime')}</a></p>`,
    html`<details>
      <summary>${wording.say('cancelVisit')}</summary>
      ${officeForm(frame, 'cancel', [
        seen(view),
        html`<div class="field">
          <label for="reason">${wording.say('cancelReason')}</label>
          <select id="reason" name="reason" required>
            ${cancelReasons.map(({ Id, Reason }) => html`<option value="${Id}">${Reason}</option>`)}
          </select>
        </div>`,
        html`<div class="field">
          <label for="note">${wording.say('cancelNote')}</label>
          <textarea id="note" name="note" rows="2" maxlength="1000"></textarea>
        </div>`,
        following(frame, appointment),
        html`<button class="quiet">${wording.say('callOff')}</button>`,
      ])}
    </details>`,
    appointment.Status !== Status.Queued &&
      officeForm(frame, 'queue', [seen(view), html`<button class="quiet">${wording.say('putInQueue')}</button>`]),
  ];
}

/** One visit: what it is, and what can be done with it. */
export function officeVisitPage(
  frame: OfficeFrame,
  view: OfficeVisitView,
  notices: readonly (Notice | false | undefined)[] = [],
): string {
  const { wording } = frame;
  const { appointment, notes, zone } = view;
  const visit = { ...toVisit(appointment), gapMinutes: 0 };
  const facts = factList([
    [wording.say('when'), `${wording.fullDate(visit.start, zone)}, ${visitTimes(visit, wording, zone)}`],
    [wording.say('state'), wording.say(visitState(visit.status))],
    [wording.say('client'), visit.client],
    [wording.say('phone'), visit.phone && phoneLink(visit.phone)],
    [wording.say('place'), visit.place],
    [wording.say('service'), visit.service],
    [wording.say('technician'), appointment.ServiceAgentName],
    [wording.say('price'), appointment.Total !== null && wording.money(appointment.Total)],
    [wording.say('notes'), notes && paragraphs(notes)],
    [wording.say('internalNotes'), appointment.InternalNotes && paragraphs(appointment.InternalNotes)],
  ]);
  return officePage(frame, {
    title: wording.say('visit', { id: visit.id }),
    place: '',
    notices,
    content: columns({
      about: html`<section>${facts}</section>`,
      beside: [quickActions(frame, view), planning(frame, view)],
      first: 'about',
    }),
  });
}
