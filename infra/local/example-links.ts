import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import type { LocalJson } from './data-folder.ts';
import { callerContext } from '../../lib/workflows/context.ts';

/** A page of the demo company: a description, the operation whose answer contains its link, and that link. */
interface Example {
  readonly title: string;
  readonly operation: string;
  readonly request: object;
  readonly linkIn: (answer: Answer) => string | undefined;
}

interface Answer {
  readonly Proposals?: readonly { readonly ClientUrl: string; readonly SelectedSolution: unknown }[];
  readonly Invoices?: readonly { readonly ClientPayUrl: string }[];
  readonly Appointments?: readonly { readonly TrackingUrl: string; readonly TipUrl: string }[];
  readonly Matches?: readonly { readonly UpdatePaymentOnFileUrl: string; readonly ClientUrl: string }[];
}

const DAY = 24 * 60 * 60 * 1000;
const dateIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const examples = (): readonly Example[] => [
  {
    title: 'sign a proposal',
    operation: 'proposal/query',
    request: { Scope: 'Open' },
    linkIn: ({ Proposals = [] }) =>
      (Proposals.find(({ SelectedSolution }) => SelectedSolution) ?? Proposals[0])?.ClientUrl,
  },
  {
    title: 'pay an invoice',
    operation: 'invoice/query',
    request: { Status: 'Open', FromDate: dateIn(-60) },
    linkIn: ({ Invoices = [] }) => Invoices.at(-1)?.ClientPayUrl,
  },
  {
    title: 'follow a visit',
    operation: 'appointments/query',
    request: { FromDate: dateIn(0), ThroughDate: dateIn(14) },
    linkIn: ({ Appointments = [] }) => Appointments.at(-1)?.TrackingUrl,
  },
  {
    title: 'give a tip',
    operation: 'appointments/query',
    request: { FromDate: dateIn(-14), ThroughDate: dateIn(0) },
    linkIn: ({ Appointments = [] }) => Appointments.findLast(({ TipUrl }) => TipUrl)?.TipUrl,
  },
  {
    title: 'see all of it',
    operation: 'contacts/locate',
    request: { IdSearch: 1 },
    linkIn: ({ Matches = [] }) => Matches[0]?.ClientUrl,
  },
  {
    title: 'save a card',
    operation: 'contacts/locate',
    request: { IdSearch: 1 },
    linkIn: ({ Matches = [] }) => Matches[0]?.UpdatePaymentOnFileUrl,
  },
];

const lineOf = (title: string, link: string): string => `  ${title.padEnd(18)}${link}`;

/** The booking page of the first organization, which a company puts on its site, and the calendar of all its visits. */
async function organizationLines({
  AccountId,
  OrganizationId,
  TableName,
  DynamoDBEndpoint,
}: LocalJson): Promise<string[]> {
  const caller = accountCaller(AccountId, { role: 'Owner' });
  const table = openTable({ tableName: TableName, endpoint: DynamoDBEndpoint });
  const { booking, calendar } = await listLinks(
    callerContext(table, caller, new Date()),
    'organization',
    OrganizationId,
  );
  return [
    ...(booking ? [lineOf('book a visit', booking)] : []),
    ...(calendar ? [lineOf('(staff) calendar', calendar)] : []),
  ];
}

/** Lines with links that clients of the demo company would get; `""` without such records. */
export async function describeExampleLinks(local: LocalJson): Promise<string> {
  const { BaseUrl, ApiKey, DemoCreatedAt } = local;
  if (!DemoCreatedAt) return '';
  const lines = await Promise.all([
    ...examples().map(async ({ title, operation, request, linkIn }) => {
      const answer = await fetch(`${BaseUrl}/api/${operation}`, {
        method: 'POST',
        headers: { 'X-Api-Key': ApiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(request),
      });
      const link = answer.ok ? linkIn((await answer.json()) as Answer) : undefined;
      return link ? [lineOf(title, link)] : [];
    }),
    organizationLines(local),
  ]).catch(() => []);
  return lines.length ? `\nWhat a client of the demo company sees:\n\n${lines.flat().join('\n')}\n` : '';
}
