import { InvalidArgumentError } from 'commander';
import { newState } from '../../../lib/domain/private-events/own-calendars.ts';
import type { Leaver } from '../../../lib/domain/leavers.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { orNotFound } from '../../../lib/shared/failure.ts';
import { parseCalendarDate } from '../../../lib/shared/time/read-moments.ts';
import { MINUTE, toFriendly, toOptionalUtc } from '../../../lib/shared/time/time.ts';
import { listAgentCalendars } from '../../../lib/store/agent-calendars.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import { listAgents, listAllAgents } from '../../../lib/store/organizations/service-agents.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import { type HandedOver, handOverVisits } from '../../../lib/workflows/organizations/hand-over-visits.ts';
import { missedVisits } from '../../../lib/workflows/organizations/missed-visits.ts';
import { updateOrganization } from '../../../lib/workflows/organizations/upsert-organization.ts';
import type { CliCommand } from '../command.ts';
import { findNamedAgent } from '../named-records.ts';
import { CommandError, ReportedError, UsageError, formatTable, print } from '../output.ts';
import type { AccountOption } from '../options.ts';
import { openAccount } from '../target.ts';

interface LeaveOptions extends AccountOption {
  readonly date: string;
  readonly to?: string;
  readonly queue?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function calendarDate(text: string): string {
  const parsed = parseCalendarDate(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.reason);
  return parsed.date;
}

interface Leaving {
  readonly context: WriteContext;
  readonly organization: OrganizationRecord;
  readonly leaver: Leaver;
}

async function openLeaver(name: string, { date, ...options }: LeaveOptions): Promise<Leaving> {
  const { store } = await openAccount(options);
  const caller = accountCaller(store.account, { role: 'Owner', keyName: 'fs agents leave' });
  const context = { store, caller, now: new Date() };
  const { Id, OrganizationId } = await findNamedAgent(store, name);
  const organization = orNotFound(
    await findOrganization(store, OrganizationId),
    'organization',
    'OrganizationId',
    OrganizationId,
  );
  const agent = (await listAgents(store, OrganizationId)).find((each) => each.Id === Id);
  if (!agent) throw new CommandError(`Service agent ${Id} not found.`);
  return { context, organization, leaver: { agent, lastDay: date } };
}

/** The id of the agent who takes over the visits; `null` for the queue. */
async function findSuccessor({ to }: LeaveOptions, { context, leaver }: Leaving): Promise<number | null> {
  if (to === undefined) return null;
  const { Id, OrganizationId } = await findNamedAgent(context.store, to);
  if (Id === leaver.agent.Id) throw new UsageError('--to must name another service agent.');
  if (OrganizationId !== leaver.agent.OrganizationId)
    throw new CommandError(`Service agent ${Id} belongs to organization ${OrganizationId}.`);
  return Id;
}

const scopeOf = ({ context, organization }: Leaving) => ({ store: context.store, organization });

async function listKept(leaving: Leaving): Promise<HandedOver[]> {
  const kept: HandedOver[] = [];
  for await (const visit of missedVisits(scopeOf(leaving), leaving.leaver))
    kept.push({ visit, outcome: 'kept', reason: '' });
  return kept;
}

const saveLastDay = ({ context, leaver: { agent, lastDay } }: Leaving): Promise<void> =>
  retryOnConflict(async () => {
    const { Id, OrganizationId } = agent;
    const input = { OrganizationId, ServiceAgents: [{ Id, EndDate: lastDay }] };
    const { changes } = await updateOrganization(input, context);
    if (changes.length) await context.store.table.commit(changes);
  });

const toRow = ({ visit: { Id, Start, Zone, ServiceName }, outcome, reason }: HandedOver) => ({
  Appointment: Id,
  When: toFriendly(Start ?? 0, Zone),
  Service: ServiceName,
  Result: outcome,
  Reason: reason,
});

async function leave(name: string, options: LeaveOptions): Promise<void> {
  const { to, queue, dryRun = false, json, date } = options;
  if (to !== undefined && queue) throw new UsageError('Use --to or --queue, not both.');
  const leaving = await openLeaver(name, options);
  const successor = await findSuccessor(options, leaving);
  const isHandedOver = !dryRun && (to !== undefined || queue === true);
  const visits = isHandedOver
    ? await handOverVisits(scopeOf(leaving), leaving.leaver, successor, leaving.context)
    : await listKept(leaving);
  if (!dryRun) await saveLastDay(leaving);
  const rows = visits.map(toRow);
  const { agent } = leaving.leaver;
  const kept = visits.filter(({ outcome }) => outcome === 'kept').length;
  const done = dryRun
    ? 'Nothing was written.'
    : `The last day of ${agent.Name} is ${date}; keys of the agent end with it.`;
  const open =
    kept && !dryRun ? ` A task lists ${kept === 1 ? 'the visit that is' : `the ${kept} visits that are`} kept.` : '';
  const text = `${rows.length ? formatTable(rows) : `No visits after ${date}.`}\n${done}${open}`;
  print({ AgentId: agent.Id, EndDate: date, DryRun: dryRun, Visits: rows }, { json, text });
  if (isHandedOver && kept) throw new ReportedError();
}

/** Every agent is sent to be read this often. */
const READ_EVERY = 10 * MINUTE;

interface CalendarsOptions extends AccountOption {
  readonly json?: boolean;
}

/** Lists the own calendars of agents and how their reading goes; of an address, only its host. */
async function listCalendars(options: CalendarsOptions): Promise<void> {
  const { store } = await openAccount(options);
  const [agents, read] = await Promise.all([listAllAgents(store), listAgentCalendars(store)]);
  const states = new Map(
    read.flatMap(({ AgentId, Calendars }) => Calendars.map((each) => [`${AgentId} ${each.Id}`, each])),
  );
  const calendars = agents.flatMap(({ Id, Name, Calendars }) =>
    Calendars.map((calendar) => {
      const state = states.get(`${Id} ${calendar.Id}`) ?? newState(calendar.Id);
      return {
        AgentId: Id,
        Name,
        Calendar: calendar.Shown,
        ReadAt: toOptionalUtc(state.ReadAt),
        NextRead: toOptionalUtc(state.TriedAt === null ? null : state.TriedAt + READ_EVERY),
        BusyTimes: state.Times,
        BusyHours: Math.round(state.Minutes / 6) / 10,
        FailingSince: toOptionalUtc(state.FailingSince),
        Reason: state.Reason,
      };
    }),
  );
  const text = calendars.length
    ? formatTable(calendars)
    : 'No service agent has a calendar. Set busyFrom in the company file, or BusyFrom by organizations/update.';
  print(calendars, { json: options.json, text });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'agents calendars',
    description: "List service agents' own calendars: when each was read, how much of it is busy, and why it fails",
    examples: ['npx fs agents calendars'],
    onTable: listCalendars,
  },
  {
    words: 'agents leave',
    description: 'Set the last day of a service agent, by name or id, and move the visits after it',
    examples: [
      'npx fs agents leave "Ana Ruiz" --date 2027-01-31 --dry-run',
      'npx fs agents leave 3 --date 2027-01-31 --to "Ben Ortiz"',
      'npx fs agents leave 3 --date 2027-01-31 --queue',
    ],
    takes: (command) =>
      command
        .argument('<agent>')
        .requiredOption('--date <day>', 'the last day of work (2027-01-31)', calendarDate)
        .option('--to <agent>', 'move the visits to this agent, each at its time; one that cannot be moved is kept')
        .option('--queue', 'put the visits into the queue')
        .option('--dry-run', 'list the visits and write nothing'),
    onTable: leave,
  },
];
