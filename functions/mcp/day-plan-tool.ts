import { MAX_ANSWER } from './lists.ts';
import { flag, text } from './arguments.ts';
import { count, say } from './sentence.ts';
import { AskFor, type Row, type Tool, given, pickRow, rowsOf } from './tool.ts';

const visitFields = {
  visit_id: 'AppointmentId',
  client: 'ContactName',
  start: 'DateTime',
  drive_minutes: 'DriveMinutes',
  stays: 'Stays',
} as const;

const toVisit = (visit: Row): Row => ({ ...pickRow(visit, visitFields), ...(visit['IsMoved'] ? { moved: true } : {}) });

/** The days of agents that change, each with its new order, as far as they fit in an answer. */
function toDays(agents: unknown): Row[] {
  let left = MAX_ANSWER;
  return rowsOf(agents).flatMap((agent) => {
    const after = rowsOf(agent['After']);
    const loses = rowsOf(agent['Before']).length !== after.length;
    if (!loses && !after.some(({ IsMoved }) => IsMoved)) return [];
    const day = {
      ...pickRow(agent, { agent_id: 'ServiceAgentId', agent: 'ServiceAgentName' }),
      minutes_before: agent['DriveMinutesBefore'],
      minutes_after: agent['DriveMinutesAfter'],
      visits: after.map(toVisit),
    };
    left -= JSON.stringify(day).length;
    return left > 0 ? [day] : [];
  });
}

const toWaiting = (visit: Row): Row =>
  pickRow(visit, { visit_id: 'AppointmentId', client: 'ContactName', service: 'ServiceName', why: 'Why' });

/** `3, 4`. */
function agentIds(agents: unknown): number[] | undefined {
  if (agents === undefined) return undefined;
  const ids = String(agents).split(',').map(Number);
  if (!ids.every((id) => Number.isInteger(id) && id > 0)) throw new AskFor(say`Give agents as ids, such as 3,4.`);
  return ids;
}

export const planDay: Tool = {
  name: 'plan_day',
  description: 'Find the order of a day that costs the least driving, and move its visits. Times clients expect stay.',
  input: {
    date: text('2026-03-09'),
    agents: text('Ids, 3,4; all by default.'),
    across_agents: flag('Visits may change their agent.'),
    move_confirmed: flag('Also move times that clients expect.'),
    queue: flag('Place waiting visits in gaps.'),
  },
  required: ['date'],
  isWrite: true,
  job: {
    call: ({ date, agents, across_agents, move_confirmed, queue }) => ({
      operation: 'appointments/dayplan',
      request: given({
        Date: date,
        Agents: agentIds(agents),
        AcrossAgents: across_agents,
        MoveConfirmed: move_confirmed,
        Queue: queue,
        Apply: true,
      }),
    }),
    answer({ Agents, Waiting, Moves, DriveMinutesBefore, DriveMinutesAfter, Undo }, _, isDone) {
      const waiting = rowsOf(Waiting).map(toWaiting);
      const left = waiting.length ? { waiting } : {};
      if (!Moves) return { say: say`No order of this day costs less driving.`, data: left, isRefused: true };
      const visits = count(Number(Moves), 'visit');
      const driving = say`${Number(DriveMinutesBefore)} minutes of driving become ${Number(DriveMinutesAfter)}.`;
      const days = { days: toDays(Agents), ...left };
      if (!isDone) return { say: say`This moves ${visits}. ${driving}`, data: days };
      const back = say`For an hour, call_operation appointments/dayplan with Apply goes back: Revision is undo.`;
      return { say: say`${visits} moved. ${driving} ${back}`, data: { ...days, undo: Undo } };
    },
  },
};
