import { operation, save } from '../../lib/api/operation.ts';
import { writeRevision } from '../../lib/domain/appointments/plan-revision.ts';
import { dayAfter } from '../../lib/domain/scheduling/day-plan.ts';
import { dayPlanAnswer, dayPlanFields } from '../../lib/resources/day-plans.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { applyMoves, loadUnchanged, readPlan } from '../../lib/workflows/day-plans/apply-day.ts';
import { toDayPlan } from '../../lib/workflows/day-plans/day-plan-answer.ts';
import { loadPlannedCompany, proposeDay, readPlannedDate } from '../../lib/workflows/day-plans/plan-day.ts';

export const dayplan = operation({
  title: 'Plan the order of a day',
  summary: 'Finds the order of the visits of a day that costs the least driving; with Apply it moves them.',
  rules: [
    'A plan keeps every visit of the day and the rules of a booking: hours, categories, postal codes, time off, ' +
      'buffers, drives, held times and the grid of starts.',
    'A visit with an arrival window moves within it; one without keeps the time that its client expects, unless ' +
      'MoveConfirmed. A Tentative one moves, unless its client has chosen the time.',
    'Visits that have begun, have several agents or lie outside the hours stay; Stays says why.',
    'Apply with Revision makes the moves that the answer showed, all or none; without it, those of a new plan. If a ' +
      'visit of these agents has changed since, or another one was booked, it is 409, and the message names it.',
    'Undo of the answer to Apply is the Revision of the way back, for an hour: it is checked in the same way.',
    'Each move is one event and at most one message, as by appointments/update; a queued visit is booked as by ' +
      'appointments/book.',
    'A call plans at most 30 agents with 200 visits, and moves what fits in one transaction, some 30 visits: those ' +
      'that save most. Why names the agents who are left to a call of their own.',
    'Driving is counted from StartAddress by every visit and back.',
  ],
  access: 'read',
  isWrite: ({ Apply }) => Boolean(Apply),
  isCurrent: true,
  needs: ['table:write', 'roads:ask'],
  request: dayPlanFields,
  response: dayPlanAnswer,
  failures: ['notFound', 'conflict'],
  example: { Date: '2035-03-05', Queue: true },
  async run(request, context) {
    const { Apply, Revision } = request;
    if (Revision && !Apply) throw invalid({ field: 'Apply', code: 'required', message: 'is required with Revision' });
    if (Revision) {
      const company = await loadPlannedCompany(context, request);
      const plan = readPlan(request, company, { date: readPlannedDate(request), now: context.now });
      const loaded = await loadUnchanged(context, company, plan);
      const { changes, undo } = await applyMoves(context, company, plan);
      const agents = dayAfter(loaded, plan.moves);
      const shown = toDayPlan(context, { company, date: plan.date, loaded, agents, moves: plan.moves.length });
      return save(changes, { ...shown, IsApplied: true, Revision: '', Undo: undo });
    }
    const { company, date, loaded, planned, revision } = await proposeDay(request, context);
    const { agents, waiting, moves } = planned;
    const shown = toDayPlan(context, { company, date, loaded, agents, waiting, moves: moves.length });
    const open = moves.length ? writeRevision(revision) : '';
    if (!Apply || !open) return { ...shown, IsApplied: false, Revision: open, Undo: '' };
    const { changes, undo } = await applyMoves(context, company, revision);
    return save(changes, { ...shown, IsApplied: true, Revision: '', Undo: undo });
  },
});
