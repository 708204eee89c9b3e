import { toLocalDate } from '../../../lib/shared/format-moments.ts';
import { type Line, type Paid, issue, settle } from './invoices.ts';
import type { Client, Office, DemoLog } from './office.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time.ts';

/** What came of a visit, in minutes from the time that was booked. */
interface Done {
  readonly late?: number;
  readonly took: number;
  readonly tip?: number;
  readonly feedback?: { readonly Score: number; readonly Note: string; readonly ContactMe?: boolean };
  /** How the invoice of it was paid, where its service makes one. */
  readonly paid?: readonly Paid[];
}

/** A visit. Days count from today, times are the client's; it is at the first free time from then on. */
export interface Visit {
  readonly service: string;
  readonly booked: number;
  readonly day: number;
  readonly time: string;
  readonly quantity?: number;
  readonly duration?: string;
  /** Who does it at that very time, of a weekday, where the place cannot be located and no drive be planned. */
  readonly agent?: string;
  readonly addOns?: readonly { readonly Part: { readonly Name: string }; readonly Quantity: number }[];
  readonly notes?: string;
  readonly state?: 'tentative' | 'queued';
  readonly done?: Done;
  readonly canceled?: { readonly day: number; readonly reason: string; readonly note: string };
  /** An invoice written by hand for it, of a service that makes none by itself. */
  readonly billed?: { readonly lines: readonly Line[]; readonly paid: readonly Paid[] };
}

/** Days in which a time is looked for: more than any row of holidays. */
const SEARCHED_DAYS = 6;

interface Booked {
  readonly AppointmentId: number;
  readonly start: number;
}

interface QuotedLine {
  readonly Part: { readonly Id: number } | null;
  readonly Quantity: number;
  readonly UnitPrice: number;
  readonly ExtendedTotal: number;
  readonly IsInternal: boolean | null;
  readonly AssemblyLineId: number | null;
}

const isAddOn = ({ Part, ExtendedTotal, IsInternal, AssemblyLineId }: QuotedLine): boolean =>
  Part !== null && ExtendedTotal !== 0 && !IsInternal && !AssemblyLineId;

/** Add-ons as an appointment takes them. */
const addOnsOf = (lines: readonly QuotedLine[]): object[] =>
  lines.filter(isAddOn).map(({ Part, Quantity, UnitPrice }) => ({ PartId: Part?.Id, Quantity, UnitPrice }));

/** What is to be done, as the proposal has sold it or as a quote puts it. */
async function workOf(office: Office, client: Client, visit: Visit, proposalId: number | undefined): Promise<object> {
  const { service: ServiceName, quantity, duration, addOns, notes: Notes = '' } = visit;
  const ContactId = client.id;
  const asked = {
    ContactId,
    ServiceName,
    Notes,
    ...(quantity === undefined ? {} : { Quantity: quantity }),
    ...(duration === undefined ? {} : { Duration: duration }),
  };
  if (proposalId) {
    const { Quantity, ProposalLines } = await office.look('proposal/details', { Id: proposalId });
    return { ...asked, Quantity, AddOnParts: addOnsOf(ProposalLines as QuotedLine[]) };
  }
  if (!addOns) return asked;
  const said = { ContactId, ServiceName, Proposal: { ProposalLines: addOns } };
  const { Proposal } = await office.look('proposal/quote', said);
  return { ...asked, AddOnParts: addOnsOf((Proposal as { ProposalLines: QuotedLine[] }).ProposalLines) };
}

/** Books as the office does on the telephone, which looks at what is free. */
async function bookSlot(office: Office, at: number, work: object, from: number, links: object): Promise<Booked> {
  const window = { TargetDate: new Date(from).toISOString(), SlotWindowDays: SEARCHED_DAYS };
  const { Slots } = await office.look('appointments/slotsearch', { ...work, ...window }, at);
  const [slot] = Slots as { DateTime: string }[];
  if (!slot) throw new TypeError(`the demo finds no time for ${JSON.stringify(work)}`);
  const { AppointmentId } = await office.act(at, 'appointments/book', { ...work, Slots: [{ ...slot, ...links }] });
  return { AppointmentId: AppointmentId as number, start: Date.parse(slot.DateTime) };
}

const isWeekend = (at: number, zone: string): boolean => [0, 6].includes(new Date(toLocalDate(at, zone)).getUTCDay());

