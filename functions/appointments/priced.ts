import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { LONGEST_DURATION, parseDuration } from '../../lib/domain/durations.ts';
import { notOffered } from '../../lib/domain/pricebook/offered.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalWork } from '../../lib/domain/proposals/visit-appointment.ts';
import type { AddOnPart } from '../../lib/resources/appointments.ts';
import type { Input } from '../../lib/resources/resource.ts';
import { quote } from '../../lib/store/quotes.ts';
import type { Asking, Home } from './home.ts';
import { faults, isRefusal, type Refusal } from './refusal.ts';
import { soldOf, withAdded } from './sold.ts';

/** What is asked for, as far as it bears on price and length. */
export interface Wanted {
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
export function minutesOf(text: string | null | undefined): number | undefined | Refusal {
  if (!text?.trim()) return undefined;
  const parsed = parseDuration(text);
  if (!parsed.ok) return faults({ field: 'Duration', message: `cannot be read: ${parsed.reason}` });
  return parsed.minutes || undefined;
}

/** What is done, for how much and how long, as an appointment keeps it. */
export type PricedWork = Omit<ProposalWork, 'Sold'> & Pick<AppointmentRecord, 'Sold'>;

const unbilled: Pick<PricedWork, 'BilledLines' | 'BilledTaxRate' | 'BilledRateName'> = { BilledLines: [], BilledTaxRate: 0, BilledRateName: '' };

/** The length that is asked for, where an appointment of a service can be that long. */
function lengthOf(minutes: number, { Name }: ServiceRecord): number | Refusal {
  if (minutes < 1) return faults({ field: 'Duration', message: `is required, because the service ${Name} has none` });
  return minutes > LONGEST_DURATION ? faults({ field: 'Duration', message: 'must be at most 7 days' }) : minutes;
}

/** Price, lines and length of a service for a contact; refused where they cannot be had, as of a service that is no longer offered and was not had before. */
export async function priceOf({ table, caller, now }: Asking, { service, named }: Home, contact: ContactRecord, wanted: Wanted): Promise<PricedWork | Refusal> {
  const { lines, properties, discount = null, link } = wanted;
  const said = minutesOf(wanted.duration);
  if (isRefusal(said)) return said;
  const work = soldOf(service, wanted);
  if (work) {
    const sold = await withAdded({ table, caller, now }, { service, contact, wanted, work });
    if (isRefusal(sold)) return sold;
    const Duration = lengthOf(said ?? wanted.minutes ?? sold.Duration, service);
    return isRefusal(Duration) ? Duration : { ...sold, Duration };
  }
  const isHad = [wanted.former, wanted.proposal].some((had) => had?.ServiceId === service.Id);
  if (!service.Active && !isHad) return faults({ field: named, message: notOffered(service.Name) });
  const quantity = wanted.quantity || 1;
  if (quantity < 0) return faults({ field: 'Quantity', message: 'must be above 0' });
  if ((wanted.discount ?? 0) < 0) return faults({ field: 'Discount', message: 'must be at least 0' });
  const quoted = await quote(table, caller.accountId, { service, contact, quantity, discount, lines, had: wanted.former?.AddOnParts ?? [], properties }, now);
  if (quoted.kind === 'faults') return faults(...quoted.faults);
  const Duration = lengthOf(said ?? wanted.minutes ?? quoted.quote.minutes, service);
  if (isRefusal(Duration)) return Duration;
  const { total: Total, lines: AddOnParts, billed, tax } = quoted.quote;
  const isBilled = service.IsMigrateInvoice || link.ProposalId || link.RootProposalId;
  const forInvoice = isBilled ? { BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name } : unbilled;
  return { ServiceId: service.Id, ServiceName: service.Name, Quantity: quantity, Discount: discount, Total, Duration, AddOnParts, ...forInvoice, Sold: null };
}
