import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { pick } from '../../../lib/shared/objects.ts';
import type { Duplicate, Invoice, Payment, Proposal, Visit } from './activity.ts';
import { type DemoContact, type Office, type Story, toIso } from './office.ts';

/** How many days are searched for a free time: the six around Thanksgiving have none for half a day of work. */
const SEARCH_DAYS = 14;

/** A rough handwritten signature. */
const SIGNATURE = [
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 70">',
  '<path fill="none" stroke="navy" stroke-width="2" d="M8 52 C 22 8, 44 6, 38 40 S 58 62, 70 34 C 76 20, 90 44, 98 36',
  ' S 116 22, 124 40 C 134 58, 150 18, 162 34 S 190 50, 232 26"/></svg>',
].join('');

interface QuotedLine {
  readonly Part: { readonly Id: number; readonly Name: string } | null;
  readonly LineDescription: string;
  readonly Quantity: number;
  readonly UnitPrice: number;
  readonly ExtendedTotal: number;
  readonly Taxable: boolean;
  readonly IsInternal: boolean | null;
  readonly AssemblyLineId: number | null;
}

/** What the demo reads of a saved or quoted proposal. */
interface QuotedProposal {
  readonly ContactId: number;
  readonly ServiceName: string;
  readonly BasePrice: number;
  readonly UnitPrice: number;
  readonly Quantity: number;
  readonly Taxable: boolean;
  readonly ProposalLines: readonly QuotedLine[];
}

const PERSON_FIELDS = ['Name', 'Phone', 'Address1', 'City', 'State', 'Zip', 'OrganizationId'] as const;
type PersonFields = Readonly<Record<(typeof PERSON_FIELDS)[number], unknown>>;

interface Booking {
  readonly AppointmentId: number;
  readonly start: number;
}

const toProposalLines = (lines: Proposal['lines']) =>
  lines?.map(({ part, quantity }) => ({ Part: { Name: part }, Quantity: quantity }));

/** The contact asks again from another mailbox and is stored a second time. */
export async function* playDuplicate(office: Office, contact: DemoContact, { day, email }: Duplicate): Story {
  const at = yield office.momentAt(day, '19:20', contact);
  const { Matches } = await office.call<{ Matches: PersonFields[] }>('contacts/locate', { EmailSearch: contact.email });
  const [person] = Matches;
  if (!person) throw new TypeError(`The demo finds no contact ${contact.email}.`);
  const again = { ...pick(person, ...PERSON_FIELDS), Email: email, Category: 'Lead' };
  await office.call('contacts/addupdate', { Matches: [again] }, at);
}

/** An invoice: imported, sometimes voided, and paid. */
export async function* playInvoice(office: Office, contact: DemoContact, invoice: Invoice): Story {
  const { day, number, type, terms, lines, unapproved, voided, paid } = invoice;
  const at = yield office.momentAt(day, '17:00', contact);
  const InvoiceId = await importInvoice(office, at, {
    ContactId: contact.id,
    Number: number,
    InvoiceType: type,
    Terms: terms,
    Lines: lines,
    Status: unapproved ? 'Unapproved' : 'Open',
  });
  if (voided) {
    const voidedAt = yield office.momentAt(voided.day, '9:15', contact);
    const Invoice = { Status: 'Voided', CustomerNotes: voided.note };
    await office.call('invoice/import', { InvoiceId, Invoice }, voidedAt);
  }
  yield* payInvoice(office, InvoiceId, paid);
}

async function importInvoice(office: Office, at: number, Invoice: object): Promise<number> {
  const { InvoiceId } = await office.call<{ InvoiceId: number }>('invoice/import', { Invoice }, at);
  return InvoiceId;
}

async function* payInvoice(office: Office, InvoiceId: number, payments: readonly Payment[] = []): Story {
  for (const { after, method, reference = '', part = 1, refund } of payments) {
    const { Invoice } = await office.call<{ Invoice: { BalanceDue: number; Total: number; Date: string } }>(
      'invoice/get',
      { InvoiceId },
    );
    const { BalanceDue, Total } = Invoice;
    const Amount = refund ? BalanceDue - Total : Math.round(BalanceDue * part * 100) / 100;
    const at = yield Date.parse(Invoice.Date) + after * DAY + 2 * HOUR;
    await office.call('payment/import', { Payment: { InvoiceId, Amount, Method: method, Reference: reference } }, at);
  }
}

