import { toLocalDate } from '../../../lib/shared/time/format-moments.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/shared/time/time.ts';
import { calls, cancellations, errands, praise } from './catalogue.ts';
import type { Office, Story } from './office.ts';
import type { PlannedJob } from './plan-work.ts';
import type { Random } from './random.ts';

/** What the stories of a year need of the company. */
export interface WorkNames {
  readonly now: number;
  /** Of this story. */
  readonly random: Random;
  readonly cancelReasons: ReadonlyMap<string, number>;
  readonly partIds: ReadonlyMap<string, number>;
}

interface Booked {
  readonly AppointmentId: number;
  readonly Slots: readonly { readonly Total: number }[];
}

const toIso = (at: number): string => new Date(at).toISOString();
const toDuration = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;

/** A job from the telephone call to the payment, as far as it is by now. */
export async function* playJob(office: Office, job: PlannedJob, names: WorkNames): Story {
  const { contact, offer, agentId, start, minutes, quantity, fate, isUnchecked } = job;
  const { random, now } = names;
  const ahead = random.between(2, 12) * DAY + random.between(0, 8) * HOUR;
  const bookedAt = yield Math.min(start - ahead, now - random.between(1, 5 * 24) * HOUR);
  const partId = offer.part === undefined ? undefined : names.partIds.get(offer.part);
  const { AppointmentId, Slots } = await office.call<Booked>(
    'appointments/book',
    {
      ContactId: contact.id,
      ServiceName: offer.service,
      Duration: toDuration(minutes),
      Quantity: quantity,
      Notes: random.pick(offer.notes),
      AddOnParts: partId === undefined ? undefined : [{ PartId: partId, Quantity: 1 }],
      SkipConflictChecks: isUnchecked || undefined,
      Slots: [{ DateTime: toIso(start), ServiceAgentId: agentId }],
    },
    bookedAt,
  );
  if (fate === 'tentative') {
    const slot = { Status: 5 };
    await office.call('appointments/update', { AppointmentId, Slots: [slot] }, bookedAt + 5 * MINUTE);
  }
  if (fate === 'canceled') {
    const { reason, note } = random.pick(cancellations);
    const body = { AppointmentId, CancelReasonId: names.cancelReasons.get(reason), UpdateNote: note };
    const at = yield Math.min(start - 20 * HOUR, now - 10 * MINUTE);
    await office.call('appointments/cancel', body, Math.max(at, bookedAt + HOUR / 2));
  }
  if (fate === 'started') {
    const at = yield start;
    await office.call('appointments/update', { AppointmentId, UpdateActuals: true, ActualStart: toIso(start) }, at);
  }
  if (fate === 'completed') yield* finishJob(office, { AppointmentId, job, total: Slots[0]?.Total ?? 0 }, names);
}

async function* finishJob(
  office: Office,
  { AppointmentId, job, total }: { AppointmentId: number; job: PlannedJob; total: number },
  names: WorkNames,
): Story {
  const { contact, offer, start, minutes } = job;
  const { random, now } = names;
  const actualStart = start + random.between(-5, 15) * MINUTE;
  const finish = Math.min(now, actualStart + Math.round(minutes * (0.8 + random.next() * 0.35)) * MINUTE);
  const body = { AppointmentId, UpdateActuals: true, ActualStart: toIso(actualStart), ActualFinish: toIso(finish) };
  const done = await office.call<{ InvoiceId: number | null }>('appointments/update', body, yield finish);
  const tip = random.chance(0.12) ? random.pick([5, 10, 10, 15, 20]) : 0;
  if (tip) await office.call('appointments/addtip', { AppointmentId, Amount: tip }, finish + MINUTE);
  if (random.chance(0.12) && finish + 5 * HOUR < now)
    await office.call('appointments/feedback', { Id: AppointmentId, ...random.pick(praise) }, yield finish + 5 * HOUR);
  let { InvoiceId } = done;
  if (offer.billing === 'office' && total > 0) {
    const billedAt = yield Math.min(now, finish + 3 * HOUR);
    const Lines = [{ Description: `${offer.service}, ${toLocalDate(start, contact.zone)}`, Rate: total, Qty: 1 }];
    const Invoice = { ContactId: contact.id, AppointmentId, Lines, Terms: 'Net 15' };
    ({ InvoiceId } = await office.call<{ InvoiceId: number }>('invoice/import', { Invoice }, billedAt));
  }
  if (InvoiceId) yield* payInvoice(office, InvoiceId, { since: finish + 4 * HOUR }, names);
}

/** Most pay within two weeks; some late, some in part, a few not at all. */
async function* payInvoice(
  office: Office,
  InvoiceId: number,
  { since }: { since: number },
  { random, now }: WorkNames,
): Story {
  if (random.chance(0.025)) return;
  const days = random.chance(0.6) ? 0 : random.chance(0.9) ? random.between(1, 14) : random.between(20, 55);
  const dueAt = since + days * DAY + random.between(0, 3) * HOUR;
  if (dueAt >= now) return;
  const at = yield dueAt;
  const { Invoice } = await office.call<{ Invoice: { BalanceDue: number } }>('invoice/get', { InvoiceId }, at);
  const { BalanceDue } = Invoice;
  if (BalanceDue <= 0) return;
  const method = random.pick(['Card', 'Card', 'Card', 'Check', 'Check', 'Cash']);
  const reference = { Card: `Visa ${random.between(1000, 9999)}`, Check: `No. ${random.between(101, 4999)}`, Cash: '' };
  const Amount = random.chance(0.02) ? Math.round(BalanceDue * 50) / 100 : BalanceDue;
  const Payment = { InvoiceId, Amount, Method: method, Reference: reference[method as 'Card'] };
  await office.call('payment/import', { Payment }, at);
}

/** A telephone call of a customer, before or after a job. */
export async function* playCall(office: Office, { contact, start }: PlannedJob, { random, now }: WorkNames): Story {
  const { direction, note } = random.pick(calls);
  const at = yield Math.min(now - HOUR, start + random.between(-3, 4) * DAY);
  const record = {
    ContactId: contact.id,
    Phone: contact.phone,
    Direction: direction,
    DurationSeconds: random.between(25, 420),
    Note: note,
  };
  await office.call('contacts/logcall', { Chars: JSON.stringify(record) }, at);
}

/** A task of the office after a job, done or still open. */
export async function* playTask(office: Office, { contact, start }: PlannedJob, { random, now }: WorkNames): Story {
  const { description, type, category } = random.pick(errands);
  const at = yield Math.min(now - 2 * HOUR, start + 2 * HOUR);
  const due = at + random.between(1, 12) * DAY;
  const { TaskId } = await office.call<{ TaskId: number }>(
    'task/create',
    {
      ContactId: contact.id,
      Description: description,
      TaskType: type,
      Category: category,
      DurationMinutes: random.pick([5, 10, 15, 30]),
      Due: toIso(due),
    },
    at,
  );
  if (due < now - 2 * DAY || random.chance(0.3))
    await office.call('task/complete', { TaskId }, yield Math.min(due, now - HOUR));
}
