import type { Appointment } from '../../../../lib/entities/appointments.ts';
import { fold } from '../../../../lib/shared/text/text.ts';
import type { CliCommand } from '../../command.ts';
import { formatTable, print } from '../../output.ts';
import { type RemoteOptions, type RequireApi } from '../../remote/profile.ts';
import { connectForPeople, readAll } from './people-api.ts';
import { addressText, clockText, dayOption, nameText, today } from './texts.ts';

interface DayOptions extends RemoteOptions {
  readonly date?: string;
  readonly agent?: string;
  readonly print?: boolean;
  readonly json?: boolean;
}

const CANCELED = 4;
const NOBODY = 'Nobody yet';

/** Where an agent has to be, and for whom. */
const toStop = (visit: Appointment) => ({
  AppointmentId: visit.AppointmentId,
  Time: visit.ArrivalFrom
    ? `${clockText(visit.ArrivalFrom)}–${clockText(visit.ArrivalThrough)}`
    : clockText(visit.DateTime),
  Minutes: visit.Duration,
  Client: visit.Contact ? nameText(visit.Contact) : '',
  Phone: visit.Contact?.Phone ?? '',
  Address: visit.Contact ? addressText(visit.Contact) : '',
  Service: visit.ServiceName,
  Notes: [visit.Notes, visit.InternalNotes].filter(Boolean).join('\n'),
});

interface AgentDay {
  readonly Agent: string;
  readonly Visits: readonly ReturnType<typeof toStop>[];
}

/** All agents of a visit; a visit without one is not assigned yet. */
function agentsOf({ ServiceAgentName, AdditionalServiceAgents }: Appointment): string[] {
  const others = AdditionalServiceAgents.flatMap(({ ServiceAgent }) => ServiceAgent?.Name ?? []);
  return [ServiceAgentName || NOBODY, ...others];
}

/** The visits of each agent in the order of the day. Canceled ones and shadows do not count. */
export function byAgent(visits: readonly Appointment[], agent: string | undefined): AgentDay[] {
  const days = new Map<string, Appointment[]>();
  for (const visit of visits)
    if (visit.Status !== CANCELED && !visit.Shadow)
      for (const name of agentsOf(visit)) days.set(name, [...(days.get(name) ?? []), visit]);
  const wanted = agent && fold(agent);
  return [...days]
    .filter(([name]) => !wanted || fold(name).includes(wanted))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([Agent, own]) => ({
      Agent,
      Visits: own.sort((a, b) => (a.DateTime ?? '').localeCompare(b.DateTime ?? '')).map(toStop),
    }));
}

const PAGE_BREAK = '\f';

/** A page for the driving agent: a block for each visit, with complete notes. */
function toPage(date: string, { Agent, Visits }: AgentDay): string {
  const blocks = Visits.map(({ Time, Minutes, Client, Phone, Address, Service, Notes }) =>
    [`${Time}  ${Service}, ${Minutes} min`, Client, Address, Phone, Notes]
      .filter(Boolean)
      .map((line, index) => (index === 0 ? line : line.replaceAll(/^/gm, '       ')))
      .join('\n'),
  );
  return [`${Agent}, ${date}`, ...blocks].join('\n\n');
}

function toTable({ Agent, Visits }: AgentDay): string {
  const rows = Visits.map(({ AppointmentId, Notes, ...stop }) => ({
    ...stop,
    Visit: AppointmentId,
    Notes: Notes.replaceAll(/\s*\n\s*/g, ' '),
  }));
  return `${Agent}\n${formatTable(rows)}`;
}

async function showDay(requireApi: RequireApi, options: DayOptions): Promise<void> {
  const { date = today(), agent, json } = options;
  const fs = connectForPeople(requireApi(options));
  const request = { FromDate: date, ThroughDate: date, IncludeContact: true, Take: 200 };
  const days = byAgent(await readAll<Appointment>(fs, 'appointments/query', request), agent);
  const text = options.print ? days.map((day) => toPage(date, day)).join(PAGE_BREAK) : days.map(toTable).join('\n\n');
  print({ Date: date, Agents: days }, { json, text: text || `No visits on ${date}.` });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'today',
    description: 'List the visits of a day by service agent, in their order, by the clock of the organization',
    examples: ['npx fs today', 'npx fs today --date 2027-03-09 --agent "Ana Ruiz"', 'npx fs today --print | lp'],
    takes: (command) =>
      command
        .option('--date <day>', 'another day (2027-03-09)', dayOption)
        .option('--agent <name>', 'only of this service agent')
        .option('--print', 'a page for each service agent, with all notes'),
    overHttp: showDay,
  },
];
