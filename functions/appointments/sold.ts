import type { AppointmentRecord, BilledLine } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { add } from '../../lib/domain/decimals.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { cents, fromCents } from '../../lib/domain/pricing/cents.ts';
import { taxOf } from '../../lib/domain/pricing/tax.ts';
import { addedTo } from '../../lib/domain/proposals/added.ts';
import { oneOffWork } from '../../lib/domain/proposals/sold.ts';
import type { ProposalWork } from '../../lib/domain/proposals/visit-appointment.ts';
import { quote } from '../../lib/store/quotes.ts';
import type { Asking } from './home.ts';
import type { Wanted } from './priced.ts';
import { conflicting, faults, type Refusal } from './refusal.ts';

/** What of an appointment was sold, without what was added to it since. */
function keptOf(former: AppointmentRecord, sold: NonNullable<AppointmentRecord['Sold']>): ProposalWork {
  const { ServiceId, ServiceName, Quantity, Discount, BilledTaxRate, BilledRateName } = former;
  return {
    ServiceId, ServiceName, Quantity, Discount, BilledTaxRate, BilledRateName, Total: sold.Total, Duration: sold.Duration,
    AddOnParts: former.AddOnParts.slice(0, sold.AddOnParts), BilledLines: former.BilledLines.slice(0, sold.BilledLines), Sold: sold,
  };
}

/** What was sold of an appointment: the visit of a subscription that it is, or all that its signed proposal sold; `undefined` where it costs what the book says. */
export function soldOf({ Id }: ServiceRecord, { former, proposal, link }: Pick<Wanted, 'former' | 'proposal' | 'link'>): ProposalWork | undefined {
  const own = link.ProposalId || link.RootProposalId;
  if (former?.Sold?.ProposalId === own && former?.Sold && former.ServiceId === Id) return keptOf(former, former.Sold);
  return proposal?.Id === own && proposal?.ServiceId === Id ? oneOffWork(proposal) : undefined;
}

const taxedSum = (lines: readonly BilledLine[], rate: number): number =>
  add(...lines.flatMap(({ Extended, Taxable }) => [Extended, fromCents(taxOf(cents(Extended), Taxable, rate))]));

interface Sale {
  readonly service: ServiceRecord;
  readonly contact: ContactRecord;
  readonly wanted: Wanted;
  readonly work: ProposalWork;
}

/** What was sold, with the add-ons that are wanted beyond it, which cost what the book says; quantity, discount and what was sold of a part stay. */
export async function withAdded({ table, caller, now }: Asking, { service, contact, wanted, work }: Sale): Promise<ProposalWork | Refusal> {
  const { former, proposal, properties } = wanted;
  const ordered = `proposal ${work.Sold.ProposalId}; a change order changes that`;
  const quantities = [work.Quantity, proposal?.AskedQuantity ?? 1, former?.Quantity];
  if (wanted.quantity && !quantities.includes(wanted.quantity)) return conflicting(`Quantity is ${work.Quantity}, as sold with ${ordered}.`);
  if (wanted.discount && wanted.discount !== former?.Discount) return conflicting(`Discount is none beyond what was sold with ${ordered}.`);
  // What it was to be before it was of this sale gives way to what was sold.
  const isNew = former && former.Sold?.ProposalId !== work.Sold.ProposalId && wanted.lines === former.AddOnParts;
  const lines = isNew ? wanted.lines.filter((line) => !work.AddOnParts.some(({ PartId }) => PartId === line.PartId)) : wanted.lines;
  const added = addedTo(work.AddOnParts, lines);
  if (added.kind === 'changed') return conflicting(`${added.part.Name} is ${added.part.Quantity} at ${added.part.UnitPrice}, as sold with ${ordered}.`);
  if (!added.lines.length) return work;
  const tax = { Name: work.BilledRateName, TaxRate: work.BilledTaxRate };
  const asked = { service: { ...service, SubscriptionProRate: false }, contact, quantity: work.Quantity, discount: null, lines: added.lines, had: former?.AddOnParts ?? [], properties, tax };
  const quoted = await quote(table, caller.accountId, asked, now);
  if (quoted.kind === 'faults') {
    const placed = (field: string) => field.replace(/^AddOnParts\[(\d+)\]/, (_, place: string) => `AddOnParts[${added.places[Number(place)] ?? place}]`);
    return faults(...quoted.faults.map(({ field, message }) => ({ field: placed(field), message })));
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
