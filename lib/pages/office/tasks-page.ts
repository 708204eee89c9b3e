import { hostOf } from '../../domain/callbacks/targets.ts';
import type { Appointment } from '../../entities/appointments.ts';
import type { Contact } from '../../entities/contacts.ts';
import type { Task } from '../../entities/tasks.ts';
import type { DuplicatePair, PairedContact } from '../../resources/duplicates.ts';
import type { WebhookCall } from '../../resources/webhooks.ts';
import type { Notice } from '../frame.ts';
import { type Content, type Html, html } from '../html.ts';
import { clientLine } from './clients-page.ts';
import { toVisit } from './day.ts';
import { type OfficeFrame, officeForm, officePage } from './frame.ts';
import { visitTimes } from './today-page.ts';

export interface TasksView {
  readonly zone: string;
  readonly now: number;
  readonly tasks: readonly Task[];
  /** How many open tasks there are in all. */
  readonly count: number;
  /** Visits of the next days that nobody has confirmed. */
  readonly tentative: readonly Appointment[];
  /** Contacts that may be one person; empty for a role that may not see them. */
  readonly pairs: readonly DuplicatePair[];
  /** New clients without a visit and a proposal. */
  readonly leads: readonly Contact[];
  /** The newest clients to whom no e-mail is sent, because one did not arrive. */
  readonly bounced: readonly Contact[];
  /** Whether there are more than these. */
  readonly hasMoreBounced: boolean;
  /** Calls to other programs that were given up; empty for a role that may not see them. */
  readonly failedCalls: readonly WebhookCall[];
  readonly mayComplete: boolean;
  readonly mayMerge: boolean;
}

interface TaskOptions {
  readonly zone: string;
  readonly now: number;
  readonly mayComplete: boolean;
}

/** A task with the button that completes it. */
export function taskItem(frame: OfficeFrame, task: Task, { zone, now, mayComplete }: TaskOptions): Html {
  const { wording } = frame;
  const due = task.Due === null ? undefined : Date.parse(task.Due);
  const isLate = due !== undefined && due < now;
  return html`<li>
    <span>${task.Description}</span>
    <small>
      ${due !== undefined && html`<span class="${isLate ? 'late' : ''}">${wording.shortDay(due, zone)}</span> ·`}
      ${task.TaskCategory} ${task.AssignedTo && `· ${task.AssignedTo}`}
      ${task.ContactId !== null && html`· <a href="/office/client/${task.ContactId}">${wording.say('client')}</a>`}
    </small>
    ${
      mayComplete &&
      html`<div class="plain">
        ${officeForm(frame, 'complete', [
          html`<input type="hidden" name="task" value="${task.Id}" />`,
          html`<button class="quiet" aria-label="${wording.say('completeTask', { task: task.Description })}">
            ${wording.say('complete')}
          </button>`,
        ])}
      </div>`
    }
  </li>`;
}

const section = (title: string, items: readonly Content[], none: string): Html =>
  html`<section>
    <h2>${title}</h2>
    ${
      items.length
        ? html`<ul class="list">
            ${items}
          </ul>`
        : html`<p class="hint">${none}</p>`
    }
  </section>`;

function pairItem(frame: OfficeFrame, { Contact, Duplicate, Why }: DuplicatePair, mayMerge: boolean): Content {
  const { wording } = frame;
  if (!Contact || !Duplicate) return false;
  const name = ({ Id, Name, Company, Address1 }: PairedContact): Content =>
    html`<a href="/office/client/${Id}">${Company || Name}</a>${Address1 && `, ${Address1}`}`;
  return html`<li>
    ${name(Contact)} · ${name(Duplicate)} <small lang="en">${Why}</small>
    ${
      mayMerge &&
      html`<div class="plain">
        ${officeForm(frame, 'merge', [
          html`<input type="hidden" name="keep" value="${Contact.Id}" />`,
          html`<input type="hidden" name="merge" value="${Duplicate.Id}" />`,
          html`<button class="quiet">${wording.say('merge')}</button>`,
        ])}
      </div>`
    }
  </li>`;
}

const bouncedSection = ({ wording }: OfficeFrame, { bounced, hasMoreBounced }: TasksView): Content =>
  bounced.length > 0 && [
    section(
      wording.say('bounced'),
      bounced.map((contact) => html`<li>${clientLine(contact)} <small lang="en">${contact.EmailProblem}</small></li>`),
      '',
    ),
    hasMoreBounced && html`<p class="hint">${wording.say('moreBounced')}</p>`,
  ];

/** Calls by their host, because an address may hold a password. */
const failedCallsSection = ({ wording }: OfficeFrame, { failedCalls, zone }: TasksView): Content =>
  failedCalls.length > 0 && [
    section(
      wording.say('failedCalls'),
      failedCalls.map(
        (call) =>
          html`<li>
            ${wording.shortDay(Date.parse(call.At), zone)} · ${hostOf(call)}
            <small lang="en">${call.Kind}: ${call.Reason}</small>
          </li>`,
      ),
      '',
    ),
    html`<p class="hint">${wording.say('failedCallsHint')}</p>`,
  ];

/** What is to be done: tasks, visits to confirm, contacts that may be one person, what did not arrive. */
export function tasksPage(frame: OfficeFrame, view: TasksView, notices: readonly (Notice | undefined)[] = []): string {
  const { wording } = frame;
  const { zone, tasks, count, tentative, pairs, leads } = view;
  const visitItem = (appointment: Appointment): Html => {
    const visit = { ...toVisit(appointment), gapMinutes: 0 };
    return html`<li>
      <a href="/office/visit/${visit.id}"
        >${wording.shortDay(visit.start, zone)}, ${visitTimes(visit, wording, zone)}</a
      >
      ${visit.client} · ${visit.service}
    </li>`;
  };
  return officePage(frame, {
    title: wording.say('toDo'),
    place: '/office/tasks',
    notices,
    content: [
      section(
        wording.say('tasks'),
        tasks.map((task) => taskItem(frame, task, view)),
        wording.say('nothingToDo'),
      ),
      count > tasks.length && html`<p class="hint">${wording.say('moreTasks', { count: count - tasks.length })}</p>`,
      leads.length > 0 &&
        section(
          wording.say('leads'),
          leads.map((lead) => html`<li>${clientLine(lead)} <small>${lead.Channel}</small></li>`),
          '',
        ),
      section(wording.say('toConfirm'), tentative.map(visitItem), wording.say('nothingToDo')),
      pairs.length > 0 &&
        section(
          wording.say('duplicates'),
          pairs.map((pair) => pairItem(frame, pair, view.mayMerge)),
          '',
        ),
      bouncedSection(frame, view),
      failedCallsSection(frame, view),
    ],
  });
}
