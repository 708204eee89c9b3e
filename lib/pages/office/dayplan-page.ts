import type { DayPlanAnswer, PlannedAgent, PlannedVisit } from '../../resources/day-plans.ts';
import type { Notice } from '../frame.ts';
import { type Content, type Html, html } from '../html.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import type { OfficeWording } from './wording.ts';

/** What the office lets a plan do, by the names of its fields. */
export const PLAN_CHOICES = { across: 'AcrossAgents', confirmed: 'MoveConfirmed', queue: 'Queue' } as const;
export type PlanChoice = keyof typeof PLAN_CHOICES;
const choices = Object.keys(PLAN_CHOICES) as PlanChoice[];

const choiceTexts = { across: 'planAcross', confirmed: 'planConfirmed', queue: 'planQueue' } as const;

export interface DayPlanView {
  readonly date: string;
  readonly previous: string;
  readonly next: string;
  readonly zone: string;
  readonly chosen: ReadonlySet<PlanChoice>;
  /** `undefined` if the day cannot be planned. */
  readonly plan: DayPlanAnswer | undefined;
  /** The way back from a plan that was applied within the last hour; `''` without one. */
  readonly undo: string;
}

function visitItem(visit: PlannedVisit, wording: OfficeWording, zone: string): Html {
  const { ArrivalFrom, ArrivalThrough, ContactName, DateTime, DriveMinutes, IsMoved, Stays } = visit;
  const time = wording.time(Date.parse(DateTime), zone);
  return html`<li>
    ${DriveMinutes > 0 && html`<p class="drive">${wording.say('drive', { minutes: DriveMinutes })}</p>`}
    <a href="/office/visit/${visit.AppointmentId}">
      ${IsMoved ? html`<strong class="time">${time}</strong>` : html`<span class="time">${time}</span>`} ${ContactName}
      <span class="place">${visit.Zip}</span>
    </a>
    ${IsMoved && html`<span class="mark">${wording.say('planMoves')}</span>`}
    ${
      ArrivalFrom !== null &&
      ArrivalThrough !== null &&
      html`<small>${wording.shortTimes(Date.parse(ArrivalFrom), Date.parse(ArrivalThrough), zone)}</small>`
    }
    ${Stays && html`<small lang="en">${Stays}</small>`}
  </li>`;
}

const order = (title: string, visits: readonly PlannedVisit[], wording: OfficeWording, zone: string): Html =>
  html`<div>
    <h3>${title}</h3>
    <ol class="list">
      ${visits.map((visit) => visitItem(visit, wording, zone))}
    </ol>
  </div>`;

function agentSection(agent: PlannedAgent, wording: OfficeWording, zone: string): Html {
  const { DriveMinutesBefore: before, DriveMinutesAfter: after, Before, After, Why } = agent;
  return html`<section class="agent">
    <h2>${agent.ServiceAgentName} <small>${wording.say('planDriving', { before, after })}</small></h2>
    ${Why && html`<p lang="en">${Why}</p>`}
    <div class="orders">
      ${order(wording.say('planBefore'), Before, wording, zone)}
      ${order(wording.say('planAfter'), After, wording, zone)}
    </div>
  </section>`;
}

function choiceForm({ path, wording }: OfficeFrame, { date, chosen }: DayPlanView): Html {
  const box = (choice: PlanChoice): Html =>
    html`<p>
      <label
        ><input type="checkbox" name="${choice}" value="1" ${chosen.has(choice) && html` checked`} />
        ${wording.say(choiceTexts[choice])}</label
      >
    </p>`;
  return html`<form method="get" action="${path}">
    ${hidden('date', date)} ${choices.map(box)}
    <button>${wording.say('planIt')}</button>
  </form>`;
}

/** What the forms send back, so that a refused one shows the same plan again. */
const asked = ({ date, chosen }: DayPlanView): Content => [
  hidden('date', date),
  ...[...chosen].map((choice) => hidden(choice, '1')),
];

function summary(frame: OfficeFrame, view: DayPlanView, plan: DayPlanAnswer): Content {
  const { wording } = frame;
  const { Moves, Revision, DriveMinutesBefore, DriveMinutesAfter } = plan;
  if (!Moves) return html`<p>${wording.say('planNothing')}</p>`;
  const saved = DriveMinutesBefore - DriveMinutesAfter;
  const text = saved < 0 ? 'planCosts' : 'planSaves';
  return [
    html`<p>${wording.say(text, { count: Moves, minutes: Math.abs(saved) })}</p>`,
    officeForm(frame, 'apply', [
      asked(view),
      hidden('revision', Revision),
      html`<button>${wording.say('planApply')}</button>`,
    ]),
  ];
}

function waiting({ Waiting }: DayPlanAnswer, wording: OfficeWording): Content {
  if (!Waiting.length) return '';
  return html`<section class="others">
    <h2>${wording.say('waiting')}</h2>
    <ul class="list">
      ${Waiting.map(
        ({ AppointmentId, ContactName, ServiceName, Why }) =>
          html`<li>
            <a href="/office/visit/${AppointmentId}">${ContactName || wording.say('visit', { id: AppointmentId })}</a>
            ${ServiceName} <small lang="en">${Why}</small>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** The present order of a day beside the one that drives least; nothing changes before it is applied. */
export function dayPlanPage(
  frame: OfficeFrame,
  view: DayPlanView,
  notices: readonly (Notice | undefined)[] = [],
): string {
  const { wording } = frame;
  const { date, previous, next, zone, plan, undo } = view;
  const day = wording.fullDate(Date.parse(`${date}T12:00:00Z`), 'UTC');
  const agents = plan?.Agents.filter(({ Before, After }) => Before.length + After.length > 0) ?? [];
  return officePage(frame, {
    title: wording.say('planTitle', { day }),
    place: '/office',
    notices,
    content: [
      html`<nav class="steps-of-days" aria-label="${wording.say('days')}">
        <a href="${frame.path}?date=${previous}" rel="prev">${wording.say('dayBefore')}</a>
        <a href="/office?date=${date}">${wording.say('planDay')}</a>
        <a href="${frame.path}?date=${next}" rel="next">${wording.say('dayAfter')}</a>
      </nav>`,
      undo !== '' &&
        officeForm(frame, 'undo', [
          asked(view),
          html`<p>${wording.say('planUndoText')}</p>
            <button>${wording.say('planUndo')}</button>`,
        ]),
      choiceForm(frame, view),
      plan && summary(frame, view, plan),
      plan?.Message && html`<p class="hint" lang="en">${plan.Message}</p>`,
      agents.map((agent) => agentSection(agent, wording, zone)),
      plan && waiting(plan, wording),
    ],
  });
}
