import { readRevision } from '../../lib/domain/appointments/plan-revision.ts';
import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import { type PlanChoice, PLAN_CHOICES, dayPlanPage } from '../../lib/pages/office/dayplan-page.ts';
import { type DayPlanAnswer, MAX_REVISION } from '../../lib/resources/day-plans.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate, readText } from '../pages/parameters.ts';
import { addDays, loadCompany } from './company.ts';
import { noUndoCookie, readUndo, undoCookie } from './cookies.ts';
import {
  type OfficePage,
  type UserCall,
  type UserForm,
  formNotice,
  htmlAnswer,
  refusalIn,
  seeOther,
} from './office-page.ts';

const OPERATION = 'appointments/dayplan';

const done = { applied: 'planApplied', undone: 'planUndone' } as const;

const sourceOf = (call: UserCall | UserForm): URLSearchParams => ('sent' in call ? call.sent : call.query);

const chosenIn = (source: URLSearchParams): ReadonlySet<PlanChoice> =>
  new Set((Object.keys(PLAN_CHOICES) as PlanChoice[]).filter((choice) => source.get(choice) === '1'));

/** The way back from the plan of a day that this browser applied, for an hour. */
function undoOf({ event, now }: UserCall, date: string): string {
  const text = readUndo(event) ?? '';
  const plan = readRevision(text);
  return plan?.date === date && (plan.until ?? 0) > now.getTime() ? text : '';
}

async function show(call: UserCall | UserForm, refused?: Failure): Promise<OfficeAnswer | undefined> {
  if (!call.mayCall(OPERATION)) return undefined;
  const company = await loadCompany(call);
  const source = sourceOf(call);
  const chosen = chosenIn(source);
  const date = readDate(source, 'date') ?? addDays(toLocalDate(call.now.getTime(), company.Timezone), 1);
  const choices = Object.fromEntries([...chosen].map((choice) => [PLAN_CHOICES[choice], true]));
  const plan = await call
    .call<DayPlanAnswer>({ operation: OPERATION, request: { Date: date, ...choices } })
    .catch(refusalIn);
  const isPlanned = 'Agents' in plan;
  const failure = refused ?? (isPlanned ? undefined : plan);
  const view = {
    date,
    previous: addDays(date, -1),
    next: addDays(date, 1),
    zone: company.Timezone,
    chosen,
    plan: isPlanned ? plan : undefined,
    undo: undoOf(call, date),
  };
  const page = dayPlanPage(call.frame('/office/dayplan'), view, [formNotice(call, failure, done)]);
  return htmlAnswer(page, failure?.status ?? 200);
}

/** Applies the plan that the page showed, or goes back from the last one. */
async function send(form: UserForm): Promise<OfficeAnswer | undefined> {
  const { action, sent, once } = form;
  if (!form.mayCall(OPERATION) || (action !== 'apply' && action !== 'undo')) return undefined;
  const date = readDate(sent, 'date') ?? '';
  const Revision = action === 'apply' ? readText(sent, 'revision', MAX_REVISION) : undoOf(form, date);
  const applied = await form
    .call<DayPlanAnswer>({ operation: OPERATION, request: { Date: date, Apply: true, Revision }, ...once })
    .catch(refusalIn);
  if (!('Agents' in applied)) return show(form, applied);
  const query = new URLSearchParams({ date });
  for (const choice of chosenIn(sent)) query.set(choice, '1');
  const isUndo = action === 'undo';
  query.set('done', isUndo ? 'undone' : 'applied');
  return seeOther(`/office/dayplan?${query}`, [isUndo ? noUndoCookie() : undoCookie(applied.Undo)]);
}

/** The order of a day: looked at, applied, and undone for an hour. */
export const dayplan: OfficePage = { show: (call) => show(call), send };
