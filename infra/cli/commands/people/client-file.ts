import type { Appointment } from '../../../../lib/entities/appointments.ts';
import type { Contact } from '../../../../lib/entities/contacts.ts';
import type { Invoice } from '../../../../lib/entities/invoices.ts';
import type { Proposal } from '../../../../lib/entities/proposals.ts';
import type { Task } from '../../../../lib/entities/tasks.ts';
import type { CliCommand } from '../../command.ts';
import { formatTable, print } from '../../output.ts';
import { type RemoteOptions, type RequireApi } from '../../remote/profile.ts';
import { findClient } from './find-client.ts';
import { connectForPeople, readAll } from './people-api.ts';
import { addressText, clockText, dayText, moneyText, nameText, today } from './texts.ts';

const STATES = ['Queued', 'Scheduled', 'Started', 'Completed', 'Canceled', 'Tentative'] as const;
/** Visits shown on each side of today, and notes. */
const SHOWN = 5;

interface ClientFile {
  readonly contact: Contact;
  readonly visits: readonly Appointment[];
  readonly invoices: readonly Invoice[];
  readonly proposals: readonly Proposal[];
  readonly tasks: readonly Task[];
}

const section = (title: string, rows: Parameters<typeof formatTable>[0]): string[] =>
  rows.length ? [`${title}\n${formatTable(rows)}`] : [];

const toVisit = ({ AppointmentId, DateTime, Status, ServiceName, ServiceAgentName, Total }: Appointment) => ({
  Visit: AppointmentId,
  When: [dayText(DateTime), clockText(DateTime)].filter(Boolean).join(' '),
  Status: STATES[Status ?? 0] ?? '',
  Service: ServiceName,
  Agent: ServiceAgentName,
  Total: moneyText(Total ?? 0),
});

/** The client: who, where, how to reach them, and what to know before calling. */
function headOf(contact: Contact): string {
  const refused = [
    contact.DoNotEmail && 'no e-mails',
    contact.DoNotText && 'no texts',
    contact.Unsubscribed && 'unsubscribed',
  ].filter(Boolean);
  return [
    `${nameText(contact)} (contact ${contact.Id})`,
    addressText(contact),
    [contact.Phone, contact.AltPhone, contact.Email].filter(Boolean).join('  '),
    contact.FlashMessage && `! ${contact.FlashMessage}`,
    refused.length ? `Wants ${refused.join(', ')}.` : '',
    contact.Tags.length ? `Tags: ${contact.Tags.join(', ')}` : '',
    contact.CreditBalance ? `Credit: ${moneyText(contact.CreditBalance)}` : '',
    contact.ClientUrl,
  ]
    .filter(Boolean)
    .join('\n');
}

/** A client's file in a form for people. */
export function formatClient({ contact, visits, invoices, proposals, tasks }: ClientFile, day: string): string {
  const dated = visits.toSorted((a, b) => (a.DateTime ?? '').localeCompare(b.DateTime ?? ''));
  const [past, ahead] = [
    dated.filter(({ DateTime }) => dayText(DateTime) < day),
    dated.filter(({ DateTime }) => dayText(DateTime) >= day),
  ];
  const due = invoices.filter(({ BalanceDue }) => BalanceDue > 0);
  return [
    headOf(contact),
    ...section('Next visits', ahead.slice(0, SHOWN).map(toVisit)),
    ...section('Last visits', past.slice(-SHOWN).toReversed().map(toVisit)),
    ...section(
      'Open invoices',
      due.map(({ Id, Number: number, DueDate, BalanceDue }) => ({
        Invoice: Id,
        Number: number,
        Due: DueDate,
        Balance: moneyText(BalanceDue),
      })),
    ),
    ...section(
      'Open proposals',
      proposals.map(({ Id, Date: date, ServiceName, Title, Subtotal, Tax }) => ({
        Proposal: Id,
        Date: date,
        For: Title || ServiceName,
        Total: moneyText(Subtotal + Tax),
      })),
    ),
    ...section(
      'Open tasks',
      tasks.map(({ Id, Due, Description }) => ({
        Task: Id,
        Due: dayText(Due),
        What: Description.split('\n')[0] ?? '',
      })),
    ),
    ...section(
      'Notes',
      contact.Notes.slice(-SHOWN).map(({ Title, Body }) => ({ Note: Title, Text: Body.replaceAll(/\s*\n\s*/g, ' ') })),
    ),
  ].join('\n\n');
}

async function showClient(
  requireApi: RequireApi,
  words: readonly string[],
  options: RemoteOptions & { json?: boolean },
): Promise<void> {
  const fs = connectForPeople(requireApi(options));
  const contact = await findClient(fs, words.join(' '));
  const of = { ContactId: contact.Id, Take: 200 };
  const [visits, invoices, proposals, tasks] = await Promise.all([
    readAll<Appointment>(fs, 'appointments/query', of),
    readAll<Invoice>(fs, 'invoice/query', { ...of, Status: 'Open' }),
    readAll<Proposal>(fs, 'proposal/query', { ...of, Scope: 'open' }),
    readAll<Task>(fs, 'task/query', of),
  ]);
  const open = tasks.filter(({ CompletedAt }) => CompletedAt === null);
  const file = { contact, visits, invoices, proposals, tasks: open };
  print(file, { json: options.json, text: formatClient(file, today()) });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'client',
    description: 'Show a client by name, phone, e-mail, street or id: visits, invoices, proposals, tasks and notes',
    examples: ['npx fs client garcia', 'npx fs client 804 555 0143'],
    takes: (command) => command.argument('<words...>'),
    overHttp: showClient,
  },
];
