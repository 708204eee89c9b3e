import { isOver, type AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { AddOnPart } from '../../lib/resources/appointments.ts';
import type { Input } from '../../lib/resources/resource.ts';
import type { GivenSlot } from './chosen.ts';
import type { Asking, Home } from './home.ts';
import { minutesOf, priceOf } from './priced.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { soldOf } from './sold.ts';

interface Said {
  readonly Quantity?: number | null | undefined;
  readonly Discount?: number | null | undefined;
  readonly Duration?: string | null | undefined;
  readonly UpdateLines?: boolean | null | undefined;
  readonly AddOnParts?: readonly Input<typeof AddOnPart>[] | null | undefined;
}

/** An appointment being updated. */
export interface Updating {
  readonly before: AppointmentRecord;
  /** With all that is said but price and length. */
  readonly placed: AppointmentRecord;
  readonly home: Home;
  readonly contact: ContactRecord;
  readonly request: Said;
  readonly slot: GivenSlot | undefined;
  /** The proposal that it is of, where it was read. */
  readonly proposal: ProposalRecord | undefined;
}

/**
 * The appointment with price and length as an update says: priced anew only where what is priced changes, so that a price once fixed stays; or where it is
 * of another sale from now on, and then as long as that says, unless it is over.
 */
export async function repriced(asking: Asking, { before, placed, home, contact, request, slot, proposal }: Updating): Promise<AppointmentRecord | Refusal> {
  const { service } = home;
  const quantity = request.Quantity || slot?.Quantity || before.Quantity;
  const discount = request.Discount ?? slot?.Discount ?? before.Discount;
  const said = minutesOf(request.Duration);
  if (isRefusal(said)) return said;
  const longer = said ?? (slot?.Duration && slot.Duration !== before.Duration ? slot.Duration : undefined);
  const lines = request.UpdateLines ? (request.AddOnParts ?? []) : before.AddOnParts;
  const from = { former: before, proposal, link: placed };
  const isResold = soldOf(service, from)?.Sold.ProposalId !== before.Sold?.ProposalId;
  const asksMore = quantity !== before.Quantity || service.Id !== before.ServiceId || request.UpdateLines === true;
  if (!asksMore && !isResold && discount === before.Discount) return { ...placed, Duration: longer ?? before.Duration };
  const minutes = longer ?? (asksMore || (isResold && !isOver(placed)) ? undefined : before.Duration);
  const wanted = { quantity, discount, lines, properties: placed.CustomProperties, duration: undefined, minutes, ...from };
  const priced = await priceOf(asking, home, contact, wanted);
  return isRefusal(priced) ? priced : { ...placed, ...priced };
}
