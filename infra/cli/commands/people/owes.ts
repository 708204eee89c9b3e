import type { Invoice } from '../../../../lib/entities/invoices.ts';
import { DAY } from '../../../../lib/shared/time/time.ts';
import type { CliCommand } from '../../command.ts';
import { formatTable, print } from '../../output.ts';
import { type RemoteOptions, type RequireApi } from '../../remote/profile.ts';
import { connectForPeople, readAll } from './people-api.ts';
import { dayText, moneyText, nameText, today } from './texts.ts';

/** Columns by days overdue: 30 days are in the first, 31 in the second. */
const AGES = [
  { until: 0, name: 'NotDue' },
  { until: 30, name: 'To30' },
  { until: 60, name: 'To60' },
  { until: 90, name: 'To90' },
  { until: Infinity, name: 'Over90' },
] as const;

type Age = (typeof AGES)[number]['name'];

/** How many days an invoice is late: after its DueDate, else after its date. */
const daysLate = ({ DueDate, Date: date }: Invoice, on: string): number =>
  Math.round((Date.parse(on) - Date.parse(DueDate ?? dayText(date))) / DAY);

const ageOf = (invoice: Invoice, on: string): Age =>
  AGES.find(({ until }) => daysLate(invoice, on) <= until)?.name ?? 'Over90';

const sum = (invoices: readonly Invoice[]): number =>
  invoices.reduce((total, { BalanceDue }) => total + Math.round(BalanceDue * 100), 0) / 100;

/** What clients owe, largest debt first, by the age of their invoices on a day. */
export function owedBy(invoices: readonly Invoice[], on: string) {
  const open = invoices.filter(({ BalanceDue }) => BalanceDue > 0);
  return [...Map.groupBy(open, ({ ContactId }) => ContactId)]
    .map(([ContactId, own]) => {
      const [oldest] = own.toSorted((a, b) => daysLate(b, on) - daysLate(a, on));
      const contact = own[0]?.Contact;
      const ages = AGES.map(({ name }) => [name, sum(own.filter((invoice) => ageOf(invoice, on) === name))]);
      return {
        ContactId,
        Client: contact ? nameText(contact) : '',
        Phone: contact?.Phone ?? '',
        Email: contact?.Email ?? '',
        ...(Object.fromEntries(ages) as Record<Age, number>),
        Owes: sum(own),
        Invoices: own.map(({ Id, Number: number, DueDate, BalanceDue }) => ({
          Id,
          Number: number,
          DueDate,
          BalanceDue,
        })),
        PayUrl: oldest?.ClientPayUrl ?? '',
      };
    })
    .sort((a, b) => b.Owes - a.Owes);
}

const HEADINGS: Readonly<Record<Age, string>> = {
  NotDue: 'Not due',
  To30: '1–30 days',
  To60: '31–60',
  To90: '61–90',
  Over90: 'Over 90',
};

const amount = (value: number): string => (value ? moneyText(value) : '');

const toRow = (client: ReturnType<typeof owedBy>[number]) => ({
  Contact: client.ContactId,
  Client: client.Client,
  Phone: client.Phone,
  'E-mail': client.Email,
  ...Object.fromEntries(AGES.map(({ name }) => [HEADINGS[name], amount(client[name])])),
  Owes: moneyText(client.Owes),
  'Oldest invoice': client.PayUrl,
});

async function showOwed(requireApi: RequireApi, options: RemoteOptions & { json?: boolean }): Promise<void> {
  const fs = connectForPeople(requireApi(options));
  const invoices = await readAll<Invoice>(fs, 'invoice/query', { Status: 'Open', IncludeContact: true, Take: 200 });
  const clients = owedBy(invoices, today());
  const total = moneyText(clients.reduce((cents, { Owes }) => cents + Math.round(Owes * 100), 0) / 100);
  const text = clients.length ? `${formatTable(clients.map(toRow))}\n\nTogether ${total}.` : 'Nobody owes anything.';
  print(clients, { json: options.json, text });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'owes',
    description: 'List who owes money, by how many days the invoices are late, with phone, e-mail and the page to pay',
    examples: ['npx fs owes'],
    overHttp: showOwed,
  },
];
