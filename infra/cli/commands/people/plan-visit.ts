import { createInterface } from 'node:readline/promises';
import type { AppointmentSlot } from '../../../../lib/entities/appointments.ts';
import type { Service } from '../../../../lib/entities/services.ts';
import type { Command } from 'commander';
import type { CliCommand } from '../../command.ts';
import { CommandError, UsageError, formatTable, print } from '../../output.ts';
import { recordId } from '../../values.ts';
import type { Api } from '../../remote/connect.ts';
import { type RemoteOptions, type RequireApi } from '../../remote/profile.ts';
import { findClient } from './find-client.ts';
import { connectForPeople } from './people-api.ts';
import { dayOption, nameText, today } from './texts.ts';

interface PlanOptions extends RemoteOptions {
  readonly to?: string;
  readonly from?: string;
  readonly json?: boolean;
}

interface BookOptions extends PlanOptions {
  readonly client?: string;
  readonly service?: string;
  readonly at?: string;
}

const MAX_OFFERED = 20;

/** Asks for a missing option; without a terminal, the option is required. */
async function ask(question: string, option: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Name ${option}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = (await terminal.question(`${question} `)).trim();
  terminal.close();
  if (!answer) throw new UsageError('Nothing was done.');
  return answer;
}

/** At most 20 free times. */
async function findTimes(fs: Api, search: object, from = today()): Promise<readonly AppointmentSlot[]> {
  const { Slots, Message } = await fs.call('appointments/slotsearch', { ...search, TargetDate: from });
  const slots = Slots as unknown as readonly AppointmentSlot[];
  if (!slots.length) throw new CommandError(String(Message) || `No free time from ${from}.`);
  return slots.slice(0, MAX_OFFERED);
}

/** Lets a person choose a time. */
async function chooseTime(slots: readonly AppointmentSlot[], option: string): Promise<AppointmentSlot> {
  const rows = slots.map(({ DateTimeFormatted, ServiceAgentName, Duration }, index) => ({
    '': index + 1,
    When: DateTimeFormatted,
    Agent: ServiceAgentName,
    Minutes: Duration,
  }));
  process.stderr.write(`${formatTable(rows)}\n`);
  const answer = await ask(`Which one, 1 to ${slots.length}?`, option);
  const slot = slots[Number(answer) - 1];
  if (!slot) throw new UsageError(`${JSON.stringify(answer)} is not one of the numbers. Nothing was done.`);
  return slot;
}

/** The current state of what was booked or moved. */
function report({ Slots, Message }: Readonly<Record<string, unknown>>, verb: string, json: boolean | undefined): void {
  const [visit] = Slots as unknown as readonly AppointmentSlot[];
  if (!visit) throw new CommandError(String(Message));
  const { AppointmentId, DateTimeFormatted, ServiceName, ServiceAgentName } = visit;
  const text = `Visit ${AppointmentId}, ${ServiceName}, is ${verb} ${DateTimeFormatted} with ${ServiceAgentName}.`;
  print(visit, { json, text: [text, Message].filter(Boolean).join(' ') });
}

async function move(requireApi: RequireApi, id: number, { to, from, json, ...options }: PlanOptions): Promise<void> {
  const fs = connectForPeople(requireApi(options));
  const search = { AppointmentId: id };
  const slot = to === undefined ? await chooseTime(await findTimes(fs, search, from), '--to') : { DateTime: to };
  report(await fs.call('appointments/update', { ...search, Slots: [slot] }), 'moved to', json);
}

/** The service with a name or id; without one, a person chooses from all. */
async function chooseService(fs: Api, given: string | undefined): Promise<object> {
  if (given !== undefined) return /^\d+$/.test(given) ? { ServiceId: Number(given) } : { ServiceName: given };
  const { Matches } = await fs.call('services/all', {});
  const rows = (Matches as unknown as readonly Service[]).map(({ Id, Name }) => ({ Id, Service: Name }));
  process.stderr.write(`${formatTable(rows)}\n`);
  return chooseService(fs, await ask('Which service, by name or id?', '--service'));
}

async function book(requireApi: RequireApi, { at, from, json, ...options }: BookOptions): Promise<void> {
  const fs = connectForPeople(requireApi(options));
  const words = options.client ?? (await ask('Which client, by name, phone, e-mail or id?', '--client'));
  const contact = await findClient(fs, words);
  const work = { ContactId: contact.Id, ...(await chooseService(fs, options.service)) };
  const slots = await findTimes(fs, work, at?.slice(0, 10) ?? from);
  const slot =
    at === undefined
      ? await chooseTime(slots, '--at')
      : slots.find(({ DateTime }) => DateTime?.startsWith(at.replace(' ', 'T')));
  if (!slot) throw new CommandError(`${at} is not free. Leave out --at to see what is.`);
  process.stderr.write(`${nameText(contact)}, contact ${contact.Id}\n`);
  report(await fs.call('appointments/book', { ...work, Slots: [slot] }), 'booked on', json);
}

const fromOption = (command: Command): Command => command.option('--from <day>', 'show times from this day', dayOption);

export const commands: readonly CliCommand[] = [
  {
    words: 'move',
    description: 'Move a visit: shows free times and asks for one',
    examples: ['npx fs move 123', 'npx fs move 123 --to "2027-03-09 13:00"'],
    takes: (command) =>
      fromOption(command)
        .argument('<visit>', 'id of the appointment', recordId)
        .option('--to <time>', 'the new time, by the clock of the organization'),
    overHttp: move,
  },
  {
    words: 'book',
    description: 'Book a visit: asks for what the options leave open',
    examples: ['npx fs book', 'npx fs book --client garcia --service "Window Cleaning" --from 2027-03-09'],
    takes: (command) =>
      fromOption(command)
        .option('--client <words>', 'name, phone, e-mail or id of the client')
        .option('--service <name>', 'name or id of the service')
        .option('--at <time>', 'a free time (2027-03-09 13:00), by the clock of the organization'),
    overHttp: book,
  },
];
