import type { LocalJson } from './data-folder.ts';

/** A page of the demo company: what it is, the operation whose answer has its link, and the link in it. */
interface Example {
  readonly title: string;
  readonly operation: string;
  readonly request: object;
  readonly linkIn: (answer: Answer) => string | undefined;
}

interface Answer {
  readonly Proposals?: readonly { readonly ClientUrl: string; readonly SelectedSolution: unknown }[];
  readonly Invoices?: readonly { readonly ClientPayUrl: string }[];
  readonly Appointments?: readonly { readonly TrackingUrl: string }[];
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
    title: 'read an invoice',
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
];

/** Lines with links that clients of the demo company would get; `""` where there are none. */
export async function describeExampleLinks({ BaseUrl, ApiKey, DemoCreatedAt }: LocalJson): Promise<string> {
  if (!DemoCreatedAt) return '';
  const lines = await Promise.all(
    examples().map(async ({ title, operation, request, linkIn }) => {
      const answer = await fetch(`${BaseUrl}/api/${operation}`, {
        method: 'POST',
        headers: { 'X-Api-Key': ApiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(request),
      });
      const link = answer.ok ? linkIn((await answer.json()) as Answer) : undefined;
      return link ? [`  ${title.padEnd(18)}${link}`] : [];
    }),
  ).catch(() => []);
  return lines.length ? `\nWhat a client of the demo company sees:\n\n${lines.flat().join('\n')}\n` : '';
}
