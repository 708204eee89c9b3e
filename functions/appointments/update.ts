import { resolveAdditionalAgents } from '../../lib/workflows/appointments/reserve-time.ts';
import { bookingEffects } from '../../lib/workflows/appointments/booking-effects.ts';
import { resolveDetails } from '../../lib/workflows/appointments/booking-effects.ts';
import { ownProposal } from '../../lib/workflows/appointments/booking-context.ts';
import { loadProposals } from '../../lib/workflows/appointments/booking-context.ts';
import { loadReferences } from '../../lib/workflows/appointments/booking-context.ts';
import { repriceWork } from '../../lib/workflows/appointments/price-work.ts';
import { prefetchBillingIds } from '../../lib/workflows/appointments/booking-effects.ts';
import { releaseTime } from '../../lib/workflows/appointments/reserve-time.ts';
import { describeTimes } from '../../lib/domain/appointments/time-reservations.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { type AppointmentRecord, appendNote, isOver } from '../../lib/domain/appointments/record.ts';
import { Status, statusName, occupiesTime } from '../../lib/domain/appointments/status.ts';
import { appointmentAnswer, appointmentFields } from '../../lib/resources/appointments.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { conflict, invalid, notFound } from '../../lib/shared/failure.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';
import {
  findAgent,
  allowed,
  loadBookingContext,
  parseStart,
} from '../../lib/workflows/appointments/booking-context.ts';
import { applyStatus } from '../../lib/workflows/appointments/booking-effects.ts';
import { toAppointmentAnswer } from '../../lib/workflows/appointments/load-appointment-resources.ts';
import { reserveTime } from '../../lib/workflows/appointments/reserve-time.ts';

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
      loadReferences(context, request, slot),
    ]);
    if (!before) throw notFound('appointment', 'AppointmentId', request.AppointmentId);
    if (request.ContactId && request.ContactId !== before.ContactId)
      throw invalid({ field: 'ContactId', message: `is not the contact of appointment ${before.Id}` });
    const named = allowed(naming);
    const details = allowed(resolveDetails({ request, slot, named, contactId: before.ContactId }));
    const stated = await applyStatus(context, before, request, slot);
    const becomes = stated.Status === before.Status ? undefined : stated.Status;
    const service = request.ServiceId || request.ServiceName ? request : { ServiceId: before.ServiceId };
    const [contact, home, proposals] = await Promise.all([
      loadContact(context, before.ContactId),
      loadBookingContext(context, before.OrganizationId, service),
      loadProposals(
        context,
        becomes === Status.Scheduled || becomes === Status.Completed ? { ...before, ...details } : details,
        named,
      ),
      becomes === Status.Completed && !before.InvoiceId ? prefetchBillingIds(context, before) : undefined,
    ]);

    if (slot?.DateTime && before.Status === Status.Queued && stated.Status === Status.Queued)
      throw conflict('The appointment is Queued: appointments/book with its AppointmentId gives it a time.');
    const agent =
      slot?.ServiceAgentId && slot.ServiceAgentId !== before.ServiceAgentId
        ? findAgent(home, slot.ServiceAgentId, 'Slots[0].ServiceAgentId')
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
        ? { Start: parseStart(slot.DateTime, home.organization.Timezone) }
        : {}),
      ...(others && stated.Status !== Status.Queued
        ? {
            AdditionalAgents: allowed(
              resolveAdditionalAgents(home, others, slot?.ServiceAgentId || before.ServiceAgentId),
            ),
          }
        : {}),
    };
    const after = allowed(
      await repriceWork(context, {
        before,
        placed,
        home,
        contact,
        request,
        slot,
        proposal: ownProposal(placed, proposals),
      }),
    );

    const moves = describeTimes(after) !== describeTimes(before);
    const rebuilt = placeAndPrice.some((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
    if (isOver(before) && isOver(after) && rebuilt)
      throw conflict(`The appointment is ${statusName(before.Status)}: its time, agents and price cannot be changed.`);
    if (occupiesTime(after.Status) && (after.Start === null || !after.ServiceAgentId)) {
      throw invalid({
        field: `Slots[0].${after.Start === null ? 'DateTime' : 'ServiceAgentId'}`,
        message: `is required for an appointment that becomes ${statusName(after.Status)}`,
      });
    }
    const claims = occupiesTime(after.Status) && (moves || !occupiesTime(before.Status));
    const {
      invoiceId,
      message,
      changes: consequences,
    } = await bookingEffects(context, { before, after, service: home.service, contact, proposals });
    const noted = appendNote({ ...after, InvoiceId: invoiceId }, request.UpdateNote, now);
    if (JSON.stringify({ ...noted, Shadow: before.Shadow }) === JSON.stringify(before))
      return save([], await toAppointmentAnswer(context, before, request.IncludeContact));
    const claiming = { home, zip: contact.Zip, before, after: noted, skip: request.SkipConflictChecks ?? false };
    const { record, changes } = await (claims
      ? reserveTime(context, claiming)
      : releaseTime(context, { before, after: noted }));
    return save([...changes, ...consequences], {
      ...(await toAppointmentAnswer(context, record, request.IncludeContact)),
      Message: message,
    });
  },
});