/** A visit: booked or queued, then canceled or done, and billed. */
export async function* playVisit(office: Office, contact: DemoContact, visit: Visit, proposalId?: number): Story {
  const { state, service, quantity = 1, notes = '', done, canceled, billed } = visit;
  const earliest = firstWorkday(office, contact, visit);
  const at = yield office.momentAt(visit.booked, '11:20', contact);
  if (state === 'queued') {
    const work = { ContactId: contact.id, ServiceName: service, Quantity: quantity, Notes: notes };
    await office.call('appointments/queue', { ...work, QueueDate: toIso(earliest) }, at);
    return;
  }
  const booking = await bookVisit(office, at, { contact, visit, earliest, proposalId });
  if (canceled) {
    const canceledAt = yield office.momentAt(canceled.day, '8:05', contact);
    await cancelVisit(office, canceledAt, booking, canceled);
  }
  if (done) yield* completeVisit(office, booking, done);
  if (billed) {
    const billedAt = yield booking.start + 8 * HOUR;
    const Invoice = { ContactId: contact.id, AppointmentId: booking.AppointmentId, Lines: billed.lines };
    yield* payInvoice(office, await importInvoice(office, billedAt, Invoice), billed.paid);
  }
}

interface VisitRequest {
  readonly contact: DemoContact;
  readonly visit: Visit;
  readonly earliest: number;
  readonly proposalId: number | undefined;
}

/** Books like the web site if possible, else like the office on the phone. */
async function bookVisit(office: Office, at: number, request: VisitRequest): Promise<Booking> {
  const { visit, earliest, proposalId } = request;
  const { repeat, agent, addOns } = visit;
  if (!repeat && !agent && !addOns && !proposalId) return bookFirstAvailable(office, at, request);
  const work = await describeWork(office, request);
  const slot = agent ? await agentSlot(office, earliest, agent) : await findFreeSlot(office, at, work, earliest);
  const links = proposalId ? { ProposalId: proposalId, RootProposalId: proposalId } : {};
  const series = repeat && { Repeat: repeat.every, Interval: repeat.interval, Count: repeat.count };
  const body = { ...work, ...series, SkipConflictChecks: agent ? true : undefined, Slots: [{ ...slot, ...links }] };
  const { AppointmentId } = await office.call<Booking>('appointments/book', body, at);
  if (repeat) await office.bookSeries(AppointmentId, at);
  return { AppointmentId, start: Date.parse(slot.DateTime) };
}

async function bookFirstAvailable(office: Office, at: number, { contact, visit, earliest }: VisitRequest) {
  const { AppointmentId, ScheduledStart } = await office.call<{ AppointmentId: number; ScheduledStart: string }>(
    'appointments/quickbook',
    {
      ContactId: contact.id,
      Service: visit.service,
      ScheduledStart: toIso(earliest),
      FirstAvailable: true,
      Tentative: visit.state === 'tentative',
      CustomerNotes: visit.notes ?? '',
      Quantity: visit.quantity,
    },
    at,
  );
  return { AppointmentId, start: Date.parse(ScheduledStart) };
}

interface Slot {
  readonly DateTime: string;
  readonly ServiceAgentId?: number;
}

async function findFreeSlot(office: Office, at: number, work: object, earliest: number): Promise<Slot> {
  const body = { ...work, TargetDate: toIso(earliest), SlotWindowDays: SEARCH_DAYS };
  const { Slots } = await office.call<{ Slots: Slot[] }>('appointments/slotsearch', body, at);
  if (!Slots[0]) throw new TypeError(`The demo finds no free time for ${JSON.stringify(work)}.`);
  return Slots[0];
}

/** The time of a visit on its day, or on the next one that is not a weekend, which is short, or a holiday. */
function firstWorkday(office: Office, contact: DemoContact, { day, time }: Visit): number {
  const days = Array.from({ length: SEARCH_DAYS }, (_, count) => office.momentAt(day + count, time, contact));
  return days.find((at) => office.isWorkday(at, contact)) ?? office.momentAt(day, time, contact);
}