/** Books over what keeps a search from finding a time: on the first weekday, at that very time. */
async function bookByHand(office: Office, at: number, work: object, start: number, agent: object): Promise<Booked> {
  const Slots = [{ DateTime: new Date(start).toISOString(), ...agent }];
  const { AppointmentId } = await office.act(at, 'appointments/book', { ...work, SkipConflictChecks: true, Slots });
  return { AppointmentId: AppointmentId as number, start };
}

/** Books as a form of the web site does: whoever is free first. */
async function quickbook(office: Office, at: number, client: Client, visit: Visit, from: number): Promise<Booked> {
  const { AppointmentId, ScheduledStart } = await office.act(at, 'appointments/quickbook', {
    ContactId: client.id,
    Service: visit.service,
    ScheduledStart: new Date(from).toISOString(),
    FirstAvailable: true,
    Tentative: visit.state === 'tentative',
    CustomerNotes: visit.notes ?? '',
    ...(visit.quantity === undefined ? {} : { Quantity: visit.quantity }),
  });
  return { AppointmentId: AppointmentId as number, start: Date.parse(ScheduledStart as string) };
}

async function agentId(office: Office, name: string): Promise<number | undefined> {
  const { Matches } = await office.look('serviceagents/all', {});
  return (Matches as { Id: number; Name: string }[]).find(({ Name }) => Name === name)?.Id;
}

/** The visit in somebody's calendar, from the moment `wanted` on. */
async function booked(
  office: Office,
  at: number,
  client: Client,
  visit: Visit,
  { wanted, proposalId }: { readonly wanted: number; readonly proposalId: number | undefined },
): Promise<Booked> {
  if (!visit.agent && !visit.addOns && !proposalId) return quickbook(office, at, client, visit, wanted);
  const work = await workOf(office, client, visit, proposalId);
  const links = proposalId ? { ProposalId: proposalId, RootProposalId: proposalId } : {};
  if (!visit.agent) return bookSlot(office, at, work, wanted, links);
  const start = [0, 1, 2].map((days) => wanted + days * DAY).find((day) => !isWeekend(day, client.zone)) ?? wanted;
  return bookByHand(office, at, work, start, { ServiceAgentId: await agentId(office, visit.agent), ...links });
}

async function* finish(office: Office, { AppointmentId, start }: Booked, { late = 0, took, ...after }: Done): DemoLog {
  const [began, ended] = [start + late * MINUTE, start + (late + took) * MINUTE];
  const at = yield ended;
  const { InvoiceId } = await office.act(at, 'appointments/update', {
    AppointmentId,
    UpdateActuals: true,
    ActualStart: new Date(began).toISOString(),
    ActualFinish: new Date(ended).toISOString(),
  });
  const { tip, feedback, paid = [] } = after;
  if (tip) await office.act(yield ended + 10 * MINUTE, 'appointments/addtip', { AppointmentId, Amount: tip });
  if (feedback) await office.act(yield ended + 5 * HOUR, 'appointments/feedback', { Id: AppointmentId, ...feedback });
  if (InvoiceId) yield* settle(office, InvoiceId as number, paid);
}

/** A visit from its booking to what came of it. */
export async function* visitOf(office: Office, client: Client, visit: Visit, proposalId?: number): DemoLog {
  const { state, service, day, time, notes = '', done, canceled, billed } = visit;
  const wanted = office.moment(day, time, client);
  const at = yield office.moment(visit.booked, '11:20', client);
  if (state === 'queued') {
    const QueueDate = new Date(wanted).toISOString();
    const asked = { ContactId: client.id, ServiceName: service, Quantity: visit.quantity ?? 1 };
    await office.act(at, 'appointments/queue', { ...asked, QueueDate, Notes: notes });
    return;
  }
  const made = await booked(office, at, client, visit, { wanted, proposalId });
  const { AppointmentId } = made;
  if (canceled) {
    const { Matches } = await office.look('cancelreasons/all', {});
    const reason = (Matches as { Id: number; Reason: string }[]).find(({ Reason }) => Reason === canceled.reason);
    const on = yield office.moment(canceled.day, '8:05', client);
    const body = { AppointmentId, CancelReasonId: reason?.Id, UpdateNote: canceled.note };
    await office.act(on, 'appointments/cancel', body);
  }
  if (done) yield* finish(office, made, done);
  if (!billed) return;
  const Invoice = { ContactId: client.id, AppointmentId, Lines: billed.lines };
  yield* issue(office, yield made.start + 8 * HOUR, Invoice, billed.paid);
}
