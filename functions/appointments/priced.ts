import type { AppointmentRecord, BilledLine } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { LONGEST_DURATION, parseDuration } from '../../lib/domain/durations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { AddOnPart } from '../../lib/resources/appointments.ts';
import type { Input } from '../../lib/resources/resource.ts';
import { quote } from '../../lib/store/quotes.ts';
import type { Asking } from './home.ts';
import { faults, isRefusal, type Refusal } from './refusal.ts';

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
  /** The queued appointment that is booked, if one is. */
  readonly queued?: AppointmentRecord | undefined;
}

/** Reads a Duration in minutes; blank and 0 are not given. */
export function minutesOf(text: string | null | undefined): number | undefined | Refusal {
  if (!text?.trim()) return undefined;
  const parsed = parseDuration(text);
  if (!parsed.ok) return faults({ field: 'Duration', message: `cannot be read: ${parsed.reason}` });
  return parsed.minutes || undefined;
}

const WORK = ['ServiceId', 'ServiceName', 'Quantity', 'Discount', 'Total', 'BilledLines', 'BilledTaxRate', 'BilledRateName'] as const;

/** What is done, for how much and how long, as an appointment keeps it. */
export type PricedWork = Pick<AppointmentRecord, (typeof WORK)[number] | 'Duration'> & { readonly AddOnParts: AddOnPart[] };

const unbilled: { readonly BilledLines: readonly BilledLine[]; readonly BilledTaxRate: number; readonly BilledRateName: string } = {
  BilledLines: [], BilledTaxRate: 0, BilledRateName: '',
};

const isSame = (said: unknown, kept: unknown): boolean => said === undefined || said === null || said === kept;

/** Whether lines ask for nothing but what is there: typed clients send it back. */
const areSame = (lines: Wanted['lines'], kept: readonly AddOnPart[]): boolean =>
  lines.length === kept.length &&
  lines.every(({ PartId, Quantity, UnitPrice, Discount }, index) => {
    const line = kept[index];
    return line && PartId === line.PartId && isSame(Quantity, line.Quantity) && (isSame(UnitPrice, line.UnitPrice) || UnitPrice === 0) && isSame(Discount, line.Discount);
  });

/** A visit of a proposal that waits to be booked costs what it was sold for, unless something else is asked for now. */
function soldAs({ Id }: ServiceRecord, wanted: Wanted): AppointmentRecord | undefined {
  const { queued } = wanted;
  if (!queued?.ProposalId || !queued.BilledLines.length || Id !== queued.ServiceId) return undefined;
  const asksMore = (wanted.quantity || queued.Quantity) !== queued.Quantity || (wanted.discount || 0) !== (queued.Discount || 0);
  return asksMore || !areSame(wanted.lines, queued.AddOnParts) ? undefined : queued;
}

/** Price, lines and length of a service for a contact; refused where they cannot be had. */
export async function priceOf({ table, caller, now }: Asking, service: ServiceRecord, contact: ContactRecord, wanted: Wanted): Promise<PricedWork | Refusal> {
  const { lines, properties, discount = null, link } = wanted;
  const said = minutesOf(wanted.duration);
  if (isRefusal(said)) return said;
  const sold = soldAs(service, wanted);
  if (sold) {
    const kept = Object.fromEntries(WORK.map((name) => [name, sold[name]])) as unknown as PricedWork;
    return { ...kept, AddOnParts: [...sold.AddOnParts], Duration: said ?? wanted.minutes ?? sold.Duration };
  }
  const quantity = wanted.quantity || 1;
  if (quantity < 0) return faults({ field: 'Quantity', message: 'must be above 0' });
  if ((wanted.discount ?? 0) < 0) return faults({ field: 'Discount', message: 'must be at least 0' });
  const quoted = await quote(table, caller.accountId, { service, contact, quantity, discount, lines, properties }, now);
  if (quoted.kind === 'faults') return faults(...quoted.faults);
  const Duration = said ?? wanted.minutes ?? quoted.quote.minutes;
  if (Duration < 1) return faults({ field: 'Duration', message: `is required, because the service ${service.Name} has none` });
  if (Duration > LONGEST_DURATION) return faults({ field: 'Duration', message: 'must be at most 7 days' });
  const { total: Total, lines: AddOnParts, billed, tax } = quoted.quote;
  const isBilled = service.IsMigrateInvoice || link.ProposalId || link.RootProposalId;
  const forInvoice = isBilled ? { BilledLines: billed, BilledTaxRate: tax.TaxRate, BilledRateName: tax.Name } : unbilled;
  return { ServiceId: service.Id, ServiceName: service.Name, Quantity: quantity, Discount: discount, Total, Duration, AddOnParts, ...forInvoice };
}
