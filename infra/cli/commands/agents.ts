import { type Command, InvalidArgumentError } from 'commander';
import type { Leaver } from '../../../lib/domain/leavers.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { orNotFound } from '../../../lib/shared/failure.ts';
import { parseCalendarDate } from '../../../lib/shared/time/read-moments.ts';
import { toFriendly } from '../../../lib/shared/time/time.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { findOrganization } from '../../../lib/store/organizations/organizations.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import type { WriteContext } from '../../../lib/workflows/context.ts';
import { type HandedOver, handOverVisits } from '../../../lib/workflows/organizations/hand-over-visits.ts';
import { missedVisits } from '../../../lib/workflows/organizations/missed-visits.ts';
import { updateOrganization } from '../../../lib/workflows/organizations/upsert-organization.ts';
import { examples } from '../examples.ts';
import { findNamedAgent } from '../named-records.ts';
import { CommandError, ReportedError, UsageError, formatTable, print } from '../output.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, openAccount } from '../target.ts';

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

/** `agents leave`. */
export function agentCommands(program: Command): void {
  const agents = program.command('agents').description('Have service agents leave, and move their visits');
  examples(
    jsonOption(accountOption(agents.command('leave <agent>'))),
    'npx fs agents leave "Ana Ruiz" --date 2027-01-31 --dry-run',
    'npx fs agents leave 3 --date 2027-01-31 --to "Ben Ortiz"',
    'npx fs agents leave 3 --date 2027-01-31 --queue',
  )
    .description('Set the last day of a service agent, by name or id, and move the visits after it')
    .requiredOption('--date <day>', 'the last day of work (2027-01-31)', calendarDate)
    .option('--to <agent>', 'move the visits to this agent, each at its time; one that cannot be moved is kept')
    .option('--queue', 'put the visits into the queue')
    .option('--dry-run', 'list the visits and write nothing')
    .action(leave);
}