async function agentSlot(office: Office, start: number, name: string): Promise<Slot> {
  const { Matches } = await office.call<{ Matches: { Id: number; Name: string }[] }>('serviceagents/all', {});
  const agent = Matches.find(({ Name }) => Name === name);
  return { DateTime: toIso(start), ...(agent ? { ServiceAgentId: agent.Id } : {}) };
}

/** The work of a visit: as its proposal sold it, or as priced by a quote for its add-ons. */
async function describeWork(office: Office, { contact, visit, proposalId }: VisitRequest): Promise<object> {
  const { service: ServiceName, quantity, duration, addOns, notes: Notes = '' } = visit;
  const work = { ContactId: contact.id, ServiceName, Notes, Quantity: quantity, Duration: duration };
  if (proposalId) {
    const { Quantity, ProposalLines } = await office.call<QuotedProposal>('proposal/details', { Id: proposalId });
    return { ...work, Quantity, AddOnParts: toAddOns(ProposalLines) };
  }
  if (!addOns) return work;
  const { Proposal } = await office.call<{ Proposal: QuotedProposal }>('proposal/quote', {
    ContactId: contact.id,
    ServiceName,
    Proposal: { ProposalLines: toProposalLines(addOns) },
  });
  return { ...work, AddOnParts: toAddOns(Proposal.ProposalLines) };
}

const toAddOns = (lines: readonly QuotedLine[]): object[] =>
  lines
    .filter(
      ({ Part, ExtendedTotal, IsInternal, AssemblyLineId }) =>
        Part !== null && ExtendedTotal !== 0 && !IsInternal && !AssemblyLineId,
    )
    .map(({ Part, Quantity, UnitPrice }) => ({ PartId: Part?.Id, Quantity, UnitPrice }));

async function cancelVisit(
  office: Office,
  at: number,
  { AppointmentId }: Booking,
  { reason, note }: NonNullable<Visit['canceled']>,
): Promise<void> {
  const { Matches } = await office.call<{ Matches: { Id: number; Reason: string }[] }>('cancelreasons/all', {});
  const CancelReasonId = Matches.find(({ Reason }) => Reason === reason)?.Id;
  await office.call('appointments/cancel', { AppointmentId, CancelReasonId, UpdateNote: note }, at);
}

async function* completeVisit(
  office: Office,
  { AppointmentId, start }: Booking,
  { late = 0, took, tip, feedback, paid }: NonNullable<Visit['done']>,
): Story {
  const [actualStart, finish] = [start + late * MINUTE, start + (late + took) * MINUTE];
  const at = yield finish;
  const { InvoiceId } = await office.call<{ InvoiceId: number | null }>(
    'appointments/update',
    { AppointmentId, UpdateActuals: true, ActualStart: toIso(actualStart), ActualFinish: toIso(finish) },
    at,
  );
  if (tip) await office.call('appointments/addtip', { AppointmentId, Amount: tip }, yield finish + 10 * MINUTE);
  if (feedback) await office.call('appointments/feedback', { Id: AppointmentId, ...feedback }, yield finish + 5 * HOUR);
  if (InvoiceId) yield* payInvoice(office, InvoiceId, paid);
}

/** A proposal: drafted, opened, then declined, or accepted and carried out. */
export async function* playProposal(
  office: Office,
  contact: DemoContact,
  proposal: Proposal,
  links: { readonly ChangeOrderForProposalId?: number; readonly BundleWithProposalId?: number } = {},
): Story {
  const { day, opened, declined, accepted, bundle } = proposal;
  const at = yield office.momentAt(day, '15:10', contact);
  const draft = await draftProposal(office, at, contact, proposal);
  const body = { ...draft, ...links, Id: 0, Status: 'Internal' };
  const { Id } = await office.call<{ Id: number }>('proposal/create', body, at);
  if (bundle) yield* playProposal(office, contact, bundle, { BundleWithProposalId: Id });
  if (opened === undefined) return;
  const openedAt = yield office.momentAt(opened, '16:45', contact);
  await office.call('proposal/update', { Id, Status: 'Open' }, openedAt);
  if (declined) {
    const declinedAt = yield office.momentAt(declined.day, '10:30', contact);
    const ProposalNotes = [{ Note: declined.note }];
    await office.call('proposal/update', { Id, Status: 'Declined', ProposalNotes }, declinedAt);
  }
  if (accepted) yield* acceptProposal(office, contact, Id, accepted);
}

