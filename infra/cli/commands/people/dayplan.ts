import { InvalidArgumentError } from 'commander';
import type { DayPlanAnswer } from '../../../../lib/resources/day-plans.ts';
import type { CliCommand } from '../../command.ts';
import { formatTable, print } from '../../output.ts';
import { type RemoteOptions, type RequireApi } from '../../remote/profile.ts';
import { recordId } from '../../values.ts';
import { connectForPeople } from './people-api.ts';
import { clockText, dayOption, today } from './texts.ts';

interface DayPlanOptions extends RemoteOptions {
  readonly date?: string;
  readonly organization?: number;
  readonly agents?: readonly number[];
  readonly acrossAgents?: boolean;
  readonly moveConfirmed?: boolean;
  readonly queue?: boolean;
  readonly apply?: boolean;
  readonly undo?: string;
  readonly json?: boolean;
}

type AgentPlan = DayPlanAnswer['Agents'][number];
type Visit = AgentPlan['Before'][number];

const visitText = (visit: Visit | undefined): string =>
  visit ? `${clockText(visit.DateTime)} ${visit.ContactName || `visit ${visit.AppointmentId}`}` : '';

const driveText = (visit: Visit | undefined): string => (visit ? `${visit.DriveMinutes} min` : '');

/** The present order beside that of the plan; a star marks what moves. */
function toTable({ ServiceAgentName, DriveMinutesBefore, DriveMinutesAfter, Before, After, Why }: AgentPlan): string {
  const rows = Array.from({ length: Math.max(Before.length, After.length) }, (_, index) => {
    const [before, after] = [Before[index], After[index]];
    return {
      Before: visitText(before),
      Drive: driveText(before),
      After: visitText(after),
      'Drive ': driveText(after),
      '': after?.IsMoved ? '*' : '',
      Stays: after?.Stays ?? '',
    };
  });
  const driving = `${ServiceAgentName}: ${DriveMinutesBefore} minutes of driving, then ${DriveMinutesAfter}`;
  return [driving, ...(rows.length ? [formatTable(rows)] : []), ...(Why ? [Why] : [])].join('\n');
}

function waitingText({ Waiting }: DayPlanAnswer): string[] {
  if (!Waiting.length) return [];
  const rows = Waiting.map(({ AppointmentId, ContactName, ServiceName, Why }) => ({
    Visit: AppointmentId,
    Client: ContactName,
    Service: ServiceName,
    Why,
  }));
  return [`Waiting\n${formatTable(rows)}`];
}

const movesText = (moves: number): string => (moves === 1 ? '1 visit moves' : `${moves} visits move`);

function summaryText({
  Moves,
  DriveMinutesBefore,
  DriveMinutesAfter,
  IsApplied,
  Undo,
  Date: date,
}: DayPlanAnswer): string {
  if (!Moves) return 'No order of this day costs less driving.';
  const saved = DriveMinutesBefore - DriveMinutesAfter;
  const sum = `${movesText(Moves)}, ${saved} minutes of driving ${saved < 0 ? 'more' : 'less'}.`;
  return IsApplied
    ? `${sum} It is done. For an hour, this goes back:\n  npx fs dayplan --date ${date} --undo ${Undo}`
    : `${sum} Nothing is changed; --apply moves them.`;
}

async function planDay(requireApi: RequireApi, options: DayPlanOptions): Promise<void> {
  const { date = today(1), organization, agents, acrossAgents, moveConfirmed, queue, apply, undo, json } = options;
  const fs = connectForPeople(requireApi(options));
  const call = async (more: object) =>
    (await fs.call('appointments/dayplan', {
      Date: date,
      ...(organization ? { OrganizationId: organization } : {}),
      ...more,
    })) as unknown as DayPlanAnswer;
  const choices = { Agents: agents ?? [], AcrossAgents: acrossAgents, MoveConfirmed: moveConfirmed, Queue: queue };
  const plan = undo === undefined ? await call(choices) : await call({ Apply: true, Revision: undo });
  const shown =
    apply && plan.Revision
      ? { ...(await call({ Apply: true, Revision: plan.Revision })), Waiting: plan.Waiting }
      : plan;
  const days = shown.Agents.filter(({ Before, After }) => Before.length || After.length).map(toTable);
  const parts = [...days, ...waitingText(shown), summaryText(shown), shown.Message];
  print(shown, { json, text: parts.filter(Boolean).join('\n\n') });
}

/** `3,4`. */
function agentIds(text: string): number[] {
  const ids = text.split(',').map((part) => Number(part.trim()));
  if (!ids.every((id) => Number.isInteger(id) && id > 0)) throw new InvalidArgumentError('Write ids like 3,4.');
  return ids;
}

export const commands: readonly CliCommand[] = [
  {
    words: 'dayplan',
    summary: 'Show the order of a day with the least driving, and move its visits',
    description:
      'Show the order of a day that costs the least driving beside the present one, by service agent. --apply moves ' +
      'the visits, all or none; without it nothing changes.',
    examples: [
      'npx fs dayplan',
      'npx fs dayplan --date 2027-03-09 --agents 3,4 --across-agents',
      'npx fs dayplan --queue --apply',
    ],
    takes: (command) =>
      command
        .option('--date <day>', 'the day (2027-03-09); tomorrow by default', dayOption)
        .option('--organization <id>', 'of a key of the account: the organization', recordId)
        .option('--agents <ids>', 'only these service agents', agentIds)
        .option('--across-agents', 'visits may go to another of the agents')
        .option('--move-confirmed', 'visits without an arrival window may leave the time that their clients expect')
        .option('--queue', 'place queued visits in the gaps')
        .option('--apply', 'move the visits')
        .option('--undo <revision>', 'go back to the times before, within an hour'),
    overHttp: planDay,
  },
];
