import { faulty, invalid } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import { LONGEST_DURATION, parseDuration } from '../../lib/domain/durations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { AddOnPart } from '../../lib/resources/appointments.ts';
import type { Input } from '../../lib/resources/resource.ts';
import { engine } from './engine.ts';
import type { Asking } from './home.ts';

/** What is asked for, as far as it bears on price and length. */
export interface Wanted {
  readonly quantity: number | null | undefined;
  readonly discount: number | null | undefined;
  readonly lines: readonly Input<typeof AddOnPart>[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** Minutes; what the service says when not given. */
  readonly minutes: number | undefined;
}

/** Reads a Duration in minutes; blank and 0 are not given. */
export function minutesOf(text: string | null | undefined): number | undefined {
  if (!text?.trim()) return undefined;
  const parsed = parseDuration(text);
  if (!parsed.ok) throw invalid({ Field: 'Duration', Message: `cannot be read: ${parsed.reason}` });
  return parsed.minutes || undefined;
}

/** What is done, for how much and how long, as an appointment keeps it. */
export type PricedWork = Pick<AppointmentRecord, 'ServiceId' | 'ServiceName' | 'Quantity' | 'Discount' | 'Total' | 'Duration'> & { readonly AddOnParts: AddOnPart[] };

/** Price, lines and length of a service for a contact; 400 where they cannot be had. */
export async function priceOf({ table, caller, now }: Asking, service: ServiceRecord, contact: ContactRecord, wanted: Wanted): Promise<PricedWork> {
  const quantity = wanted.quantity || 1;
  if (quantity < 0) throw invalid({ Field: 'Quantity', Message: 'must be above 0' });
  if ((wanted.discount ?? 0) < 0) throw invalid({ Field: 'Discount', Message: 'must be at least 0' });
  const { lines, properties, discount = null } = wanted;
  const quoted = await (await engine()).quote(table, caller.accountId, { service, contact, quantity, discount, lines, properties }, now);
  if (quoted.kind === 'faults') throw faulty(quoted.faults);
  const minutes = wanted.minutes ?? quoted.quote.minutes;
  if (minutes < 1) throw invalid({ Field: 'Duration', Message: `is required, because the service ${service.Name} has none` });
  if (minutes > LONGEST_DURATION) throw invalid({ Field: 'Duration', Message: 'must be at most 7 days' });
  const { total: Total, lines: AddOnParts } = quoted.quote;
  return { ServiceId: service.Id, ServiceName: service.Name, Quantity: quantity, Discount: discount, Total, Duration: minutes, AddOnParts };
}
