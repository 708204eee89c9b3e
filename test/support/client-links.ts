import { Status } from '../../lib/domain/appointments/record.ts';

type Resource = Readonly<Record<string, unknown>>;

/** Calls an operation of a stack. */
type Ask = (operation: string, body: object) => Promise<Resource>;

/** A field of the contract that holds a link: where it is, and why some records have none. */
interface LinkField {
  readonly links: Set<string>;
  readonly filled: number;
  /** Records without a link, by reason. */
  readonly empty: Readonly<Record<string, number>>;
}

const TAKE = 100;

async function everyRow(ask: Ask, operation: string, list: string, request: object): Promise<Resource[]> {
  const rows: Resource[] = [];
  for (;;) {
    const page = (await ask(operation, { ...request, Skip: rows.length, Take: TAKE }))[list] as Resource[];
    rows.push(...page);
    if (page.length < TAKE) return rows;
  }
}

const notShown = ({ Status: status }: Resource) =>
  status === 'Unapproved' || status === 'Voided' ? String(status) : undefined;

/** Why a record has no link in a field; `undefined`: it should have one. */
const reasons: Readonly<Record<string, (record: Resource) => string | undefined>> = {
  ClientUrl: ({ Status: status }) => (status === 'Internal' ? 'internal' : undefined),
  ClientPayUrl: notShown,
  ClientPdfUrl: notShown,
  TipUrl: ({ Status: status }) => (status === Status.Completed ? undefined : 'not completed'),
  TrackingUrl: ({ Status: status }) => (status === Status.Queued ? 'queued, without a time' : undefined),
  UpdatePaymentOnFileUrl: () => undefined,
  Link: () => undefined,
};

function linksIn(records: readonly Resource[], field: string): LinkField {
  const links = records.flatMap((record) => (record[field] ? [String(record[field])] : []));
  const without = records.filter((record) => !record[field]);
  const reasonOf = (record: Resource) => reasons[field]?.(record) ?? `unexplained: ${JSON.stringify(record)}`;
  const empty = Object.entries(Object.groupBy(without, reasonOf)).map(([reason, each]) => [reason, each?.length ?? 0]);
  return { links: new Set(links), filled: links.length, empty: Object.fromEntries(empty) as Record<string, number> };
}

/** All seven fields of the contract that hold links of client pages, in every record of a company. */
export async function linkFields(ask: Ask): Promise<Readonly<Record<string, LinkField>>> {
  const proposals = await everyRow(ask, 'proposal/query', 'Proposals', {});
  const invoices = await everyRow(ask, 'invoice/query', 'Invoices', {});
  const visits = await everyRow(ask, 'appointments/query', 'Appointments', {});
  const lists = ['Customer', 'Lead'].map((CategorySearch) => ask('contacts/locate', { CategorySearch, Limit: 500 }));
  const contacts = (await Promise.all(lists)).flatMap(({ Matches }) => Matches as Resource[]);
  const documents = contacts.flatMap(({ OpenInvoices, OpenProposals }) => [
    ...(OpenInvoices as Resource[]),
    ...(OpenProposals as Resource[]),
  ]);
  return {
    ClientUrl: linksIn(proposals, 'ClientUrl'),
    ClientPayUrl: linksIn(invoices, 'ClientPayUrl'),
    ClientPdfUrl: linksIn(invoices, 'ClientPdfUrl'),
    TipUrl: linksIn(visits, 'TipUrl'),
    TrackingUrl: linksIn(visits, 'TrackingUrl'),
    UpdatePaymentOnFileUrl: linksIn(contacts, 'UpdatePaymentOnFileUrl'),
    Link: linksIn(documents, 'Link'),
  };
}
