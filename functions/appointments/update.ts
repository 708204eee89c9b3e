import { additionalIn } from '../../lib/workflows/appointments/reserve-time.ts';
import { consequencesOf } from '../../lib/workflows/appointments/booking-effects.ts';
import { detailsOf } from '../../lib/workflows/appointments/booking-effects.ts';
import { ownOf } from '../../lib/workflows/appointments/booking-context.ts';
import { proposalsOf } from '../../lib/workflows/appointments/booking-context.ts';
import { readNamed } from '../../lib/workflows/appointments/booking-context.ts';
import { repriced } from '../../lib/workflows/appointments/price-work.ts';
import { stockBilling } from '../../lib/workflows/appointments/booking-effects.ts';
import { storeFreely } from '../../lib/workflows/appointments/reserve-time.ts';
import { timesText } from '../../lib/domain/appointments/time-reservations.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { type AppointmentRecord, appendNote, isOver } from '../../lib/domain/appointments/record.ts';
import { Status, statusName, takesTime } from '../../lib/domain/appointments/status.ts';
import { appointmentAnswer, appointmentFields } from '../../lib/resources/appointments.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { agentIn, allowed, contactOf, homeOf, startOf } from '../../lib/workflows/appointments/booking-context.ts';
import { restated } from '../../lib/workflows/appointments/booking-effects.ts';
import { answerOf } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { claim } from '../../lib/workflows/appointments/reserve-time.ts';

/** What stays as it is once an appointment is over. */
const placeAndPrice = [
  'Start',
  'Duration',
  'ServiceAgentId',
  'AdditionalAgents',
  'ServiceId',
  'Quantity',
  'Discount',
  'Total',
  'AddOnParts',
] as const;

export const update = operation({
  name: 'appointments/update',
  summary: 'Changes an appointment: time, agents, quantity, duration, add-ons, notes, addresses, what really happened.',
  description:
    'An absent field stays as it is. Slots[0] has the new DateTime, ServiceAgentId, AdditionalServiceAgents (all ' +
    'there are from now on; null for none) and Status. A move is one transaction: the old time goes only if the ' +
    'new one is had. Another quantity or service, or AddOnParts with UpdateLines, is priced anew, and takes as ' +
    'long as the service says unless Duration is given. UpdateActuals with ActualStart makes it Started, with ' +
    'ActualFinish Completed. That makes the contact a customer and, where the service has IsMigrateInvoice, the ' +
    'invoice of what was booked (InvoiceId), less the deposit of its proposal. What a proposal and its signed ' +
    'change orders sold is invoiced once: the next time Message says so. ActualStart alone reopens a Completed ' +
    'one (Admin). Slots[0].Status confirms (Tentative to Scheduled), queues, or restores a Canceled one (Office). ' +
    'Time, agents and price of one that is Completed or Canceled cannot be changed: 409.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ...appointmentFields(), AppointmentId: required(id()) }),
  response: appointmentAnswer,
  failures: ['invalid', 'notFound', 'conflict'],
  example: { AppointmentId: 1, UpdateNote: 'Gate code is 4711.' },
  async run(request, context) {
    const { table, caller, now } = context;
    const [slot] = request.Slots ?? [];
    const [before, naming] = await Promise.all([
      findAppointment(table, caller, request.AppointmentId),
      readNamed(context, request, slot),
    ]);
    if (!before) throw notFound('appointment', 'AppointmentId', request.AppointmentId);
    if (request.ContactId && request.ContactId !== before.ContactId)
      throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${before.Id}` });
    const named = allowed(naming);
    const details = allowed(detailsOf({ request, slot, named, contactId: before.ContactId }));
    const stated = await restated(context, before, request, slot);
    const becomes = stated.Status === before.Status ? undefined : stated.Status;
    const service = request.ServiceId || request.ServiceName ? request : { ServiceId: before.ServiceId };
    const [contact, home, proposals] = await Promise.all([
      contactOf(context, before.ContactId),
      homeOf(context, before.OrganizationId, service),
      proposalsOf(
        context,
        becomes === Status.Scheduled || becomes === Status.Completed ? { ...before, ...details } : details,
        named,
      ),
      becomes === Status.Completed && !before.InvoiceId ? stockBilling(context, before) : undefined,
    ]);

    if (slot?.DateTime && before.Status === Status.Queued && stated.Status === Status.Queued)
      throw conflict('The appointment is Queued: appointments/book with its AppointmentId gives it a time.');
    const agent =
      slot?.ServiceAgentId && slot.ServiceAgentId !== before.ServiceAgentId
        ? agentIn(home, slot.ServiceAgentId, 'Slots[0].ServiceAgentId')
        : {};
    // An empty list is what a slot of slotsearch has: nobody is sent home by it, but by null.
    const others =
      slot?.AdditionalServiceAgents === null
        ? []
        : slot?.AdditionalServiceAgents?.length
          ? slot.AdditionalServiceAgents
          : undefined;
    const placed: AppointmentRecord = {
      ...stated,
      ...details,
      Shadow: false,
      ...(stated.Status === Status.Queued ? {} : agent),
      ...(slot?.DateTime && stated.Status !== Status.Queued
        ? { Start: startOf(slot.DateTime, home.organization.Timezone) }
        : {}),
      ...(others && stated.Status !== Status.Queued
        ? { AdditionalAgents: allowed(additionalIn(home, others, slot?.ServiceAgentId || before.ServiceAgentId)) }
        : {}),
    };
    const after = allowed(
      await repriced(context, { before, placed, home, contact, request, slot, proposal: ownOf(placed, proposals) }),
    );

    const moves = timesText(after) !== timesText(before);
    const rebuilt = placeAndPrice.some((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
    if (isOver(before) && isOver(after) && rebuilt)
      throw conflict(`The appointment is ${statusName(before.Status)}: its time, agents and price cannot be changed.`);
    if (takesTime(after.Status) && (after.Start === null || !after.ServiceAgentId)) {
      throw invalid({
        field: `Slots[0].${after.Start === null ? 'DateTime' : 'ServiceAgentId'}`,
        message: `is required for an appointment that becomes ${statusName(after.Status)}`,
      });
    }
    const claims = takesTime(after.Status) && (moves || !takesTime(before.Status));
    const {
      invoiceId,
      message,
      changes: consequences,
    } = await consequencesOf(context, { before, after, service: home.service, contact, proposals });
    const noted = appendNote({ ...after, InvoiceId: invoiceId }, request.UpdateNote, now);
    if (JSON.stringify({ ...noted, Shadow: before.Shadow }) === JSON.stringify(before))
      return save([], await answerOf(context, before, request.IncludeContact));
    const claiming = { home, zip: contact.Zip, before, after: noted, skip: request.SkipConflictChecks ?? false };
    const { thing, changes } = await (claims
      ? claim(context, claiming)
      : storeFreely(context, { before, after: noted }));
    return save([...changes, ...consequences], {
      ...(await answerOf(context, thing, request.IncludeContact)),
      Message: message,
    });
  },
});