/** The body of proposal/create: the values of the template or service, overridden by those of the activity. */
async function draftProposal(office: Office, at: number, contact: DemoContact, proposal: Proposal): Promise<object> {
  const { template, service, title, quantity, lines, option, deposit, notes } = proposal;
  const ContactId = contact.id;
  const values = {
    Title: title,
    Quantity: quantity,
    ProposalLines: toProposalLines(lines),
    SelectedSolution: option === undefined ? undefined : { Name: option },
    DepositRate: deposit,
    DepositRequired: deposit === undefined ? undefined : true,
    ProposalNotes: notes === undefined ? undefined : [{ Note: notes }],
  };
  if (!template) return { ContactId, ServiceName: service, ...values };
  const { Templates } = await office.call<{ Templates: { Id: number; Name: string }[] }>('proposal/alltemplates', {});
  const ProposalTemplateId = Templates.find(({ Name }) => Name === template)?.Id;
  const body = { ContactId, ProposalTemplateId, Proposal: values };
  const { Proposal } = await office.call<{ Proposal: object }>('proposal/quote', body, at);
  return Proposal;
}

async function* acceptProposal(
  office: Office,
  contact: DemoContact,
  Id: number,
  { day, name, paid, visit, invoiced, complete, changeOrder }: NonNullable<Proposal['accepted']>,
): Story {
  const at = yield office.momentAt(day, '19:35', contact);
  const body = { ProposalId: Id, Name: name, SignatureData: SIGNATURE, IpAddress: '198.51.100.24' };
  await office.call('proposal/accept', body, at);
  if (paid) yield* payInvoice(office, await findDepositInvoice(office, contact), paid);
  if (visit) yield* playVisit(office, contact, visit, Id);
  if (changeOrder) yield* playProposal(office, contact, changeOrder, { ChangeOrderForProposalId: Id });
  if (visit && invoiced) {
    const billedAt = yield office.momentAt(visit.day, '18:00', contact);
    const InvoiceId = await importInvoice(office, billedAt, await invoiceForProposal(office, Id));
    yield* payInvoice(office, InvoiceId, invoiced);
  }
  if (complete) await office.call('proposal/update', { Id, Status: 'Complete' }, yield at);
}

/** The invoice of the deposit: the contact's newest open one. */
async function findDepositInvoice(office: Office, { email }: DemoContact): Promise<number> {
  const { Matches } = await office.call<{ Matches: { OpenInvoices: { Id: number }[] }[] }>('contacts/locate', {
    EmailSearch: email,
  });
  return Math.max(...(Matches[0]?.OpenInvoices ?? []).map(({ Id }) => Id));
}

/** An invoice for everything that the proposal sold. */
async function invoiceForProposal(office: Office, ProposalId: number): Promise<object> {
  const proposal = await office.call<QuotedProposal>('proposal/details', { Id: ProposalId });
  const { ContactId, ServiceName, BasePrice, UnitPrice, Quantity, Taxable, ProposalLines } = proposal;
  const servicePrice = Math.round((BasePrice + UnitPrice * Quantity) * 100) / 100;
  const lines = ProposalLines.filter(({ IsInternal, ExtendedTotal }) => !IsInternal && ExtendedTotal).map(
    ({ Part, LineDescription, ...line }) => ({
      Description: Part?.Name ?? LineDescription,
      Rate: line.ExtendedTotal,
      Qty: 1,
      Taxable: line.Taxable,
    }),
  );
  return {
    ContactId,
    ProposalId,
    Lines: [{ Description: ServiceName, Rate: servicePrice, Qty: 1, Taxable }, ...lines],
  };
}
