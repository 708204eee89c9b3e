import { type AppointmentRecord, isOver } from '../../domain/appointments/record.ts';
import type { BilledLine } from '../../domain/pricing/billed-lines.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { notOfferedMessage } from '../../domain/pricebook/availability.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import { cents, fromCents } from '../../domain/pricing/cents.ts';
import { lineTax } from '../../domain/pricing/discounts-and-tax.ts';
import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { findAddedParts, isOneOff, isToBeInvoiced, oneOffWork } from '../../domain/proposals/sold-work.ts';
import { isSigned, proposalStatusName } from '../../domain/proposals/status.ts';
import type { ProposalWork } from '../../domain/subscriptions/visit-appointment.ts';
import type { AddOnPart } from '../../resources/appointments.ts';
import type { Input } from '../../resources/resource.ts';
import { MAX_DURATION, parseDuration } from '../../shared/durations.ts';
import { add } from '../../shared/money.ts';
import { findProposals } from '../../store/proposals.ts';
import { quoteWork } from '../pricebook/quote-work.ts';
import {
  type ReadContext,
  type SlotInput,
  type BookingContext,
  type Refusal,
  type WriteContext,
  conflicting,
  invalidResult,
  isRefusal,
  ownProposal,
} from './booking-context.ts';

/** What is asked for, as far as it bears on price and length. */
export interface WorkInput {
  readonly quantity: number | null | undefined;
  readonly discount: number | null | undefined;
  readonly lines: readonly Input<typeof AddOnPart>[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** As the request says it. */
  readonly duration: string | null | undefined;
  /** Minutes where the request says none; what the service says when not given. */
  readonly minutes: number | undefined;
  /** What it is of a proposal, if it is: then its lines are kept for the invoice. */
  readonly link: Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;
  /** That proposal, where it was read. */
  readonly proposal?: ProposalRecord | undefined;
  /** The appointment as it was, if it was. */
  readonly former?: AppointmentRecord | undefined;
}

/** Reads a Duration in minutes; blank and 0 are not given. */
export function resolveMinutes(text: string | null | undefined): number | undefined | Refusal {
  if (!text?.trim()) return undefined;
  const parsed = parseDuration(text);
  if (!parsed.ok) return invalidResult({ field: 'Duration', message: `cannot be read: ${parsed.reason}` });
  return parsed.minutes || undefined;
}

/** What is done, for how much and how long, as an appointment keeps it. */
export type PricedWork = Omit<ProposalWork, 'Sold'> & Pick<AppointmentRecord, 'Sold'>;

const unbilled: Pick<PricedWork, 'BilledLines' | 'BilledTaxRate' | 'BilledRateName'> = {
  BilledLines: [],
  BilledTaxRate: 0,
  BilledRateName: '',
};

/** The length that is asked for, where an appointment of a service can be that long. */
function lengthOf(minutes: number, { Name }: ServiceRecord): number | Refusal {
  if (minutes < 1)
    return invalidResult({ field: 'Duration', message: `is required, because the service ${Name} has none` });
  return minutes > MAX_DURATION ? invalidResult({ field: 'Duration', message: 'must be at most 7 days' }) : minutes;
}

/** Price, lines and length of a service for a contact; refused where they cannot be had, as of a service that is no longer offered and was not had before. */
export async function priceWork(
  { table, caller, now }: ReadContext,
  { service, named }: BookingContext,
  contact: ContactRecord,
  wanted: WorkInput,
): Promise<PricedWork | Refusal> {
  const { lines, properties, discount = null, link } = wanted;
  const said = resolveMinutes(wanted.duration);
  if (isRefusal(said)) return said;
  const work = soldWork(service, wanted);
  if (work) {
    const sold = await withAddedLines({ table, caller, now }, { service, contact, wanted, work });
    if (isRefusal(sold)) return sold;
    const Duration = lengthOf(said ?? wanted.minutes ?? sold.Duration, service);
    return isRefusal(Duration) ? Duration : { ...sold, Duration };
  }
  const isHad = [wanted.former, wanted.proposal].some((had) => had?.ServiceId === service.Id);
  if (!service.Active && !isHad) return invalidResult({ field: named, message: notOfferedMessage(service.Name) });
  const quantity = wanted.quantity || 1;
  if (quantity < 0) return invalidResult({ field: 'Quantity', message: 'must be above 0' });
  if ((wanted.discount ?? 0) < 0) return invalidResult({ field: 'Discount', message: 'must be at least 0' });
  const quoted = await quoteWork(
    table,
    caller.accountId,
    { service, contact, quantity, discount, lines, had: wanted.former?.AddOnParts ?? [], properties },
    now,
  );
  if (quoted.kind === 'invalid') return invalidResult(...quoted.errors);
  const Duration = lengthOf(said ?? wanted.minutes ?? quoted.quote.minutes, service);
  if (isRefusal(Duration)) return Duration;
  const { total: Total, lines: AddOnParts, billed, tax } = quoted.quote;
  const isBilled = service.IsMigrateInvoice || link.ProposalId || link.RootProposalId;
  const forInvoice = isBilled
    ? { BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name }
    : unbilled;
  return {
    ServiceId: service.Id,
    ServiceName: service.Name,
    Quantity: quantity,
    Discount: discount,
    Total,
    Duration,
    AddOnParts,
    ...forInvoice,
    Sold: null,
  };
}

interface Said {
  readonly Quantity?: number | null | undefined;
  readonly Discount?: number | null | undefined;
  readonly Duration?: string | null | undefined;
  readonly UpdateLines?: boolean | null | undefined;
  readonly AddOnParts?: readonly Input<typeof AddOnPart>[] | null | undefined;
}

/** An appointment being updated. */
export interface RepriceInput {
  readonly before: AppointmentRecord;
  /** With all that is said but price and length. */
  readonly placed: AppointmentRecord;
  readonly home: BookingContext;
  readonly contact: ContactRecord;
  readonly request: Said;
  readonly slot: SlotInput | undefined;
  /** The proposal that it is of, where it was read. */
  readonly proposal: ProposalRecord | undefined;
}

/**
 * The appointment with price and length as an update says: priced anew only where what is priced changes, so that a price once fixed stays; or where it is
 * of another sale from now on, and then as long as that says, unless it is over.
 */
export async function repriceWork(
  asking: ReadContext,
  { before, placed, home, contact, request, slot, proposal }: RepriceInput,
): Promise<AppointmentRecord | Refusal> {
  const { service } = home;
  const quantity = request.Quantity || slot?.Quantity || before.Quantity;
  const discount = request.Discount ?? slot?.Discount ?? before.Discount;
  const said = resolveMinutes(request.Duration);
  if (isRefusal(said)) return said;
  const longer = said ?? (slot?.Duration && slot.Duration !== before.Duration ? slot.Duration : undefined);
  const lines = request.UpdateLines ? (request.AddOnParts ?? []) : before.AddOnParts;
  const from = { former: before, proposal, link: placed };
  const isResold = soldWork(service, from)?.Sold.ProposalId !== before.Sold?.ProposalId;
  const asksMore = quantity !== before.Quantity || service.Id !== before.ServiceId || request.UpdateLines === true;
  if (!asksMore && !isResold && discount === before.Discount) return { ...placed, Duration: longer ?? before.Duration };
  const minutes = longer ?? (asksMore || (isResold && !isOver(placed)) ? undefined : before.Duration);
  const wanted = {
    quantity,
    discount,
    lines,
    properties: placed.CustomProperties,
    duration: undefined,
    minutes,
    ...from,
  };
  const priced = await priceWork(asking, home, contact, wanted);
  return isRefusal(priced) ? priced : { ...placed, ...priced };
}

/** What of an appointment was sold, without what was added to it since. */
function keptOf(former: AppointmentRecord, sold: NonNullable<AppointmentRecord['Sold']>): ProposalWork {
  const { ServiceId, ServiceName, Quantity, Discount, BilledTaxRate, BilledRateName } = former;
  return {
    ServiceId,
    ServiceName,
    Quantity,
    Discount,
    BilledTaxRate,
    BilledRateName,
    Total: sold.Total,
    Duration: sold.Duration,
    AddOnParts: former.AddOnParts.slice(0, sold.AddOnParts),
    BilledLines: former.BilledLines.slice(0, sold.BilledLines),
    Sold: sold,
  };
}

/** What was sold of an appointment: the visit of a subscription that it is, or all that its signed proposal sold; `undefined` where it costs what the book says. */
export function soldWork(
  { Id }: ServiceRecord,
  { former, proposal, link }: Pick<WorkInput, 'former' | 'proposal' | 'link'>,
): ProposalWork | undefined {
  const own = link.ProposalId || link.RootProposalId;
  if (former?.Sold?.ProposalId === own && former?.Sold && former.ServiceId === Id) return keptOf(former, former.Sold);
  return proposal?.Id === own && proposal?.ServiceId === Id ? oneOffWork(proposal) : undefined;
}

const taxedSum = (lines: readonly BilledLine[], rate: number): number =>
  add(...lines.flatMap(({ Extended, Taxable }) => [Extended, fromCents(lineTax(cents(Extended), Taxable, rate))]));

interface Sale {
  readonly service: ServiceRecord;
  readonly contact: ContactRecord;
  readonly wanted: WorkInput;
  readonly work: ProposalWork;
}

/** What was sold, with the add-ons that are wanted beyond it, which cost what the book says; quantity, discount and what was sold of a part stay. */
export async function withAddedLines(
  { table, caller, now }: ReadContext,
  { service, contact, wanted, work }: Sale,
): Promise<ProposalWork | Refusal> {
  const { former, proposal, properties } = wanted;
  const ordered = `proposal ${work.Sold.ProposalId}; a change order changes that`;
  const quantities = [work.Quantity, proposal?.RequestedQuantity ?? 1, former?.Quantity];
  if (wanted.quantity && !quantities.includes(wanted.quantity))
    return conflicting(`Quantity is ${work.Quantity}, as sold with ${ordered}.`);
  if (wanted.discount && wanted.discount !== former?.Discount)
    return conflicting(`Discount is none beyond what was sold with ${ordered}.`);
  // What it was to be before it was of this sale gives way to what was sold.
  const isNew = former && former.Sold?.ProposalId !== work.Sold.ProposalId && wanted.lines === former.AddOnParts;
  const lines = isNew
    ? wanted.lines.filter((line) => !work.AddOnParts.some(({ PartId }) => PartId === line.PartId))
    : wanted.lines;
  const added = findAddedParts(work.AddOnParts, lines);
  if (added.kind === 'changed')
    return conflicting(
      `${added.part.Name} is ${added.part.Quantity} at ${added.part.UnitPrice}, as sold with ${ordered}.`,
    );
  if (!added.lines.length) return work;
  const tax = { Name: work.BilledRateName, TaxRate: work.BilledTaxRate };
  const asked = {
    service: { ...service, SubscriptionProRate: false },
    contact,
    quantity: work.Quantity,
    discount: null,
    lines: added.lines,
    had: former?.AddOnParts ?? [],
    properties,
    tax,
  };
  const quoted = await quoteWork(table, caller.accountId, asked, now);
  if (quoted.kind === 'invalid') {
    const placed = (field: string) =>
      field.replace(
        /^AddOnParts\[(\d+)\]/,
        (_, place: string) => `AddOnParts[${added.places[Number(place)] ?? place}]`,
      );
    return invalidResult(...quoted.errors.map(({ field, message }) => ({ field: placed(field), message })));
  }
  const [, ...billed] = quoted.quote.billed;
  const last = Math.max(0, ...work.AddOnParts.map((part) => part.Id ?? 0));
  return {
    ...work,
    Total: add(work.Total, taxedSum(billed, tax.TaxRate)),
    Duration: work.Duration + quoted.quote.lineMinutes,
    AddOnParts: [...work.AddOnParts, ...quoted.quote.lines.map((part, index) => ({ ...part, Id: last + index + 1 }))],
    BilledLines: [...work.BilledLines, ...billed],
  };
}

/** What the invoice of an appointment has, and the proposals that it bills. */
export interface AmountsDue {
  /** None where all of it is invoiced already. */
  readonly lines: readonly BilledLine[];
  /** Those that become Invoiced with it. */
  readonly billed: readonly ProposalRecord[];
  /** All of which deposits are credited, those billed among them. */
  readonly involved: readonly ProposalRecord[];
  /** Why there is no invoice, or what it has not; `""` where it has all that is due. */
  readonly message: string;
}

/** Change orders that one invoice bills; a transaction takes a hundred changes, some of them three for each. */
const MAX_ORDERS = 20;

/**
 * The signed change orders of a proposal, and theirs, those still to be invoiced first; and how many more there are than
 * an invoice takes. A round for each generation there is.
 */
async function ordersOf(
  { table, caller }: WriteContext,
  own: ProposalRecord,
): Promise<{ orders: ProposalRecord[]; left: number }> {
  const found = new Map<number, ProposalRecord>();
  let parents = [own];
  let left = 0;
  while (parents.length) {
    const signed = parents.flatMap(({ ChangeOrders }) =>
      ChangeOrders.filter(({ Id, Status }) => isSigned(Status) && Id !== own.Id && !found.has(Id)),
    );
    const ids = signed
      .toSorted((one, other) => Number(isToBeInvoiced(other)) - Number(isToBeInvoiced(one)) || one.Id - other.Id)
      .map(({ Id }) => Id);
    const room = MAX_ORDERS - found.size;
    left += Math.max(0, ids.length - room);
    parents = await findProposals(table, caller.accountId, ids.slice(0, room));
    for (const order of parents.toSorted((one, other) => one.Id - other.Id)) found.set(order.Id, order);
  }
  return { orders: [...found.values()], left };
}

/**
 * What is due for an appointment that is done. Of a sale that is no subscription: what was sold and what its signed change
 * orders sold, as far as none of it is invoiced, and what was added to this appointment. Its proposals are billed by
 * nothing else: neither by other work that was booked for them. Of any other: its own lines.
 */
export async function amountsDue(
  writing: WriteContext,
  { Sold, BilledLines, ...links }: AppointmentRecord,
  proposals: readonly ProposalRecord[],
): Promise<AmountsDue> {
  const own = ownProposal(links, proposals);
  if (!own || !isOneOff(own)) return { lines: BilledLines, billed: own ? [own] : [], involved: proposals, message: '' };
  if (Sold?.ProposalId !== own.Id) return { lines: BilledLines, billed: [], involved: [], message: '' };
  const { orders, left } = await ordersOf(writing, own);
  const billed = [own, ...orders].filter((proposal) => isToBeInvoiced(proposal) && isOneOff(proposal));
  const ofOrders = billed.flatMap((proposal) => (proposal === own ? [] : (oneOffWork(proposal)?.BilledLines ?? [])));
  const added = BilledLines.slice(Sold.BilledLines);
  const lines = [...(billed.includes(own) ? BilledLines.slice(0, Sold.BilledLines) : []), ...ofOrders, ...added];
  const none = `Completed without an invoice: what was sold has been invoiced, proposal ${own.Id} is ${proposalStatusName(own.Status)}.`;
  const more = left
    ? `An invoice takes ${MAX_ORDERS} change orders: ${left} more of proposal ${own.Id} are not in this one.`
    : '';
  return {
    lines,
    billed,
    involved: [...new Map([...proposals, ...orders].map((proposal) => [proposal.Id, proposal])).values()],
    message: lines.length ? more : none,
  };
}
