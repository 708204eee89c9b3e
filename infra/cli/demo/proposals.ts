import { type Visit, visitOf } from './appointments.ts';
import { type Line, type Paid, issue, settle } from './invoices.ts';
import type { Answer, Client, Office, DemoLog } from './office.ts';

/** A proposal. Days count from today. Without `opened` it is still being written. */
export interface Offer {
  readonly day: number;
  readonly opened?: number;
  readonly title: string;
  /** Its template, or its service. */
  readonly of: { readonly ProposalTemplateId: string } | { readonly ServiceName: string };
  readonly quantity?: number;
  readonly lines?: readonly { readonly Part: { readonly Name: string }; readonly Quantity: number }[];
  /** The option that is selected. */
  readonly option?: string;
  /** Percent that is due at acceptance. */
  readonly deposit?: number;
  readonly notes?: string;
  readonly declined?: { readonly day: number; readonly note: string };
  readonly accepted?: {
    readonly day: number;
    readonly name: string;
    /** How the deposit is paid. */
    readonly paid?: readonly Paid[];
    readonly visit?: Visit;
    /** How its own invoice is paid, where completing the visit makes none. */
    readonly invoiced?: readonly Paid[];
    readonly complete?: true;
    readonly changeOrder?: Offer;
  };
  /** What is offered with it, in a proposal of its own. */
  readonly bundle?: Offer;
}

/** A name written by hand, more or less. */
const SIGNATURE = [
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 70">',
  '<path fill="none" stroke="navy" stroke-width="2" d="M8 52 C 22 8, 44 6, 38 40 S 58 62, 70 34 C 76 20, 90 44, 98 36',
  ' S 116 22, 124 40 C 134 58, 150 18, 162 34 S 190 50, 232 26"/></svg>',
].join('');

type Links = { readonly ChangeOrderForProposalId: number } | { readonly BundleWithProposalId: number } | object;

async function templateId(office: Office, name: string): Promise<number | undefined> {
  const { Templates } = await office.look('proposal/alltemplates', {});
  return (Templates as { Id: number; Name: string }[]).find(({ Name }) => Name === name)?.Id;
}

/** What the proposal is made of: what its template or service says, with what is said here laid over it. */
async function draft(office: Office, at: number, client: Client, offer: Offer): Promise<object> {
  const { of, title, quantity, lines, option, deposit, notes } = offer;
  const said = {
    Title: title,
    ...(quantity === undefined ? {} : { Quantity: quantity }),
    ...(lines ? { ProposalLines: lines } : {}),
    ...(option === undefined ? {} : { SelectedSolution: { Name: option } }),
    ...(deposit === undefined ? {} : { DepositRate: deposit, DepositRequired: true }),
    ...(notes === undefined ? {} : { ProposalNotes: [{ Note: notes }] }),
  };
  const ContactId = client.id;
  if ('ServiceName' in of) return { ContactId, ...of, ...said };
  const ProposalTemplateId = await templateId(office, of.ProposalTemplateId);
  const { Proposal } = await office.look('proposal/quote', { ContactId, ProposalTemplateId, Proposal: said }, at);
  return Proposal as object;
}

/** The deposit that the acceptance has invoiced: the newest of the contact's open ones. */
async function depositOf(office: Office, { email }: Client): Promise<number> {
  const { Matches } = await office.look('contacts/locate', { EmailSearch: email });
  const [contact] = Matches as { OpenInvoices: { Id: number }[] }[];
  return Math.max(...(contact?.OpenInvoices ?? []).map(({ Id }) => Id));
}

interface Sold {
  readonly ContactId: number;
  readonly ServiceName: string;
  readonly BasePrice: number;
  readonly UnitPrice: number;
  readonly Quantity: number;
  readonly Taxable: boolean;
  readonly ProposalLines: readonly {
    readonly LineDescription: string;
    readonly ExtendedTotal: number;
    readonly Taxable: boolean;
    readonly IsInternal: boolean | null;
    readonly Part: { readonly Name: string } | null;
  }[];
}

/** The invoice of what a proposal has sold. */
async function invoiceOf(office: Office, ProposalId: number): Promise<object> {
  const sold = (await office.look('proposal/details', { Id: ProposalId })) as Answer & Sold;
  const whole = Math.round((sold.BasePrice + sold.UnitPrice * sold.Quantity) * 100) / 100;
  const lines: Line[] = sold.ProposalLines.filter(({ IsInternal, ExtendedTotal }) => !IsInternal && ExtendedTotal).map(
    ({ Part, LineDescription, ExtendedTotal, Taxable }) => ({
      Description: Part?.Name ?? LineDescription,
      Rate: ExtendedTotal,
      Qty: 1,
      Taxable,
    }),
  );
  const service = { Description: sold.ServiceName, Rate: whole, Qty: 1, Taxable: sold.Taxable };
  return { ContactId: sold.ContactId, ProposalId, Lines: [service, ...lines] };
}

async function* accept(office: Office, client: Client, Id: number, accepted: NonNullable<Offer['accepted']>): DemoLog {
  const { day, name, paid = [], visit, invoiced, complete, changeOrder } = accepted;
  const at = yield office.moment(day, '19:35', client);
  const signed = { ProposalId: Id, Name: name, SignatureData: SIGNATURE, IpAddress: '198.51.100.24' };
  await office.act(at, 'proposal/accept', signed);
  if (paid.length) yield* settle(office, await depositOf(office, client), paid);
  if (visit) yield* visitOf(office, client, visit, Id);
  if (changeOrder) yield* offerOf(office, client, changeOrder, { ChangeOrderForProposalId: Id });
  if (visit && invoiced) {
    const billed = yield office.moment(visit.day, '18:00', client);
    yield* issue(office, billed, await invoiceOf(office, Id), invoiced);
  }
  if (complete) await office.act(yield at, 'proposal/update', { Id, Status: 'Complete' });
}

/** A proposal from its first draft to what came of it. */
export async function* offerOf(office: Office, client: Client, offer: Offer, links: Links = {}): DemoLog {
  const { day, opened, declined, accepted, bundle } = offer;
  const at = yield office.moment(day, '15:10', client);
  const { Id } = (await office.act(at, 'proposal/create', {
    ...(await draft(office, at, client, offer)),
    ...links,
    Id: 0,
    Status: 'Internal',
  })) as Answer & { Id: number };
  if (bundle) yield* offerOf(office, client, bundle, { BundleWithProposalId: Id });
  if (opened === undefined) return;
  await office.act(yield office.moment(opened, '16:45', client), 'proposal/update', { Id, Status: 'Open' });
  if (declined) {
    const on = yield office.moment(declined.day, '10:30', client);
    await office.act(on, 'proposal/update', { Id, Status: 'Declined', ProposalNotes: [{ Note: declined.note }] });
  }
  if (accepted) yield* accept(office, client, Id, accepted);
}
